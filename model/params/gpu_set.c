/* Sets parameters from a short text, as options of commands give it: "cores=16,l1_bytes=x2". */
#include "model/params/gpu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

static const char key_letters[] = "abcdefghijklmnopqrstuvwxyz_0123456789";
static const char value_letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789.+-";

/* Writes one "KEY=VALUE" as a line of YAML. Returns the rest of the text behind it, or NULL if the text has another
 * form. */
static const char *put_value(const char *text, FILE *out) {
  const size_t key = strspn(text, key_letters);
  if (key == 0 || text[key] != '=')
    return NULL;
  const char *value = text + key + 1;
  const size_t length = strspn(value, value_letters);
  if (length == 0 || (value[length] != ',' && value[length] != '\0'))
    return NULL;
  fprintf(out, "%.*s: %.*s\n", (int)key, text, (int)length, value);
  return value + length + (value[length] == ',');
}

/* Writes the values as a mapping of YAML to *text, which the caller frees. */
static int to_yaml(const char *values, char **text, struct error *error) {
  size_t size;
  *text = NULL;
  FILE *out = text_stream_begin(text, &size);
  if (!out)
    return error_no_memory(error);
  const char *rest = values;
  do
    rest = put_value(rest, out);
  while (rest && *rest != '\0');
  if (!text_stream_end(out, text))
    return error_no_memory(error);
  if (rest)
    return 0;
  free(*text);
  return error_set(error, ERROR_INPUT, "\"%.200s\": expected PARAMETER=VALUE,..., such as cores=16,l1_bytes=x2",
                   values);
}

int gpu_set(struct gpu *gpu, const char *values, struct error *error) {
  char *text;
  if (to_yaml(values, &text, error) != 0)
    return -1;
  struct conf_doc *doc;
  int status = conf_load_text("", text, strlen(text), &doc, error);
  free(text);
  if (status == 0) {
    status = params_load(&gpu_params, conf_root(doc), &gpu->spec, gpu->origins, error);
    conf_destroy(doc);
  }
  error->line = error->column = 0; /* the place is in the generated YAML, which the user has not written */
  return status == 0 ? gpu_spec_check(&gpu->spec, error) : status;
}

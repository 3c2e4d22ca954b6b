/* Every command prints its results, or its error, as JSON through these functions. */
#include "cli/core/command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/input/json.h"
#include "base/text.h"

static int cannot_build(struct error *error) {
  return error_set(error, ERROR_WORK, "cannot build the JSON document: out of memory");
}

json_t *command_json_text(const char *text) {
  json_t *string = json_string(text);
  char *ascii = string ? NULL : strdup(text);
  if (!ascii)
    return string;
  for (char *c = ascii; *c; c++)
    if ((unsigned char)*c >= 0x80)
      *c = '?';
  string = json_string(ascii);
  free(ascii);
  return string;
}

int command_print_json(json_t *document, struct error *error) {
  if (!document || json_ran_out_of_memory()) {
    json_decref(document);
    return cannot_build(error);
  }
  const int status = json_dumpf(document, stdout, JSON_INDENT(2));
  putchar('\n');
  json_decref(document);
  return status == 0 ? 0 : error_set(error, ERROR_WORK, "cannot write the JSON document: out of memory or no space");
}

static void put_json(const struct error *error, FILE *out) {
  json_t *document = json_pack("{s:s, s:{s:s, s:o, s:i, s:i, s:o, s:o}}", "schema", "reassemble.error/1", "error",
                               "kind", error->kind == ERROR_INPUT ? "input" : "work", "file",
                               command_json_text(error->file), "line", (int)error->line, "column", (int)error->column,
                               "key", command_json_text(error->key), "text", command_json_text(error->text));
  if (document)
    json_dumpf(document, out, JSON_INDENT(2));
  putc('\n', out);
  json_decref(document);
}

static void put_line(const struct error *error, FILE *out) {
  if (error->file[0] == '\0')
    fputs("reassemble: ", out);
  error_print(error, out);
}

char *command_error_text(const struct error *error, bool json) {
  char *text = NULL;
  size_t length;
  FILE *out = text_stream_begin(&text, &length);
  if (!out)
    return NULL;
  (json ? put_json : put_line)(error, out);
  return text_stream_end(out, &text) ? text : NULL;
}

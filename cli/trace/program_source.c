#include "cli/trace/program_source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"

#define MAX_SOURCE_BYTES ((size_t)64 << 20)

static int copy(const char *from, const char *to, struct error *error) {
  struct file_replace file;
  size_t length;
  char *text = NULL;
  int status = file_read(from, MAX_SOURCE_BYTES, &text, &length, error);
  if (!status)
    status = file_replace_begin(&file, to, error);
  if (!status) {
    fwrite(text, 1, length, file.stream);
    status = file_replace_commit(&file, error);
  }
  free(text);
  return status;
}

int program_source_save(json_t *saved, const char *capture, const char *folder, const char *name, json_int_t id,
                        struct error *error) {
  char key[32];
  snprintf(key, sizeof key, "%lld", (long long)id);
  if (json_object_get(saved, key))
    return 0;
  json_object_set_new(saved, key, json_true());
  char *from = text_format("%s/program-%lld.cl", capture, (long long)id);
  char *to = text_format("%s/%s.program-%lld.cl", folder, name, (long long)id);
  int status = from && to ? file_make_directories(folder, error) : error_no_memory(error);
  if (!status)
    status = copy(from, to, error);
  free(from);
  free(to);
  return status;
}

void program_source_rename(const char *capture, const char *name, char *text, size_t size) {
  char *folder = text_format("%s/program-", capture), *before = strdup(text);
  FILE *out = folder && before ? fmemopen(text, size, "w") : NULL;
  for (const char *from = before; out && *from;)
    if (strncmp(from, folder, strlen(folder)) == 0) {
      fprintf(out, "%s.program-", name);
      from += strlen(folder);
    } else
      putc(*from++, out);
  if (out)
    fclose(out);
  text[size - 1] = '\0';
  free(folder);
  free(before);
}

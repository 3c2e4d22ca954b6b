#include "cli/trace/program_manifest.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/file.h"
#include "base/input/json.h"
#include "base/text.h"
#include "cli/core/command.h"

static json_t *describe_program(const struct program *p) {
  json_t *words = json_array();
  for (size_t i = 0; i < p->options->argument_count; i++)
    json_array_append_new(words, command_json_text(p->options->arguments[i]));
  json_t *program = json_pack("{s:o}", "arguments", words);
  if (p->stopped_after_s > 0)
    json_object_set_new(program, "stopped_after_s", json_real(p->stopped_after_s));
  if (!p->child.ended)
    return program;
  if (WIFSIGNALED(p->child.status))
    json_object_set_new(program, "signal", json_string(strsignal(WTERMSIG(p->child.status))));
  else
    json_object_set_new(program, "exit", json_integer(WEXITSTATUS(p->child.status)));
  return program;
}

/* Several processes of a program may write to the log at the same time. */
static int by_index(const void *a, const void *b) {
  const json_int_t x = json_integer_value(json_object_get(*(json_t *const *)a, "index"));
  const json_int_t y = json_integer_value(json_object_get(*(json_t *const *)b, "index"));
  return (x > y) - (x < y);
}

static json_t *sorted(const json_t *launches) {
  const size_t count = json_array_size(launches);
  json_t **list = malloc((count + 1) * sizeof *list), *out = list ? json_array() : NULL;
  for (size_t i = 0; list && i < count; i++)
    list[i] = json_array_get(launches, i);
  if (out)
    qsort(list, count, sizeof *list, by_index);
  for (size_t i = 0; out && i < count; i++)
    json_array_append(out, list[i]);
  free(list);
  return out;
}

json_t *manifest_describe(const struct program *p, const struct capture *capture) {
  return json_pack("{s:s, s:s, s:o, s:o, s:O, s:O}", "schema", "reassemble.manifest/1", "front_end",
                   p->front_end->version(), "program", describe_program(p), "launches", sorted(capture->launches),
                   "buffers", capture->memories, "refused", capture->refused);
}

int manifest_write(const struct program *p, const struct capture *capture, bool is_complete, const char *folder,
                   const char *name, struct error *error) {
  char *path = text_format("%s/%s.manifest.json", folder, name);
  json_t *document = manifest_describe(p, capture);
  if (document && !is_complete)
    json_object_set_new(document, "complete", json_false());
  int status = path ? file_make_directories(folder, error) : error_no_memory(error);
  if (!status)
    status = json_save_document(document, path, 0, error);
  json_decref(document);
  free(path);
  return status;
}

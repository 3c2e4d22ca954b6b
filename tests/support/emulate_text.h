/* Runs a workload once whose kernel and description are texts, for tests of the emulator. The texts become files in the
 * current folder. */
#ifndef SUPPORT_EMULATE_TEXT_H
#define SUPPORT_EMULATE_TEXT_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "tracegen/emulate.h"

struct emulate_text {
  struct workload *workload;
  struct emulate_result result;
  struct error error;
};

static inline void write_text(const char *path, const char *text) {
  FILE *out = fopen(path, "w");
  if (!out || fputs(text, out) < 0 || fclose(out))
    abort();
}

/* Runs a workload in the files "<name>.cl" and "<name>.yaml"; `body` holds buffers, launches and checks. */
static inline int emulate_text_run(struct emulate_text *t, const char *name, const char *kernel, const char *body,
                                   const struct emulate_options *options) {
  char path[256];
  *t = (struct emulate_text){.error = ERROR_INIT};
  snprintf(path, sizeof path, "%s.cl", name);
  write_text(path, kernel);
  char *yaml = text_format("schema: reassemble.workload/1\nname: %s\nsource: %s\n%s", name, path, body);
  if (!yaml)
    abort();
  snprintf(path, sizeof path, "%s.yaml", name);
  write_text(path, yaml);
  free(yaml);
  if (workload_load(path, &t->workload, &t->error))
    return -1;
  return emulate_workload(t->workload, options, true, &t->result, &t->error);
}

static inline void emulate_text_clear(struct emulate_text *t) {
  emulate_result_clear(&t->result);
  workload_destroy(t->workload);
}

#endif

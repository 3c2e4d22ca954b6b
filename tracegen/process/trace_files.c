#include "tracegen/process/trace_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/file_target.h"
#include "base/text.h"
#include "tracegen/process/staging.h"
#include "tracegen/process/worker_pool.h"

static int name_one(struct trace_files *f, const struct workload *w, const struct emulate_options *options, size_t i,
                    struct error *error) {
  const char *directory = options->trace_directory;
  const char *name = options->trace_name ? options->trace_name : w->name && *w->name ? w->name : w->launches[i].kernel;
  if (f->to_stdout)
    f->paths[i] = strdup(TRACE_TO_STDOUT);
  else
    f->paths[i] = f->count == 1 ? text_format("%s/%s.rtrace", directory, name)
                                : text_format("%s/%s.%zu.rtrace", directory, name, i);
  if (f->paths[i])
    f->staged[i] = f->to_stdout ? strdup(TRACE_TO_STDOUT) : text_format("%s/%zu.rtrace", f->staging, i);
  return f->staged[i] ? 0 : error_no_memory(error);
}

static int choose_staging(struct trace_files *f, const struct emulate_options *options, struct error *error) {
  f->keeps_staging = options->pool != NULL;
  if (!options->pool) {
    f->staging = staging_make(options->trace_directory, error);
    return f->staging ? 0 : -1;
  }
  const char *staging = worker_pool_staging(options->pool, options->trace_directory, error);
  f->staging = staging ? strdup(staging) : NULL;
  return f->staging ? 0 : error_no_memory(error); /* the first error wins */
}

int trace_files_name(struct trace_files *f, const struct workload *w, const struct emulate_options *options,
                     struct error *error) {
  const char *directory = options->trace_directory;
  if (!directory)
    return 0;
  f->count = w->launch_count;
  f->to_stdout = strcmp(directory, TRACE_TO_STDOUT) == 0;
  if (f->to_stdout && f->count != 1)
    return error_set(error, ERROR_INPUT,
                     "workload %s has %zu launches, and standard output takes one trace: write them to a folder",
                     w->name ? w->name : "", f->count);
  if (!f->to_stdout && choose_staging(f, options, error))
    return -1;
  f->paths = calloc(f->count, sizeof *f->paths);
  f->staged = calloc(f->count, sizeof *f->staged);
  if (!f->paths || !f->staged)
    return error_no_memory(error);
  for (size_t i = 0; i < f->count; i++)
    if (name_one(f, w, options, i, error))
      return -1;
  return 0;
}

int trace_files_publish(const struct trace_files *f, size_t count, struct error *error) {
  for (size_t i = 0; f->staged && !f->to_stdout && i < count; i++)
    if (staging_publish(f->staged[i], f->paths[i], error)) {
      while (i-- > 0)
        if (!file_target_is_written_through(f->paths[i]))
          unlink(f->paths[i]);
      return -1;
    }
  return 0;
}

void trace_files_clear(struct trace_files *f) {
  for (size_t i = 0; i < f->count; i++) {
    if (f->paths)
      free(f->paths[i]);
    if (f->staged)
      free(f->staged[i]);
  }
  free(f->paths);
  free(f->staged);
  if (f->staging && !f->keeps_staging)
    staging_remove(f->staging);
  free(f->staging);
  *f = (struct trace_files){0};
}

/* The files of a workload's traces. Each is written in a folder beside its place (staging.h), and gets its place when
 * the emulation has succeeded.
 *
 * Ownership: starts from zero; trace_files_clear frees. Errors: ERROR_INPUT where standard output would have to take
 * several traces, else ERROR_WORK. Private to tracegen. */
#ifndef TRACEGEN_PROCESS_TRACE_FILES_H
#define TRACEGEN_PROCESS_TRACE_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/error.h"
#include "tracegen/process/emulation.h"
#include "workload/workload.h"

struct trace_files {
  char **paths;  /* by launch: final names; NULL without tracing */
  char **staged; /* by launch: names while they are written; NULL without tracing */
  char *staging; /* the folder of the latter; NULL: there is none */
  size_t count;
  bool keeps_staging; /* it is the pool's */
  bool to_stdout;     /* both names are TRACE_TO_STDOUT, and no file is made */
};

/* Names the files as the options say. The folder is made when it is missing. */
int trace_files_name(struct trace_files *files, const struct workload *workload, const struct emulate_options *options,
                     struct error *error);
/* Gives the first `count` files their final names. When that fails none of them stays. */
int trace_files_publish(const struct trace_files *files, size_t count, struct error *error);
/* Removes what was not published, and frees. */
void trace_files_clear(struct trace_files *files);

#endif

/* The sources and kernels of a workload. Each is translated once, and launches share it. Private to tracegen.
 *
 * Ownership: everything lives as long as the process. Errors: as front_end.h says. Threads: one. */
#ifndef TRACEGEN_PROCESS_BUILDS_H
#define TRACEGEN_PROCESS_BUILDS_H

#include <stdbool.h>
#include <stddef.h>

#include "tracegen/front/front_end.h"
#include "tracegen/process/worker_main.h"
#include "workload/workload.h"

struct built_kernel {
  const struct front_module *module;
  struct kernel_purpose purpose;
  struct kernel_program *program;
};

struct builds {
  const struct workload *workload;
  const struct index_ranges *samples; /* by launch: the work-groups that run; an empty set: all */
  const struct front_end *front_end;
  struct arena *arena;
  bool checks;     /* kernels of the workload's checks will be asked for, too */
  bool persistent; /* launches that are not known yet will share the kernels */
  struct front_module *modules;
  struct built_kernel *kernels;
  size_t module_count, kernel_count;
  const char *begun; /* the source that the front end is translating; NULL: none */
};

/* Starts translating the source of the task's workload. */
int builds_begin(struct builds *builds, const struct worker_task *task, struct error *error);
/* Returns the launch's kernel of the source `path`; NULL: error. As soon as a source is translated, the translation of
 * the next check's source starts. */
const struct kernel_program *builds_program(struct builds *builds, const char *path,
                                            const struct workload_launch *launch, struct kernel_purpose purpose,
                                            struct error *error);

/* Waits for the sources of all checks but one, whose translation may go on: after that no translator has to be started.
 */
int builds_fetch_sources(struct builds *builds, struct error *error);

#endif

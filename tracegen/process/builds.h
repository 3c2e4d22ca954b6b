/* The sources and kernels of a workload, each compiled once; launches share them. Private to tracegen.
 *
 * Ownership: they live as long as the process. Errors: as front_end.h and kernel_abi.h say. Threads: one. */
#ifndef TRACEGEN_BUILDS_H
#define TRACEGEN_BUILDS_H

#include <stdbool.h>
#include <stddef.h>

#include "tracegen/abi/arena.h"
#include "tracegen/abi/kernel_abi.h"
#include "workload/workload.h"

struct built_source {
  const char *path;
  char *bitcode;
  size_t length;
};

struct built_kernel {
  const struct built_source *source;
  struct kernel_purpose purpose;
  struct kernel_program *program;
};

struct built {
  const struct workload *workload;
  struct arena *arena;
  bool checks; /* their kernels, too, will be asked for */
  bool lasts;  /* launches that are not known yet will share the kernels; set behind built_begin */
  struct built_source *sources;
  struct built_kernel *kernels;
  size_t source_count, kernel_count;
  const char *begun; /* the source that clang compiles; NULL: none */
};

/* Starts compiling the workload's source. */
int built_begin(struct built *built, const struct workload *workload, struct arena *arena, bool checks,
                struct error *error);
/* The launch's kernel, of the source `path`. As soon as a source is compiled, that of the next check is begun. */
const struct kernel_program *built_program(struct built *built, const char *path, const struct workload_launch *launch,
                                           struct kernel_purpose purpose, struct error *error);

#endif

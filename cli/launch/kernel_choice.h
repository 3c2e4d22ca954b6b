/* Finds the launches that a kernel file stands for: the kernels that were asked for, in a work-group size that was
 * given or is chosen, with the arguments in the order of the kernel's parameters.
 *
 * The source is compiled for this only where something was left out: the kernel, the work-group size, or the order of
 * arguments that have names. Ownership: kernel_choices_make allocates, kernel_choices_clear frees. Errors: a source
 * that does not compile; no kernel of a name; an option that is missing, with the kernels that there are. Cost: about
 * 0.1 s a kernel where it is compiled. Threads: forks, so call it from a process that has one thread. */
#ifndef CLI_KERNEL_CHOICE_H
#define CLI_KERNEL_CHOICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "cli/launch/kernel_file.h"
#include "tracegen/front/front_end.h"

struct kernel_choice {
  char *name; /* "file.kernel", with ".8x8" where work-group sizes are swept */
  char *text; /* of a workload's file */
};

struct kernel_choices {
  struct kernel_choice *items;
  size_t count;
};

struct kernel_choice_request {
  const struct kernel_file *file;
  const struct front_end *front_end;
  bool all;             /* without --kernel: all kernels of the file; else it has to have one */
  uint64_t sweep_local; /* every work-group size that divides the global size, up to so many work-items; 0: one size */
};

enum { SWEEP_LOCAL_MOST = 1000 }; /* work-group sizes of a kernel */

int kernel_choices_make(const struct kernel_choice_request *request, struct kernel_choices *out, struct error *error);
void kernel_choices_clear(struct kernel_choices *choices);

#endif

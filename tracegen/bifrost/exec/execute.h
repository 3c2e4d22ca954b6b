/* Runs compute jobs of Bifrost GPUs: every work-item, on the GPU's memory.
 *
 * Shapes:    work-items of a work-group are dealt to warps in order of linear local id (x fastest), warp_lanes to each.
 *            Lanes whose program counters differ run apart, those of the smallest one first, until they meet again.
 * Ownership: a runner borrows shader and dispatch until bifrost_runner_destroy.
 * Errors:    ERROR_WORK with clause and work-item: an access outside of memory, an operation that is not supported, a
 *            barrier that only some of a warp's work-items reach, a warp that runs more clauses than allowed.
 * Cost:      some 10 ns for each tuple of a warp. Threads: a runner belongs to one thread; runners of one dispatch may
 *            run at the same time, and share the GPU's memory as cores do (atomic operations are atomic). */
#ifndef TRACEGEN_BIFROST_EXECUTE_H
#define TRACEGEN_BIFROST_EXECUTE_H

#include "tracegen/bifrost/exec/listener.h"

struct bifrost_runner;

struct bifrost_run_options {
  const struct bifrost_listener *listener; /* NULL: nobody listens */
  uint64_t most_clauses;                   /* that a warp may run; 0: any number */
};

int bifrost_runner_create(const struct bifrost_shader *shader, const struct bifrost_dispatch *dispatch,
                          const struct bifrost_run_options *options, struct bifrost_runner **out, struct error *error);
/* Runs the work-group of linear id `group` (x fastest). */
int bifrost_runner_run(struct bifrost_runner *runner, uint64_t group, struct error *error);
void bifrost_runner_destroy(struct bifrost_runner *runner);

/* Decodes the dispatch's shader and runs all of its work-groups in order, on this thread. */
int bifrost_execute(const struct bifrost_dispatch *dispatch, const struct bifrost_run_options *options,
                    struct error *error);

#endif

/* Launches of a captured program whose trace is that of an earlier launch: the same kernel with the same sizes, on
 * buffers of the same sizes in the same places, and the same in all that decides which blocks run and which addresses
 * are accessed (tracegen/abi/launch_inputs.h). Such a launch needs no emulation. Private to program/capture.
 *
 * Ownership: starts from zero; repeats_clear frees. Errors: where memory runs out a launch is not known again.
 * Cost: a hash of the launch's arguments. Threads: one. */
#ifndef TRACEGEN_PROGRAM_CAPTURE_REPEATS_H
#define TRACEGEN_PROGRAM_CAPTURE_REPEATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "tracegen/abi/launch_inputs.h"
#include "tracegen/process/emulation.h"
#include "tracegen/process/worker_pool.h"
#include "workload/workload.h"

/* An emulated launch. */
struct earlier_launch {
  size_t index;    /* in the capture */
  uint64_t number; /* of the program's launches */
  char *trace_path;
  uint64_t work_item_instructions;
  struct launch_inputs inputs; /* what its trace depends on */
};

/* A launch that is looked for or kept. */
struct repeat_query {
  const struct workload *workload; /* with one launch */
  const char *groups;              /* the work-groups that are emulated; NULL: all */
  const uint64_t *contents;        /* by buffer: the number of its contents before the launch */
};

struct repeats {
  json_t *kernels; /* key of a kernel with the sizes of its launches and buffers -> its number; NULL: none yet */
  struct launch_inputs *inputs; /* by this number */
  size_t kernel_count;
  json_t *known; /* key of a launch, and "#" with its number among the program's -> its place in `launches` */
  struct earlier_launch *launches;
  size_t launch_count;
};

/* Returns an emulated launch that has the same trace, or NULL. */
const struct earlier_launch *repeats_find(const struct repeats *repeats, const struct repeat_query *query);
/* Returns the emulated launch of this number, or NULL. */
const struct earlier_launch *repeats_find_number(const struct repeats *repeats, uint64_t number);
/* Keeps an emulated launch. Its path is copied. */
void repeats_keep(struct repeats *repeats, const struct repeat_query *query, const struct earlier_launch *launch);
/* Makes the trace of the workload's launch, "<directory>/<workload>.rtrace", of that of the earlier launch, and fills
 * *out, which emulate_result_clear frees. -1: the earlier trace is not there any more, or cannot be copied. */
int repeats_copy_trace(const struct earlier_launch *earlier, const struct workload *workload, const char *directory,
                       struct worker_pool *pool, struct emulate_result *out, struct error *error);
void repeats_clear(struct repeats *repeats);

#endif

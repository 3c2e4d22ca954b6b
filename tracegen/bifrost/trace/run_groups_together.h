/* The work-groups of a job on several threads, and their records in order. Private to bifrost/trace.
 *
 * The trace does not depend on the number of threads: records are written in order of the work-groups. All threads see
 * each other's stores, in no defined order.
 * Ownership: borrows all. Errors: of the work-groups that fail, that of the first one is reported. */
#ifndef TRACEGEN_BIFROST_TRACE_RUN_GROUPS_TOGETHER_H
#define TRACEGEN_BIFROST_TRACE_RUN_GROUPS_TOGETHER_H

#include "tracegen/bifrost/exec/execute.h"
#include "tracegen/bifrost/trace/record_items.h"

struct group_batches {
  const struct bifrost_dispatch *dispatch;
  const struct bifrost_shader *shader;
  const struct machine_code *code; /* for records */
  struct trace_writer *writer;     /* NULL: there are no records */
  const uint32_t *groups;          /* [count], ascending; NULL: all below count */
  uint64_t count;
  unsigned jobs;
  uint64_t most_clauses; /* of a warp; 0: any number */
  double end_s;          /* by clock_seconds; the job is stopped then. 0: never */
};

/* Returns 1 where the time is over. */
int run_groups_together(const struct group_batches *b, struct error *error);

#endif

/* The counts that one execution of a clause adds. Private to bifrost/statistics. */
#ifndef TRACEGEN_BIFROST_STATISTICS_CLAUSE_COUNTS_H
#define TRACEGEN_BIFROST_STATISTICS_CLAUSE_COUNTS_H

#include "tracegen/bifrost/exec/shader.h"
#include "tracegen/bifrost/statistics/job_statistics.h"

struct clause_counts {
  uint32_t empty_slots[2];        /* by enum bifrost_unit */
  uint32_t operands[PLACE_COUNT]; /* of one work-item */
};

/* Counts a clause of the dispatch's shader. */
struct clause_counts clause_count(const struct bifrost_dispatch *dispatch, const struct bifrost_shader *shader,
                                  const struct shader_clause *clause);

#endif

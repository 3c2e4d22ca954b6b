/* Statistics of a recording's jobs, counted while they run: clauses, tuples and slots, sources of operands, messages,
 * divergence, pages.
 *
 * Units: counts. Those of clauses, tuples and slots are of warps (a warp executes a clause once for all of its lanes);
 * those of operands and bytes are of work-items. "In the code" counts each clause once.
 * Ownership: bifrost_statistics_run runs the jobs on the recording's memory, which changes; bifrost_statistics_clear
 * frees what *out points to.
 * Errors: those of running the jobs. Cost: that of running the jobs. Threads: none is shared.
 * Source: the quantities of Kaszyk, PhD thesis, University of Edinburgh, chapter 4.5. */
#ifndef TRACEGEN_BIFROST_STATISTICS_JOB_STATISTICS_H
#define TRACEGEN_BIFROST_STATISTICS_JOB_STATISTICS_H

#include "trace/code.h"
#include "tracegen/bifrost/isa/clause.h"
#include "tracegen/bifrost/record/job_recording.h"

/* X(enumerator, "name", "meaning") */
#define OPERAND_PLACES(X)                                                                                              \
  X(PLACE_REGISTER_READ, "register_reads", "registers read by instructions and by messages")                           \
  X(PLACE_REGISTER_WRITE, "register_writes", "registers written by instructions and by messages")                      \
  X(PLACE_TEMPORARY, "temporaries", "results of the tuple before, or of the other unit, without a register")           \
  X(PLACE_UNIFORM, "uniforms", "fast access uniforms: arguments and constants of the launch")                          \
  X(PLACE_CONSTANT, "constants", "constants in the clause, and zero")                                                  \
  X(PLACE_SPECIAL, "special", "values of the warp, such as the lane's number")

enum operand_place {
#define X(id, name, meaning) id,
  OPERAND_PLACES(X)
#undef X
      PLACE_COUNT
};

#define FLOW_NOWHERE UINT32_MAX       /* no branch, or nothing behind the clause */
#define FLOW_ENDS    (UINT32_MAX - 1) /* the work-items end */

/* The control flow from a clause: a node of the graph and its two edges. Clauses have the numbers of listings. */
struct clause_flow {
  uint32_t job, clause, tuples;
  uint32_t target, next;        /* clauses, FLOW_NOWHERE or FLOW_ENDS */
  uint64_t warps, lanes, taken; /* executions by warps and by work-items; work-items that branch to the target */
  uint64_t divergent;           /* executions by warps of which some lanes branch and some do not */
};

struct bifrost_statistics {
  uint64_t jobs, groups, warps, work_items;
  /* In the code, and executed by warps. */
  uint64_t code_clauses, code_bytes, clauses, tuples;
  uint64_t code_clauses_of_size[CLAUSE_MAX_TUPLES + 1], clauses_of_size[CLAUSE_MAX_TUPLES + 1]; /* by tuples */
  uint64_t slots[2], empty_slots[2]; /* by enum bifrost_unit, executed by warps */
  uint64_t active_lanes;             /* of all executed clauses together */
  uint64_t lanes;                    /* that warps of full width would have had in them */
  uint64_t operands[PLACE_COUNT];
  uint64_t messages[MESSAGE_COUNT]; /* executed by warps */
  uint64_t waits;                   /* clauses behind which the warp waits for a message */
  uint64_t accesses[SPACE_COUNT], bytes[SPACE_COUNT];
  uint64_t branches, divergent_branches; /* executed by warps; some lanes went and some stayed */
  uint64_t pages;                        /* of 4 KiB of global memory, accessed by loads, stores and atomics */
  struct clause_flow *flow;              /* [flow_count]: the clauses of all jobs, in order */
  size_t flow_count;
};

int bifrost_statistics_run(const struct bifrost_recording *recording, struct bifrost_statistics *out,
                           struct error *error);
void bifrost_statistics_clear(struct bifrost_statistics *statistics);
/* Returns the name, as "register_reads". */
const char *operand_place_name(enum operand_place place);

#endif

/* Remarks on one kernel on one GPU: what its counts prove about why it takes its time, where, and what to try.
 *
 * A remark is made where the cost that it names is a sizeable part of the kernel's cycles; the limits stand in
 * remarks_making.h. Remarks on memory accesses need an observer of the replay. A remark on waiting or on queues is left
 * out where remarks on accesses of the same line explain most of it.
 * Ownership: remarks_make fills, remarks_clear frees. Errors: out of memory. Cost: O(paths + n log n operations).
 * Threads: any. */
#ifndef DSE_REMARKS_H
#define DSE_REMARKS_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "model/params/gpu.h"
#include "model/result/result.h"
#include "model/timeline/observer.h"
#include "trace/trace.h"

/* A row of the kinds is X(enumerator, "name", "meaning"). */
#define REMARK_KINDS(X)                                                                                                \
  X(REMARK_PARTIAL_WARPS, "partial_warps", "the size of work-groups leaves lanes of warps empty")                      \
  X(REMARK_SUB_GROUPS, "sub_groups", "the trace has sub-groups of another size than the GPU's warps")                  \
  X(REMARK_LOCAL_MEMORY, "local_memory", "a work-group needs more local memory than the GPU gives one")                \
  X(REMARK_FEW_GROUPS, "few_work_groups", "there is not enough work for all cores")                                    \
  X(REMARK_OCCUPANCY, "occupancy", "few work-items are resident while warps wait for memory")                          \
  X(REMARK_IDLE, "idle", "engines have no work although there are enough work-groups")                                 \
  X(REMARK_LAUNCH, "launch", "the launch takes most of the time")                                                      \
  X(REMARK_STRIDE, "stride", "consecutive work-items access different lines")                                          \
  X(REMARK_SCATTERED, "scattered", "work-items of a warp access lines without a pattern")                              \
  X(REMARK_BANK_CONFLICTS, "bank_conflicts", "work-items of a warp use different words of one bank of local memory")   \
  X(REMARK_PRIVATE, "private_memory", "variables of a work-item lie in memory")                                        \
  X(REMARK_SPILLS, "spills", "a work-item needs more registers than it has")                                           \
  X(REMARK_DOUBLES, "doubles", "64-bit floats, which the GPU computes slowly or not at all")                           \
  X(REMARK_DIVISIONS, "divisions", "divisions and remainders, which are sequences of operations")                      \
  X(REMARK_FUNCTIONS, "functions", "functions that take many issue slots")                                             \
  X(REMARK_ATOMICS, "atomics", "warps wait for atomics")                                                               \
  X(REMARK_DIVERGENCE, "divergence", "work-items of a warp take different paths")                                      \
  X(REMARK_BARRIERS, "barriers", "warps wait for each other at barriers")                                              \
  X(REMARK_MISSES, "cache_misses", "warps wait for lines that L1 does not hold")                                       \
  X(REMARK_BANDWIDTH, "bandwidth", "accesses queue for a rate")                                                        \
  X(REMARK_ARITHMETIC, "arithmetic", "engines issue most of the time")

enum remark_kind {
#define X(id, name, meaning) id,
  REMARK_KINDS(X)
#undef X
      REMARK_KIND_COUNT
};

struct remark {
  enum remark_kind kind;
  uint32_t line;               /* line of the source; 0: none */
  double cycles;               /* of the kernel that the remark is about; 0: not known */
  double share;                /* these cycles as a share of the kernel's */
  char text[240], advice[240]; /* what was found; what to try */
};

struct remarks {
  struct remark *items; /* those without a cost first, then by cost, the largest first */
  size_t count;
};

const char *remark_kind_name(enum remark_kind kind);
/* `observer` is that of the replay; NULL, or without operations: it was not observed. */
int remarks_make(const struct trace *trace, const struct gpu_spec *spec, const struct sim_result *result,
                 const struct observer *observer, struct remarks *out, struct error *error);
void remarks_clear(struct remarks *remarks);

#endif

/* Remarks on one kernel on one GPU: what its counts prove about why it takes its time, in sentences.
 *
 * A remark is made where the cost that it names is a sizeable part of the kernel's cycles; the limits stand in
 * remarks.c. Remarks on bank conflicts and on accesses without a pattern need an observer of the replay.
 * Ownership: remarks_make fills, remarks_clear frees. Errors: out of memory. Cost: O(paths + lines x operations).
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
  X(REMARK_FEW_GROUPS, "few_work_groups", "there is not enough work for all cores")                                    \
  X(REMARK_OCCUPANCY, "occupancy", "few work-items are resident while warps wait for memory")                          \
  X(REMARK_STRIDE, "stride", "consecutive work-items access different lines")                                          \
  X(REMARK_SCATTERED, "scattered", "work-items of a warp access lines without a pattern")                              \
  X(REMARK_BANK_CONFLICTS, "bank_conflicts", "work-items of a warp use different words of one bank of local memory")   \
  X(REMARK_ATOMICS, "atomics", "atomics wait for each other")                                                          \
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
  uint32_t line; /* line of the source; 0: none */
  double cycles; /* of the kernel that the remark is about; 0: not known */
  char text[240];
};

struct remarks {
  struct remark *items; /* in the order of the kinds; of stride, scattered and bank_conflicts one for each line */
  size_t count;
};

const char *remark_kind_name(enum remark_kind kind);
/* `observer` is that of the replay; NULL, or without operations: it was not observed. */
int remarks_make(const struct trace *trace, const struct gpu_spec *spec, const struct sim_result *result,
                 const struct observer *observer, struct remarks *out, struct error *error);
void remarks_clear(struct remarks *remarks);

#endif

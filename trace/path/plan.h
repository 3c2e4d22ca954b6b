/* How the address list of a work-item that ran a path is laid out, so that it can be tested for affinity without being
 * copied. Internal to trace/ (writer only).
 *
 * A leaf's execution with counters i stands at leaf_offset + span . i. The list is affine (every leaf's address is a
 * base plus strides times counters) if and only if all second differences along loops and all mixed differences of
 * two nested loops vanish; each is one flat pass of the form a[i] - a[i-p] - a[i-q] + a[i-p-q] == 0. */
#ifndef TRACE_PLAN_H
#define TRACE_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/path/path_names.h"
#include "trace/path/pool.h"
#include "trace/trace.h"

struct plan_difference {
  uint32_t first, count, p, q; /* below PLAN_MOST_ADDRESSES */
};

/* One stride: leaf's address at `offset + span` minus that at `offset`. */
struct plan_stride {
  uint32_t offset, span;
};

struct plan {
  /* What every work-item needs stands together. */
  const uint16_t *blocks; /* the raw sequence, where it is short; else NULL */
  uint64_t block_count;   /* the path's block_executions, */
  uint64_t op_executions; /* and its others */
  size_t address_count;
  uint64_t group_serial; /* the work-group in which `cohort` (index) ran this path; kept by the writer */
  uint32_t cohort;
  uint32_t leaf_count; /* the path's */
  uint32_t number;     /* in its table */
  bool flat;           /* no loops: leaf k's only address is number k */
  bool told;           /* to the writer, by a recorder */
  bool named;          /* by the writer itself, while its names have forgotten all so often: */
  uint64_t forgotten;
  struct path_name name;
  uint32_t loop_leaf_count;
  uint32_t *loop_leaves;  /* [loop_leaf_count]: leaves inside loops, the only ones that can be irregular */
  uint32_t *leaf_op;      /* index into trace_code.ops */
  uint32_t *first_stride; /* [leaf_count + 1]: strides of leaf k are [first_stride[k], first_stride[k + 1]) */
  uint32_t *leaf_offset, *leaf_executions;
  struct plan_stride *strides;
  struct plan_difference *differences;
  size_t difference_count;
  uint64_t barrier_executions;
  const struct trace_path *path;
  uint64_t hash; /* of the raw block sequence */
  size_t memory;
};

#define PLAN_MOST_ADDRESSES                                                                                            \
  UINT32_MAX /* of the path's work-items: plans are read for each of them, so they are small */

/* Lies in the pool, with a copy of the raw sequence, unless that is NULL. NULL when memory runs out. */
struct plan *plan_create(const struct trace_code *code, const struct trace_path *path, uint32_t number, uint64_t hash,
                         const uint16_t *blocks, struct pool *pool);

/* Whether all leaves are affine. */
bool plan_all_affine(const struct plan *plan, const uint32_t *addresses);
/* Whether leaf `leaf` follows base (its first address) and `strides`. */
bool plan_leaf_follows(const struct plan *plan, uint32_t leaf, const uint32_t *addresses, const uint32_t *strides);
/* The leaf's addresses in order of execution; `to` holds leaves[leaf].executions. */
void plan_leaf_gather(const struct plan *plan, uint32_t leaf, const uint32_t *addresses, uint32_t *to);
/* The same from base and strides. */
void plan_leaf_expand(const struct plan *plan, uint32_t leaf, uint32_t base, const uint32_t *strides, uint32_t *to);

#endif

/* The layout of the address list of a work-item that ran a path, by which the list can be tested for affinity without
 * copying it. Internal to trace/.
 *
 * The address of a site's execution with counters i stands at index site_offset + span . i of the list. The list is
 * affine (each site's address is a base plus strides times counters) if and only if all second differences along loops
 * and all mixed differences of two nested loops are zero. Each is one pass over the list of the form a[i] - a[i-p] -
 * a[i-q] + a[i-p-q]. */
#ifndef TRACE_PLAN_H
#define TRACE_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/path/path_names.h"
#include "trace/path/pool.h"
#include "trace/trace.h"

struct plan_difference {
  uint32_t first, count, p, q; /* each is below PLAN_MOST_ADDRESSES */
};

/* The indices of one stride: the address at `offset + span` minus that at `offset`. */
struct plan_stride {
  uint32_t offset, span;
};

struct plan {
  /* The members that are read for every work-item stand first. */
  const uint16_t *blocks; /* the sequence of blocks if it is short, else NULL */
  uint64_t block_count;   /* this and the next have the meaning of those in struct trace_path */
  uint64_t op_executions;
  size_t address_count;
  uint64_t group_serial; /* the work-group in which `cohort` (index) ran this path; kept by the writer */
  uint32_t cohort;
  uint32_t site_count; /* the path's number of sites */
  uint32_t number;     /* number of the plan in its table */
  bool flat;           /* there are no loops, so the only address of site k is element k */
  bool announced;      /* the encoder has announced it to the writer */
  bool named;          /* the writer has given it `name`, valid while the names' `emptied` equals the next member */
  uint64_t emptied;
  struct path_name name;
  uint32_t loop_site_count;
  uint32_t *loop_sites;   /* [loop_site_count]: sites inside loops; only they can be irregular */
  uint32_t *site_op;      /* index into trace_code.ops */
  uint32_t *first_stride; /* [site_count + 1]: strides of site k are [first_stride[k], first_stride[k + 1]) */
  uint32_t *site_offset, *site_executions;
  struct plan_stride *strides;
  struct plan_difference *differences;
  size_t difference_count;
  uint64_t barrier_executions;
  const struct trace_path *path;
  uint64_t hash; /* hash of the sequence */
  size_t memory; /* bytes of the plan and its path */
};

/* The largest number of addresses of a work-item. Plans are read for each work-item, so their numbers have 32 bits. */
#define PLAN_MOST_ADDRESSES UINT32_MAX

/* Returns a plan in memory of the pool, or NULL when memory ran out. The plan gets a copy of the sequence `blocks`
 * unless that is NULL. */
struct plan *plan_create(const struct trace_code *code, const struct trace_path *path, uint32_t number, uint64_t hash,
                         const uint16_t *blocks, struct pool *pool);

/* Returns whether the addresses of all sites are affine. */
bool plan_all_affine(const struct plan *plan, const uint32_t *addresses);
/* Returns whether the site's addresses are its first address plus `strides` times the counters. */
bool plan_site_follows(const struct plan *plan, uint32_t site, const uint32_t *addresses, const uint32_t *strides);
/* Copies the site's addresses in order of execution; `to` has room for site_executions[site] of them. */
void plan_site_gather(const struct plan *plan, uint32_t site, const uint32_t *addresses, uint32_t *to);
/* Computes the addresses that plan_site_gather copies, from the base and the strides of an affine site. */
void plan_site_expand(const struct plan *plan, uint32_t site, uint32_t base, const uint32_t *strides, uint32_t *to);

#endif

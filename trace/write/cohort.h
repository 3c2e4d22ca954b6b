/* The work-items of the work-group being recorded that ran one path: bases and common strides while all their leaves
 * are affine, from the first that is not on all addresses. Internal to trace/ (writer only). */
#ifndef TRACE_COHORT_H
#define TRACE_COHORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/path/plan.h"
#include "trace/write/row.h"

struct cohort {
  struct plan *plan; /* borrowed from the path table */
  uint32_t *items;   /* local ids in order of recording */
  uint32_t count, item_capacity;
  uint32_t *bases; /* [count][leaf_count]: first address of each leaf */
  size_t base_capacity;
  uint32_t *strides; /* [first_stride[leaf_count]], those of the first item */
  size_t stride_capacity;
  bool any_raw; /* some item did not run with these strides; items [first_raw, count) are kept whole: */
  uint32_t first_raw;
  uint32_t *addresses; /* [count - first_raw][address_count], as they were recorded */
  size_t address_capacity;
  bool in_order; /* items came in order of local id */
};

/* For a new work-group; keeps memory for reuse. False: out of memory. */
bool cohort_begin(struct cohort *cohort, struct plan *plan);
bool cohort_add(struct cohort *cohort, uint32_t local_id, const uint32_t *addresses);
/* For `more` items. False: out of memory. */
bool cohort_room(struct cohort *cohort, uint32_t more);
/* All items of a row but the first, which was the last to be added. False: nothing was done, each needs cohort_add. */
bool cohort_add_row(struct cohort *cohort, const struct trace_row *row);
/* Whether some item's addresses of the leaf do not follow the cohort's strides. */
bool cohort_leaf_is_raw(const struct cohort *cohort, uint32_t leaf);
/* A leaf's addresses in order of execution, `span` places apart. */
struct leaf_addresses {
  const uint32_t *at;
  size_t span;
};
/* Of the item recorded as number `k`: where they were recorded or, if they do not lie evenly there, in `room`. */
struct leaf_addresses cohort_leaf_addresses(const struct cohort *cohort, uint32_t k, uint32_t leaf, uint32_t *room);
/* Bytes that it holds. */
size_t cohort_memory(const struct cohort *cohort);
void cohort_clear(struct cohort *cohort);

#endif

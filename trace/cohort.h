/* The work-items of the work-group being recorded that ran one path: their addresses, raw only where a leaf is not
 * affine. Internal to trace/ (writer only). */
#ifndef TRACE_COHORT_H
#define TRACE_COHORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/plan.h"
#include "trace/row.h"

/* Addresses of a leaf that some item did not run with the cohort's strides: items [first_item, count). */
struct cohort_raw {
  bool on;
  uint32_t first_item;
  uint32_t *values;
  size_t count, capacity;
};

struct cohort {
  struct plan *plan; /* borrowed from the path table */
  uint32_t *items;   /* local ids in order of recording */
  uint32_t count, item_capacity;
  uint32_t *bases; /* [count][leaf_count]: first address of each leaf */
  size_t base_capacity;
  uint32_t *strides; /* [first_stride[leaf_count]], those of the first item */
  size_t stride_capacity;
  struct cohort_raw *raw;         /* [leaf_count]; only when any_raw */
  size_t raw_capacity, raw_bytes; /* raw_bytes: of all their values */
  bool any_raw;
  bool in_order; /* items came in order of local id */
};

/* For a new work-group; keeps memory for reuse. False: out of memory. */
bool cohort_begin(struct cohort *cohort, struct plan *plan);
bool cohort_add(struct cohort *cohort, uint32_t local_id, const uint32_t *addresses);
/* For `more` items. False: out of memory. */
bool cohort_room(struct cohort *cohort, uint32_t more);
/* All items of a row but the first, which was the last to be added. False: nothing was done, each needs cohort_add. */
bool cohort_add_row(struct cohort *cohort, const struct trace_row *row);
/* Whether the leaf goes on raw. */
static inline bool cohort_leaf_is_raw(const struct cohort *cohort, uint32_t leaf) {
  return cohort->any_raw && cohort->raw[leaf].on;
}
/* For all leaves at once: none is raw. False: out of memory. */
bool cohort_begin_raw(struct cohort *cohort);
/* All addresses of the item recorded as number `k`, in order of execution. */
void cohort_leaf_addresses(const struct cohort *cohort, uint32_t k, uint32_t leaf, uint32_t *to);
/* Bytes that it holds. */
size_t cohort_memory(const struct cohort *cohort);
void cohort_clear(struct cohort *cohort);

#endif

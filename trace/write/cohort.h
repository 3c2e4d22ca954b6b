/* The work-items of a work-group being recorded that ran one path. Bases and common strides are enough while all their
 * sites are affine; from the first work-item on whose sites are not, all addresses are kept. Internal to trace/. */
#ifndef TRACE_COHORT_H
#define TRACE_COHORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/path/plan.h"
#include "trace/write/affine_items.h"

struct cohort {
  struct plan *plan; /* borrowed from the path table */
  uint32_t *items;   /* local ids in order of recording */
  uint32_t count, item_capacity;
  uint32_t *bases; /* [count][site_count]: first address of each site */
  size_t base_capacity;
  uint32_t *strides; /* [first_stride[site_count]], strides of the first item */
  size_t stride_capacity;
  bool any_raw; /* some work-item has other strides; all addresses of work-items [first_raw, count) are kept */
  uint32_t first_raw;
  uint32_t *addresses; /* [count - first_raw][address_count], as they were recorded */
  size_t address_capacity;
  bool in_order; /* items were recorded in order of local id */
};

/* Empties the cohort for a new work-group; its memory is used again. Returns false when memory ran out. */
bool cohort_begin(struct cohort *cohort, struct plan *plan);
/* Adds a work-item with its addresses. Returns false when memory ran out. */
bool cohort_add(struct cohort *cohort, uint32_t local_id, const uint32_t *addresses);
/* Makes room for `more` work-items. Returns false when memory ran out. */
bool cohort_room(struct cohort *cohort, uint32_t more);
/* Adds all affine work-items except the first, which was added last. Returns false if nothing was added; the caller
 * then adds each with cohort_add. */
bool cohort_add_affine(struct cohort *cohort, const struct trace_affine_items *items);
/* Returns whether the addresses of some work-item at the site do not follow the cohort's strides. */
bool cohort_site_is_raw(const struct cohort *cohort, uint32_t site);
/* The addresses of a site in order of execution; neighbours are `span` elements apart. */
struct site_addresses {
  const uint32_t *at;
  size_t span;
};
/* Returns the addresses of the work-item recorded as number `k` at a site. They lie where they were recorded, or are
 * copied to `room` if they are not equally spaced there. */
struct site_addresses cohort_site_addresses(const struct cohort *cohort, uint32_t k, uint32_t site, uint32_t *room);
/* Returns the bytes of memory that the cohort holds. */
size_t cohort_memory(const struct cohort *cohort);
void cohort_clear(struct cohort *cohort);

#endif

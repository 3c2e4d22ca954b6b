/* Sets of indices as ranges, in ascending order.
 *
 * Ownership: starts from zero; index_ranges_clear frees. Errors: false or NULL means that memory ran out. Cost: linear
 * in the ranges. Threads: none is shared. */
#ifndef BASE_INDEX_RANGES_H
#define BASE_INDEX_RANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct index_range {
  uint32_t first, last; /* both belong to the range */
};

struct index_ranges {
  struct index_range *list; /* ascending; between two ranges there is at least one index that is in neither */
  size_t count;
};

void index_ranges_clear(struct index_ranges *ranges);
/* Adds the indices from `first` to `last`, where `first` is not before the first index of the last range. */
bool index_ranges_add(struct index_ranges *ranges, uint32_t first, uint32_t last);
bool index_ranges_copy(struct index_ranges *to, const struct index_ranges *from);
/* Returns how many indices the set has. */
uint64_t index_ranges_total(const struct index_ranges *ranges);
/* Returns the indices one by one, in ascending order; the caller frees them. */
uint32_t *index_ranges_expand(const struct index_ranges *ranges);

#endif

#include "base/index_ranges.h"

#include <stdlib.h>

#include "base/array.h"

void index_ranges_clear(struct index_ranges *ranges) {
  free(ranges->list);
  *ranges = (struct index_ranges){0};
}

bool index_ranges_add(struct index_ranges *ranges, uint32_t first, uint32_t last) {
  struct index_range *before = ranges->count > 0 ? &ranges->list[ranges->count - 1] : NULL;
  if (before && (uint64_t)before->last + 1 >= first) {
    before->last = before->last > last ? before->last : last;
    return true;
  }
  if (!array_room_for_one(&ranges->list, ranges->count, sizeof *ranges->list))
    return false;
  ranges->list[ranges->count++] = (struct index_range){first, last};
  return true;
}

bool index_ranges_copy(struct index_ranges *to, const struct index_ranges *from) {
  *to = (struct index_ranges){0};
  for (size_t i = 0; i < from->count; i++)
    if (!index_ranges_add(to, from->list[i].first, from->list[i].last))
      return false;
  return true;
}

uint64_t index_ranges_total(const struct index_ranges *ranges) {
  uint64_t total = 0;
  for (size_t i = 0; i < ranges->count; i++)
    total += (uint64_t)ranges->list[i].last - ranges->list[i].first + 1;
  return total;
}

uint32_t *index_ranges_expand(const struct index_ranges *ranges) {
  uint32_t *indices = malloc((index_ranges_total(ranges) + 1) * sizeof *indices);
  size_t count = 0;
  for (size_t i = 0; i < ranges->count && indices; i++)
    for (uint64_t index = ranges->list[i].first; index <= ranges->list[i].last; index++)
      indices[count++] = (uint32_t)index;
  return indices;
}

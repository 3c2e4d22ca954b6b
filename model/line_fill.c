#include "model/line_fill.h"

void fills_drop(struct line_fill *fills, uint32_t *count, uint64_t now) {
  uint32_t left = 0;
  for (uint32_t i = 0; i < *count; i++)
    if (fills[i].comes > now)
      fills[left++] = fills[i];
  *count = left;
}

uint64_t fills_find(const struct line_fill *fills, uint32_t count, uint32_t line) {
  for (uint32_t i = 0; i < count; i++)
    if (fills[i].line == line)
      return fills[i].comes;
  return 0;
}

static uint32_t still_under_way(const struct line_fill *fills, uint32_t count, uint64_t time) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < count; i++)
    n += fills[i].comes > time;
  return n;
}

uint64_t fills_room(const struct line_fill *fills, uint32_t count, uint32_t limit, uint32_t need) {
  uint32_t most = need < limit ? limit - need : 0; /* so many may be under way beside them */
  uint64_t earliest = UINT64_MAX;
  if (count <= most)
    return 0;
  for (uint32_t i = 0; i < count; i++)
    if (fills[i].comes < earliest && still_under_way(fills, count, fills[i].comes) <= most)
      earliest = fills[i].comes;
  return earliest;
}

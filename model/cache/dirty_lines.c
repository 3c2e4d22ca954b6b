#include "model/cache/dirty_lines.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "model/cache/cache.h"

bool line_set_init(struct line_set *set, uint32_t most) {
  *set = (struct line_set){.bits = 1};
  while ((UINT64_C(1) << set->bits) < 2 * (uint64_t)most)
    set->bits++;
  set->slots = malloc(sizeof *set->slots << set->bits);
  if (set->slots)
    memset(set->slots, 0xff, sizeof *set->slots << set->bits);
  return set->slots;
}

void line_set_clear(struct line_set *set) {
  free(set->slots);
  *set = (struct line_set){0};
}

static uint32_t home_of(const struct line_set *set, uint32_t line) {
  return (uint32_t)((line * UINT64_C(0x9e3779b97f4a7c15)) >> (64 - set->bits));
}

static uint32_t next_slot(const struct line_set *set, uint32_t at) {
  return (at + 1) & (uint32_t)((UINT64_C(1) << set->bits) - 1);
}

/* Where the line is, or the empty slot where it would be. */
static uint32_t slot_of(const struct line_set *set, uint32_t line) {
  uint32_t at = home_of(set, line);
  while (set->slots[at] != line && set->slots[at] != CACHE_NO_LINE)
    at = next_slot(set, at);
  return at;
}

void line_set_add(struct line_set *set, uint32_t line) {
  uint32_t at = slot_of(set, line);
  if (set->slots[at] == line)
    return;
  set->slots[at] = line;
  set->count++;
  assert(set->count <= UINT64_C(1) << (set->bits - 1));
}

/* Lines behind the gap move into it if their search would pass it. */
static void close_gap(struct line_set *set, uint32_t gap) {
  const uint32_t mask = (uint32_t)((UINT64_C(1) << set->bits) - 1);
  for (uint32_t at = next_slot(set, gap); set->slots[at] != CACHE_NO_LINE; at = next_slot(set, at)) {
    uint32_t home = home_of(set, set->slots[at]);
    if (((at - home) & mask) >= ((at - gap) & mask)) {
      set->slots[gap] = set->slots[at];
      gap = at;
    }
  }
  set->slots[gap] = CACHE_NO_LINE;
}

bool line_set_remove(struct line_set *set, uint32_t line) {
  uint32_t at = slot_of(set, line);
  if (set->slots[at] != line)
    return false;
  close_gap(set, at);
  set->count--;
  return true;
}

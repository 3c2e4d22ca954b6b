#include "model/memory/mshr.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

bool fills_init(struct mshrs *fills, uint32_t most) {
  *fills = (struct mshrs){.capacity = most};
  fills->lines = calloc(2 * (size_t)most, sizeof *fills->lines);
  fills->numbers = calloc(2 * (size_t)most, sizeof *fills->numbers);
  fills->comes = calloc(2 * (size_t)most, sizeof *fills->comes);
  return fills->lines && fills->numbers && fills->comes;
}

void fills_clear(struct mshrs *fills) {
  free(fills->lines);
  free(fills->numbers);
  free(fills->comes);
  *fills = (struct mshrs){0};
}

/* After so many additions that each is moved once at most for each of them. */
static void move_to_front(struct mshrs *fills) {
  memmove(fills->lines, fills->lines + fills->first, fills->count * sizeof *fills->lines);
  memmove(fills->numbers, fills->numbers + fills->first, fills->count * sizeof *fills->numbers);
  memmove(fills->comes, fills->comes + fills->first, fills->count * sizeof *fills->comes);
  fills->first = 0;
}

void fills_add(struct mshrs *fills, uint32_t line, uint64_t comes) {
  assert(fills->count < fills->capacity);
  if (fills->first + fills->count == 2 * fills->capacity)
    move_to_front(fills);
  uint32_t at = fills->first + fills->count++;
  for (; at > fills->first && fills->comes[at - 1] > comes; at--) {
    fills->lines[at] = fills->lines[at - 1];
    fills->numbers[at] = fills->numbers[at - 1];
    fills->comes[at] = fills->comes[at - 1];
  }
  fills->lines[at] = line;
  fills->numbers[at] = fills->added++;
  fills->comes[at] = comes;
}

/* A line is fetched twice at a time only for lanes that nothing coalesces, behind no cache. */
uint64_t fills_comes(const struct mshrs *fills, uint32_t line) {
  const uint32_t end = fills->first + fills->count;
  uint32_t found = end;
  for (uint32_t i = fills->first; i < end; i++)
    if (fills->lines[i] == line &&
        (found == end || fills->numbers[i] - fills->added < fills->numbers[found] - fills->added))
      found = i;
  assert(found < end);
  return fills->comes[found];
}

#include "model/retime/event_columns.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "trace/code.h"

/* Transposes the misses in blocks, so that they stay in the processor's caches. */
static void turn(struct event_columns *c, const struct event_classes *classes) {
  enum { BLOCK = 64 };
  for (uint32_t first = 0; first < c->count; first += BLOCK)
    for (uint32_t cache = 0; cache < c->width; cache++) {
      uint16_t *column = c->misses + (size_t)cache * c->count;
      for (uint32_t i = first; i < first + BLOCK && i < c->count; i++)
        column[i] = classes->misses[(size_t)i * c->width + cache];
    }
}

static struct event_column_sums sum(const struct event_columns *c, const struct event_classes *classes,
                                    uint32_t cache) {
  const uint16_t *misses = event_column(c, cache);
  struct event_column_sums sums = {0};
  for (uint32_t i = EVENT_FIRST_CLASS; i < c->count; i++) {
    const uint64_t lines = misses[i] * classes->events[i];
    sums.all += lines;
    sums.awaited += classes->classes[i].op_class == OP_STORE ? 0 : lines;
  }
  return sums;
}

/* Returns the number of the first cache with the same column. */
static uint32_t find_same(const struct event_columns *c, const uint64_t *hashes, uint32_t cache) {
  uint32_t i = 0;
  while (hashes[i] != hashes[cache] ||
         memcmp(event_column(c, i), event_column(c, cache), c->count * sizeof *c->misses) != 0)
    i++;
  return i;
}

bool event_columns_make(struct event_columns *c, const struct event_classes *classes) {
  const uint32_t width = classes->width;
  uint64_t *hashes = calloc(width + 1u, sizeof *hashes);
  *c = (struct event_columns){.count = classes->count,
                              .width = width,
                              .misses = malloc(((size_t)classes->count * width + 1) * sizeof *c->misses),
                              .same = calloc(width + 1u, sizeof *c->same),
                              .sums = calloc(width + 1u, sizeof *c->sums)};
  const bool room = hashes && c->misses && c->same && c->sums;
  if (room)
    turn(c, classes);
  for (uint32_t i = 0; i < width && room; i++) {
    c->sums[i] = sum(c, classes, i);
    hashes[i] = text_hash(TEXT_HASH_START, &c->sums[i], sizeof c->sums[i]);
    c->same[i] = find_same(c, hashes, i);
  }
  free(hashes);
  if (!room)
    event_columns_clear(c);
  return room;
}

void event_columns_clear(struct event_columns *c) {
  free(c->misses);
  free(c->same);
  free(c->sums);
  *c = (struct event_columns){0};
}

/* The classes of a recording by column: how many lines of an access of each class miss one watched cache.
 *
 * Made once, when a recording is whole; then what a GPU's events cost is found column by column (retime_prices.h).
 * Caches that missed alike have equal columns: the first of these stands for all. Ownership: event_columns_clear frees.
 * Cost: O(classes x caches). Threads: read-only once made. */
#ifndef MODEL_EVENT_COLUMNS_H
#define MODEL_EVENT_COLUMNS_H

#include <stddef.h>

#include "model/retime/event_class.h"

struct event_column_sums {
  uint64_t all;     /* misses of all events */
  uint64_t awaited; /* without those of stores, which nobody waits for */
};

struct event_columns {
  uint32_t count, width;          /* of classes, of caches */
  uint16_t *misses;               /* [width][count] */
  uint32_t *same;                 /* [width] */
  struct event_column_sums *sums; /* [width] */
};

/* False: out of memory. */
bool event_columns_make(struct event_columns *columns, const struct event_classes *classes);
void event_columns_clear(struct event_columns *columns);

static inline const uint16_t *event_column(const struct event_columns *columns, uint32_t cache) {
  return columns->misses + (size_t)cache * columns->count;
}

#endif

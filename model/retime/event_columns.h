/* The classes of a recording by column: a column holds, for one watched cache, the number of lines of an access of each
 * class that miss it.
 *
 * The columns are made once, when a recording is complete; the costs of a GPU's events are then found column by column
 * (retime_prices.h). Caches with the same misses have equal columns, which are replaced by the first of them.
 * Ownership: event_columns_clear frees. Cost: O(classes x caches). Threads: read-only once made. */
#ifndef MODEL_EVENT_COLUMNS_H
#define MODEL_EVENT_COLUMNS_H

#include <stddef.h>

#include "model/retime/event_class.h"

struct event_column_sums {
  uint64_t all;     /* misses of all events */
  uint64_t awaited; /* misses without those of stores, for which no warp waits */
};

struct event_columns {
  uint32_t count, width;          /* number of classes; number of caches */
  uint16_t *misses;               /* [width][count] */
  uint32_t *same;                 /* [width]: number of the first cache with an equal column */
  struct event_column_sums *sums; /* [width] */
};

/* Makes the columns. Returns false when out of memory. */
bool event_columns_make(struct event_columns *columns, const struct event_classes *classes);
void event_columns_clear(struct event_columns *columns);

static inline const uint16_t *event_column(const struct event_columns *columns, uint32_t cache) {
  return columns->misses + (size_t)cache * columns->count;
}

#endif

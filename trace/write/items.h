/* Some work-items of a work-group, as they were recorded one behind the other. */
#ifndef TRACE_ITEMS_H
#define TRACE_ITEMS_H

#include <stdint.h>

/* Behind what one work-item recorded; the next one's starts there. */
struct trace_item_end {
  const uint16_t *blocks;
  const uint32_t *addresses;
};

struct trace_items {
  uint32_t first_item, item_count;   /* local ids, one behind the other */
  const uint16_t *blocks;            /* that the items ran */
  const uint32_t *addresses;         /* of each block's memory operations, in order */
  const struct trace_item_end *ends; /* [item_count] */
};

#endif

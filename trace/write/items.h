/* Successive work-items of a work-group as they were recorded. */
#ifndef TRACE_ITEMS_H
#define TRACE_ITEMS_H

#include <stdint.h>

/* The places behind what one work-item recorded, where the next one's begins. */
struct trace_item_end {
  const uint16_t *blocks;
  const uint32_t *addresses;
};

struct trace_items {
  uint32_t first_item, item_count;   /* local ids [first_item, first_item + item_count) */
  const uint16_t *blocks;            /* that the work-items ran */
  const uint32_t *addresses;         /* of each block's memory operations, in order */
  const struct trace_item_end *ends; /* [item_count] */
};

#endif

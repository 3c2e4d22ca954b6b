/* Successive work-items of a work-group, as they were recorded. */
#ifndef TRACE_ITEMS_H
#define TRACE_ITEMS_H

#include <stdint.h>

/* The ends of the arrays of one work-item, where those of the next one begin. */
struct trace_item_end {
  const uint16_t *blocks;
  const uint32_t *addresses;
};

struct trace_items {
  uint32_t first_item, item_count;   /* local ids [first_item, first_item + item_count) */
  const uint16_t *blocks;            /* blocks that the work-items ran */
  const uint32_t *addresses;         /* addresses of each block's memory operations, in order */
  const struct trace_item_end *ends; /* [item_count] */
};

#endif

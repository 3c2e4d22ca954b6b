/* Affine work-items are neighbours that were recorded as one. They ran the same blocks, and the address of a memory
 * operation changes by a constant step from each work-item to the next. Writers and encoders produce the same bytes for
 * them as for the work-items one by one. */
#ifndef TRACE_AFFINE_ITEMS_H
#define TRACE_AFFINE_ITEMS_H

#include <stddef.h>
#include <stdint.h>

struct trace_affine_items {
  uint32_t first_item, item_count; /* local ids [first_item, first_item + item_count) */
  const uint16_t *blocks;
  const uint32_t *addresses; /* addresses of the first work-item, in the order of trace_writer_item */
  size_t block_count, address_count;
  const int32_t *steps; /* by operation (index into trace_code.ops); bytes modulo 2^32 */
};

#endif

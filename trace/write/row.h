/* A row of work-items that were recorded as one: they ran the same blocks, and each memory operation's address is, from
 * every work-item to the next, a known step further. Writers and recorders make of it what the work-items one by one
 * would have become, to the byte. */
#ifndef TRACE_ROW_H
#define TRACE_ROW_H

#include <stddef.h>
#include <stdint.h>

struct trace_row {
  uint32_t first_item, item_count; /* local ids, one behind the other */
  const uint16_t *blocks;
  const uint32_t *addresses; /* the first item's, as trace_writer_item takes them */
  size_t block_count, address_count;
  const int32_t *steps; /* by operation (index into trace_code.ops), modulo 2^32 */
};

#endif

/* Prices of a code table under an ISA profile: issue slots per operation and block.
 *
 * Unit: 1/1024 slot (PRICE_ONE), integers, so that sums do not depend on their order.
 * Ownership: price_list_init fills, price_list_clear frees. Read-only afterwards. */
#ifndef MODEL_PRICE_H
#define MODEL_PRICE_H

#include <stdint.h>

#include "base/error.h"
#include "model/isa.h"
#include "trace/code.h"

#define PRICE_ONE 1024

struct block_price {
  uint64_t before_barrier; /* from the last memory operation up to and with the barrier, 0 without one */
  uint64_t tail;           /* from the last event to the end of the block */
  uint64_t total;
  uint32_t instructions; /* operations of all classes but OP_MOVE */
  uint32_t barrier_op;   /* TRACE_NO_OP: none */
};

struct price_list {
  uint64_t *ops;              /* [op_count] */
  uint64_t *before_mem;       /* [mem_count]: from the event before it up to and with this memory operation */
  struct block_price *blocks; /* [block_count] */
};

int price_list_init(struct price_list *prices, const struct trace_code *code, const struct isa_profile *isa,
                    struct error *error);
void price_list_clear(struct price_list *prices);

#endif

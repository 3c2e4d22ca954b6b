/* Prices of a code table under an ISA profile: issue slots of each operation and block, and the ends of runs of
 * arithmetic.
 *
 * An event of a block ends the run before it: a memory access, a barrier and, where a warp continues before its loads
 * have come back, the first use of a loaded value (a wait, which lies before the operation). Unit: 1/1024 slot
 * (PRICE_ONE), integers, so that sums do not depend on their order. Ownership: price_list_init allocates,
 * price_list_clear frees. Errors: an operation without a price, memory. Cost: O(operations). Threads: read-only once
 * made. */
#ifndef MODEL_PRICE_H
#define MODEL_PRICE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "model/isa/isa.h"
#include "model/isa/pipes.h"
#include "trace/code.h"

struct arranged_code;

#define PRICE_ONE 1024

enum block_event_kind { BLOCK_ACCESS, BLOCK_USE, BLOCK_BARRIER };

struct block_event {
  uint64_t slots; /* slots of arithmetic since the event before, including the operation itself except for BLOCK_USE */
  uint32_t op;
  uint32_t kind; /* enum block_event_kind */
  uint32_t mem;  /* BLOCK_ACCESS: which of the block's memory operations in the trace has the addresses */
  uint32_t copy; /* of an unrolled block */
  /* BLOCK_USE: the number of the use; BLOCK_ACCESS: of the use that waits for its value, TRACE_NO_OP: none */
  uint32_t use;
};

struct block_price {
  uint32_t first_event, event_count;
  uint64_t tail; /* slots from the last event to the end of the block */
  uint64_t total;
  uint32_t instructions; /* operations of all classes but OP_MOVE */
  uint32_t copies;       /* of the block that this is the price of; 0: the block is not unrolled */
};

struct price_list {
  uint64_t *ops;              /* [op_count] */
  struct block_event *events; /* of all blocks, block after block */
  struct block_price *blocks; /* [block_count] */
  struct block_price *loops;  /* [block_count]: of several copies, for loops whose body is the block; NULL: none */
  /* Uses of pipes, NULL where the GPU has none: of each event's slots, and of the tail of each block and loop. */
  struct pipe_uses *event_uses, *tail_uses, *loop_tail_uses;
};

struct price_rules {
  const double *factors; /* [OP_CLASS_COUNT]: factors of the profile's prices (price_factors.h); NULL: 1 */
  bool uses;             /* first uses of loaded values are events */
  /* The code that is priced; accesses that another one does are free and no events. NULL: the trace's own code. */
  const struct arranged_code *arranged;
  /* True where an operation costs its share of the bundles of its clause (model/isa/bundle.h), not its slots. */
  bool bundles;
  uint32_t early_load_bytes; /* the budget of model/isa/issue_order.h; 0: operations in the order of the code */
  const uint8_t *pipes;      /* [ISA_PIPE_COUNT], of pipes_of; NULL: the GPU has no pipes */
  uint32_t unroll;           /* copies of a loop's body at most; 0, 1: none */
};

int price_list_init(struct price_list *prices, const struct trace_code *code, const struct isa_profile *isa,
                    const struct price_rules *rules, struct error *error);
struct bundle_count;
/* Counts the bundles and clauses of each block under a profile with bundles. */
int price_bundle_counts(const struct trace_code *code, const struct isa_profile *isa, struct bundle_count *blocks,
                        struct error *error);
void price_list_clear(struct price_list *prices);

/* Returns the uses of pipes behind the last event of a block, or of its copies, whose price is `price`. */
static inline const struct pipe_uses *price_tail_uses(const struct price_list *prices, uint32_t block,
                                                      const struct block_price *price) {
  return price == &prices->blocks[block] ? &prices->tail_uses[block] : &prices->loop_tail_uses[block];
}

#endif

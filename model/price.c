#include "model/price.h"

#include <math.h>
#include <stdlib.h>

static void price_block(struct price_list *prices, const struct trace_code *code, uint32_t index) {
  const struct trace_block *block = &code->blocks[index];
  struct block_price *price = &prices->blocks[index];
  uint32_t mem = block->first_mem;
  uint64_t run = 0; /* since the last event */
  *price = (struct block_price){.barrier_op = TRACE_NO_OP};
  for (uint32_t i = block->first_op; i < block->first_op + block->op_count; i++) {
    run += prices->ops[i];
    price->total += prices->ops[i];
    price->instructions += code->ops[i].op_class != OP_MOVE;
    if (mem < block->first_mem + block->mem_count && code->mem_ops[mem] == i) {
      prices->before_mem[mem++] = run;
      run = 0;
    } else if (code->ops[i].op_class == OP_BARRIER) {
      price->before_barrier = run;
      price->barrier_op = i;
      run = 0;
    }
  }
  price->tail = run;
}

int price_list_init(struct price_list *prices, const struct trace_code *code, const struct isa_profile *isa,
                    struct error *error) {
  prices->ops = calloc(code->op_count + 1u, sizeof *prices->ops);
  prices->before_mem = calloc(code->mem_count + 1u, sizeof *prices->before_mem);
  prices->blocks = calloc(code->block_count + 1u, sizeof *prices->blocks);
  if (!prices->ops || !prices->before_mem || !prices->blocks) {
    price_list_clear(prices);
    return error_set(error, ERROR_WORK, "out of memory");
  }
  for (uint32_t i = 0; i < code->op_count; i++) {
    double slots;
    if (isa_op_slots(isa, code, &code->ops[i], &slots, NULL, error)) {
      price_list_clear(prices);
      return -1;
    }
    prices->ops[i] = (uint64_t)llround(slots * PRICE_ONE);
  }
  for (uint32_t i = 0; i < code->block_count; i++)
    price_block(prices, code, i);
  return 0;
}

void price_list_clear(struct price_list *prices) {
  free(prices->ops);
  free(prices->before_mem);
  free(prices->blocks);
  *prices = (struct price_list){0};
}

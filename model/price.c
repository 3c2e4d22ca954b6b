#include "model/price.h"

#include <math.h>
#include <stdlib.h>

/* State of the one pass over a code table. */
struct pricing {
  struct price_list *prices;
  const struct trace_code *code;
  const bool *used; /* [op_count]: first uses of loaded values */
  uint32_t event_count;
  uint64_t run; /* slots since the last event */
};

static struct block_event *end_run(struct pricing *p, enum block_event_kind kind, uint32_t op) {
  struct block_event *event = &p->prices->events[p->event_count++];
  *event = (struct block_event){.slots = p->run, .op = op, .kind = kind};
  p->run = 0;
  return event;
}

static void price_block(struct pricing *p, uint32_t index) {
  const struct trace_code *code = p->code;
  const struct trace_block *block = &code->blocks[index];
  struct block_price *price = &p->prices->blocks[index];
  uint32_t mem = 0;
  *price = (struct block_price){.first_event = p->event_count};
  p->run = 0;
  for (uint32_t i = block->first_op; i < block->first_op + block->op_count; i++) {
    if (p->used[i])
      end_run(p, BLOCK_USE, i);
    p->run += p->prices->ops[i];
    price->total += p->prices->ops[i];
    price->instructions += code->ops[i].op_class != OP_MOVE;
    if (mem < block->mem_count && code->mem_ops[block->first_mem + mem] == i)
      end_run(p, BLOCK_ACCESS, i)->mem = mem++;
    else if (code->ops[i].op_class == OP_BARRIER)
      end_run(p, BLOCK_BARRIER, i);
  }
  price->tail = p->run;
  price->event_count = p->event_count - price->first_event;
}

static int price_operations(struct price_list *prices, const struct trace_code *code, const struct isa_profile *isa,
                            struct error *error) {
  for (uint32_t i = 0; i < code->op_count; i++) {
    double slots;
    if (isa_op_slots(isa, code, &code->ops[i], &slots, NULL, error))
      return -1;
    prices->ops[i] = (uint64_t)llround(slots * PRICE_ONE);
  }
  return 0;
}

static void mark_uses(const struct trace_code *code, bool *used) {
  for (uint32_t m = 0; m < code->mem_count; m++) {
    uint32_t use = code->ops[code->mem_ops[m]].first_use;
    if (use != TRACE_NO_OP)
      used[use] = true;
  }
}

int price_list_init(struct price_list *prices, const struct trace_code *code, const struct isa_profile *isa, bool uses,
                    struct error *error) {
  bool *used = calloc(code->op_count + 1u, sizeof *used);
  prices->ops = calloc(code->op_count + 1u, sizeof *prices->ops);
  prices->events = calloc(2u * code->op_count + 1u, sizeof *prices->events); /* an operation ends two runs at most */
  prices->blocks = calloc(code->block_count + 1u, sizeof *prices->blocks);
  int status = used && prices->ops && prices->events && prices->blocks ? 0 : -1;
  if (status)
    error_set(error, ERROR_WORK, "out of memory");
  else
    status = price_operations(prices, code, isa, error);
  if (status == 0 && uses)
    mark_uses(code, used);
  struct pricing pricing = {prices, code, used, 0, 0};
  for (uint32_t i = 0; i < code->block_count && status == 0; i++)
    price_block(&pricing, i);
  free(used);
  if (status)
    price_list_clear(prices);
  return status;
}

void price_list_clear(struct price_list *prices) {
  free(prices->ops);
  free(prices->events);
  free(prices->blocks);
  *prices = (struct price_list){0};
}

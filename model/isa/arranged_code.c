#include "model/isa/arranged_code.h"

#include <stdlib.h>
#include <string.h>

#include "model/isa/late_stores.h"
#include "model/isa/merged_accesses.h"

static bool has_local_accesses(const struct trace_code *code) {
  for (uint32_t i = 0; i < code->mem_count; i++)
    if (code->ops[code->mem_ops[i]].space == SPACE_LOCAL)
      return true;
  return false;
}

static int allocate(struct arranged_code *arranged, const struct trace_code *code) {
  struct trace_op *ops = malloc((code->op_count + 1u) * sizeof *ops);
  uint32_t *mem_ops = malloc((code->mem_count + 1u) * sizeof *mem_ops);
  arranged->merged = calloc(code->op_count + 1u, sizeof *arranged->merged);
  arranged->addresses_of = malloc((code->mem_count + 1u) * sizeof *arranged->addresses_of);
  if (!ops || !mem_ops || !arranged->merged || !arranged->addresses_of) {
    free(ops);
    free(mem_ops);
    free(arranged->merged);
    free(arranged->addresses_of);
    return -1;
  }
  arranged->code.ops = memcpy(ops, code->ops, code->op_count * sizeof *ops);
  arranged->code.mem_ops = memcpy(mem_ops, code->mem_ops, code->mem_count * sizeof *mem_ops);
  for (uint32_t i = 0; i < code->mem_count; i++)
    arranged->addresses_of[i] = i;
  return 0;
}

/* Puts the operands of operations that were put into another order in that order, too. */
static int reorder_operands(struct arranged_code *arranged, const struct trace_code *from, const uint32_t *order,
                            const uint32_t *places) {
  if (!from->operand_end || from->op_count == 0)
    return 0;
  uint32_t *end = malloc(from->op_count * sizeof *end), count = 0;
  uint32_t *operands = malloc((from->operand_end[from->op_count - 1] + 1u) * sizeof *operands);
  for (uint32_t i = 0; end && operands && i < from->op_count; i++) {
    for (uint32_t k = order[i] ? from->operand_end[order[i] - 1] : 0; k < from->operand_end[order[i]]; k++)
      operands[count++] = places[from->operands[k]];
    end[i] = count;
  }
  arranged->code.operand_end = arranged->own_operand_end = end;
  arranged->code.operands = arranged->own_operands = operands;
  return end && operands ? 0 : -1;
}

/* Puts the operations of a code table into another order. `places` has the new place of each. */
static int reorder(struct arranged_code *arranged, const struct trace_code *from, const uint32_t *order,
                   uint32_t *places) {
  uint32_t mem = 0;
  for (uint32_t i = 0; i < from->op_count; i++) {
    arranged->code.ops[i] = from->ops[order[i]];
    places[order[i]] = i;
  }
  for (uint32_t i = 0; i < from->op_count; i++)
    if (arranged->code.ops[i].first_use != TRACE_NO_OP)
      arranged->code.ops[i].first_use = places[arranged->code.ops[i].first_use];
  if (reorder_operands(arranged, from, order, places))
    return -1;
  for (uint32_t i = 0; i < from->mem_count; i++)
    places[from->mem_ops[i]] = from->op_count + i; /* from here on: which memory operation it was */
  for (uint32_t i = 0; i < from->op_count; i++)
    if (places[order[i]] >= from->op_count) {
      arranged->code.mem_ops[mem] = i;
      arranged->addresses_of[mem++] = places[order[i]] - from->op_count;
    }
  return 0;
}

static int delay_stores(struct arranged_code *arranged, const struct trace_code *from, uint32_t most_registers) {
  uint32_t *order = malloc((from->op_count + 1u) * sizeof *order),
           *places = malloc((from->op_count + 1u) * sizeof *places);
  const bool done = order && places && late_stores_order(from, most_registers, order) == 0 &&
                    reorder(arranged, from, order, places) == 0;
  free(order);
  free(places);
  return done ? 0 : -1;
}

int arranged_code_init(struct arranged_code *arranged, const struct trace *trace, const struct gpu_spec *spec,
                       struct error *error) {
  const struct trace_code *code = &trace->code;
  const uint32_t registers = (uint32_t)spec->late_store_registers;
  const struct merged_bytes most = {(uint32_t)spec->merged_load_bytes, (uint32_t)spec->merged_store_bytes};
  *arranged = (struct arranged_code){.code = *code};
  if (!has_local_accesses(code) || (registers == 0 && most.load == 0 && most.store == 0))
    return 0;
  if (allocate(arranged, code)) {
    *arranged = (struct arranged_code){.code = *code};
    return error_no_memory(error);
  }
  if ((registers > 0 && delay_stores(arranged, code, registers)) || merged_accesses_find(arranged, trace, most))
    return error_no_memory(error);
  return 0;
}

void arranged_code_clear(struct arranged_code *arranged) {
  if (arranged->merged) {
    free(arranged->code.ops);
    free(arranged->code.mem_ops);
  }
  free(arranged->merged);
  free(arranged->addresses_of);
  free(arranged->own_operand_end);
  free(arranged->own_operands);
  *arranged = (struct arranged_code){0};
}

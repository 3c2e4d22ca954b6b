/* The tuples of a clause: operands, arithmetic, and results. */
#include <string.h>

#include "tracegen/bifrost/alu/rounding.h"
#include "tracegen/bifrost/exec/warp.h"

static uint32_t selected(uint32_t value, const uint8_t *select) {
  uint32_t result = 0;
  for (unsigned i = 0; i < 4; i++) {
    uint32_t byte = 0;
    if (select[i] < SELECT_ZERO)
      byte = value >> (8 * select[i]) & 255;
    else if (select[i] >= SELECT_SIGN)
      byte = value >> (8 * (select[i] - SELECT_SIGN) + 7) & 1 ? 255 : 0;
    result |= byte << (8 * i);
  }
  return result;
}

static uint32_t flushed_half(uint32_t half) {
  return half & 0x7c00 ? half : half & 0x8000;
}

static uint32_t flushed(uint32_t value, const struct shader_operand *operand) {
  if (operand->type == SOURCE_H2 || operand->widens)
    return flushed_half(value & 0xffff) | flushed_half(value >> 16) << 16;
  return value & 0x7f800000 ? value : value & 0x80000000;
}

/* Takes the parts of an operand that its instruction asks for. */
static void take(struct lanes *out, const struct lanes *value, const struct shader_operand *operand) {
  for (int i = 0; i < WARP_LANES; i++) {
    uint32_t bits = operand->selects ? selected(value->at[i], operand->select) : value->at[i];
    if (operand->flushes)
      bits = flushed(bits, operand);
    if (operand->widens)
      bits = bits_of(half_value((uint16_t)bits));
    out->at[i] = (bits & operand->keep) ^ operand->flip;
  }
}

/* Points sources[i] to the slot's operands, in *scratch where parts of them are taken. */
static void gather(const struct bifrost_runner *runner, const struct warp *warp, const struct shader_slot *slot,
                   struct lanes *scratch, const struct lanes **sources) {
  for (unsigned i = 0; i < slot->operand_count; i++) {
    const struct shader_operand *operand = &slot->operands[i];
    const struct lanes *value =
        operand->in_pool ? &runner->shader->pool[operand->index] : &warp->values[operand->index];
    sources[i] = operand->is_plain ? value : &scratch[i];
    if (!operand->is_plain)
      take(&scratch[i], value, operand);
  }
}

static bool compares(const struct shader_slot *slot, uint32_t a, uint32_t b) {
  struct lanes left = {{a}}, right = {{b}}, result;
  const struct lanes *const sources[] = {&left, &right};
  const struct alu_call call = {.modifier = slot->instruction.modifier};
  uint8_t type = slot->instruction.operation->type;
  (type == SOURCE_F32 ? alu_fcmp_f32 : type == SOURCE_S32 ? alu_icmp_s32 : alu_icmp_u32)(&result, sources, &call);
  return result.at[0] != 0;
}

/* Returns the active lanes that a branch takes: it compares two sources, or one with zero, or nothing. */
static uint8_t branch_lanes(const struct shader_slot *slot, const struct lanes *const *sources, uint8_t active) {
  uint8_t taken = 0;
  if (slot->operand_count < 2)
    return active;
  for (unsigned i = 0; i < WARP_LANES; i++)
    if (active >> i & 1 && compares(slot, sources[0]->at[i], slot->operand_count == 3 ? sources[1]->at[i] : 0))
      taken |= (uint8_t)(1 << i);
  return taken;
}

static struct alu_call call_of(const struct bifrost_runner *runner, struct warp *warp, const struct shader_slot *slot,
                               bool flushes) {
  const struct instruction *in = &slot->instruction;
  return (struct alu_call){.modifier = in->modifier,
                           .number = in->number[NUMBER_SHIFT] | in->number[NUMBER_FILL],
                           .active = runner->at.lanes,
                           .width = (uint8_t)runner->dispatch->warp_lanes,
                           .flushes = flushes,
                           .local_base = LOCAL_WINDOW,
                           .private_base = PRIVATE_WINDOW,
                           .wide = &warp->wide};
}

static void flush_result(struct lanes *out, const struct operation *operation) {
  const struct shader_operand form = {.type = operation->type};
  if ((operation->type == SOURCE_F32 || operation->type == SOURCE_H2) && operation->op_class <= OP_FLOAT_DIV &&
      operation->op_class >= OP_FLOAT_ADD)
    for (int i = 0; i < WARP_LANES; i++)
      out->at[i] = flushed(out->at[i], &form);
}

/* State of the tuple that runs. */
struct tuple_run {
  struct bifrost_runner *runner;
  struct warp *warp;
  const struct shader_tuple *tuple;
  unsigned number;
  bool flushes;
  uint8_t taken;
};

static int run_slot(struct tuple_run *run, enum bifrost_unit unit) {
  const struct shader_slot *slot = &run->tuple->slots[unit];
  const struct operation *operation = slot->instruction.operation;
  struct lanes scratch[OPERATION_MAX_SOURCES];
  const struct lanes *sources[OPERATION_MAX_SOURCES];
  struct lanes *out = &run->warp->values[VALUE_TEMPORARIES + 2 * (run->number & 1) + unit];
  if (slot->action == ACTION_NOTHING)
    return 0;
  gather(run->runner, run->warp, slot, scratch, sources);
  if (slot->action == ACTION_ALU) {
    const struct alu_call call = call_of(run->runner, run->warp, slot, run->flushes);
    operation->alu(out, sources, &call);
    if (run->flushes)
      flush_result(out, operation);
    return 0;
  }
  if (slot->action == ACTION_BRANCH) {
    run->taken = branch_lanes(slot, sources, run->runner->at.lanes);
    return 0;
  }
  if (slot->action == ACTION_UNSUPPORTED)
    return lane_error(run->runner, 0, "%s, or one of its modifiers, is not supported", operation->name);
  return message_run(run->runner, run->warp, run->tuple, run->number, sources);
}

static void write_lane(uint32_t *old, uint32_t value, uint8_t use) {
  if (use == SLOT_WRITE_LOW)
    value = (*old & 0xffff0000) | (value & 0xffff);
  else if (use == SLOT_WRITE_HIGH)
    value = (*old & 0xffff) | (value & 0xffff0000);
  *old = value;
}

/* Writes a result to its register in the lanes that run; lanes that have ended may be overwritten. */
static void write_result(struct tuple_run *run, enum bifrost_unit unit) {
  const struct register_write *write = &run->tuple->slots[unit].write;
  const struct lanes *value = &run->warp->values[VALUE_TEMPORARIES + 2 * (run->number & 1) + unit];
  uint8_t active = run->runner->at.lanes;
  if (write->number == NO_REGISTER)
    return;
  if (active == run->warp->alive && write->use == SLOT_WRITE) {
    run->warp->values[write->number] = *value;
    return;
  }
  for (unsigned i = 0; i < WARP_LANES; i++)
    if (active >> i & 1)
      write_lane(&run->warp->values[write->number].at[i], value->at[i], write->use);
}

int clause_run(struct bifrost_runner *runner, struct warp *warp, const struct shader_clause *clause, uint8_t *taken) {
  struct tuple_run run = {.runner = runner, .warp = warp, .flushes = clause->flushes};
  for (run.number = 0; run.number < clause->tuple_count; run.number++) {
    run.tuple = &runner->shader->tuples[clause->first_tuple + run.number];
    if (run_slot(&run, UNIT_FMA) || run_slot(&run, UNIT_ADD))
      return -1;
    write_result(&run, UNIT_FMA);
    write_result(&run, UNIT_ADD);
  }
  *taken = run.taken;
  return 0;
}

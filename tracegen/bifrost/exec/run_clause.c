/* The tuples of a clause: operands, arithmetic, and results. */
#include <string.h>

#include "tracegen/bifrost/exec/take_operand.h"
#include "tracegen/bifrost/exec/warp.h"

/* Points sources[i] to the slot's operands, in *scratch where parts of them are taken. */
static void gather(const struct bifrost_runner *runner, const struct warp *warp, const struct shader_slot *slot,
                   struct lanes *scratch, const struct lanes **sources) {
  for (unsigned i = 0; i < slot->operand_count; i++) {
    const struct shader_operand *operand = &slot->operands[i];
    const struct lanes *value =
        operand->in_pool ? &runner->shader->pool[operand->index] : &warp->values[operand->index];
    sources[i] = operand->is_plain ? value : &scratch[i];
    if (!operand->is_plain)
      operand_take(&scratch[i], value, operand);
  }
}

/* Returns the active lanes that a branch takes: it compares two sources, or one with zero, or nothing. */
static uint8_t branch_lanes(const struct shader_slot *slot, const struct lanes *const *sources,
                            const struct alu_call *call) {
  static const struct lanes zeros;
  const struct lanes *const compared[] = {sources[0], slot->operand_count == 3 ? sources[1] : &zeros};
  struct lanes result;
  uint8_t taken = 0;
  if (slot->operand_count < 2)
    return call->active;
  slot->compute(&result, compared, call);
  for (unsigned i = 0; i < WARP_LANES; i++)
    taken |= (uint8_t)((result.at[i] & 1) << i);
  return taken & call->active;
}

/* Returns whether subnormal results of an operation become zero. */
static bool flushes_result(const struct operation *operation) {
  return (operation->type == SOURCE_F32 || operation->type == SOURCE_H2) && operation->op_class >= OP_FLOAT_ADD &&
         operation->op_class <= OP_FLOAT_DIV;
}

static void flush_result(struct lanes *out, uint8_t type) {
  for (int i = 0; i < WARP_LANES; i++)
    out->at[i] = type == SOURCE_H2 ? flushed_halves(out->at[i]) : flushed_float(out->at[i]);
}

/* State of the tuple that runs. */
struct tuple_run {
  struct bifrost_runner *runner;
  struct warp *warp;
  const struct shader_tuple *tuple;
  struct alu_call call;
  unsigned number;
  uint8_t taken;
};

static int refuse(struct bifrost_runner *runner, const struct operation *operation) {
  bool is_image = operation->message == MESSAGE_ATTRIBUTE || operation->message == MESSAGE_TEX ||
                  strcmp(operation->name, "DTSEL_IMM") == 0 || strstr(operation->name, "_CVT");
  return lane_error(runner, 0, "%s%s is not supported", operation->name,
                    is_image ? ", which accesses an image in this way," : ", or one of its modifiers,");
}

static int run_slot(struct tuple_run *run, enum bifrost_unit unit) {
  const struct shader_slot *slot = &run->tuple->slots[unit];
  struct lanes scratch[OPERATION_MAX_SOURCES];
  const struct lanes *sources[OPERATION_MAX_SOURCES];
  struct lanes *out = &run->warp->values[VALUE_TEMPORARIES + 2 * (run->number & 1) + unit];
  if (slot->action == ACTION_NOTHING)
    return 0;
  gather(run->runner, run->warp, slot, scratch, sources);
  run->call.modifier = slot->instruction.modifier;
  run->call.number = slot->instruction.number[NUMBER_SHIFT] | slot->instruction.number[NUMBER_FILL];
  switch (slot->action) {
  case ACTION_ALU:
    slot->compute(out, sources, &run->call);
    if (run->call.flushes && flushes_result(slot->instruction.operation))
      flush_result(out, slot->instruction.operation->type);
    return 0;
  case ACTION_BRANCH:
    run->taken = branch_lanes(slot, sources, &run->call);
    return 0;
  case ACTION_UNSUPPORTED:
    return refuse(run->runner, slot->instruction.operation);
  default:
    return message_run(run->runner, run->warp, run->tuple, run->number, sources);
  }
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

static struct alu_call call_of(const struct bifrost_runner *runner, struct warp *warp, bool flushes) {
  return (struct alu_call){.active = runner->at.lanes,
                           .flushes = flushes,
                           .local_base = LOCAL_WINDOW,
                           .private_base = PRIVATE_WINDOW,
                           .wide = &warp->wide};
}

int clause_run(struct bifrost_runner *runner, struct warp *warp, const struct shader_clause *clause, uint8_t *taken) {
  struct tuple_run run = {.runner = runner, .warp = warp, .call = call_of(runner, warp, clause->flushes)};
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

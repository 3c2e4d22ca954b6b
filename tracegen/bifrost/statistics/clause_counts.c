#include "tracegen/bifrost/statistics/clause_counts.h"

#include "tracegen/bifrost/isa/register_block.h"
#include "tracegen/bifrost/isa/sources.h"

/* Returns the source of the FAU's 64 bits. */
static enum operand_place place_of_fau(uint8_t fau) {
  if (fau & FAU_UNIFORM)
    return PLACE_UNIFORM;
  return fau >= FAU_CONSTANT || fau == FAU_ZERO ? PLACE_CONSTANT : PLACE_SPECIAL;
}

static enum operand_place place_of(uint8_t selector, enum bifrost_unit unit, uint8_t fau) {
  switch (selector) {
  case SOURCE_SLOT0:
  case SOURCE_SLOT1:
  case SOURCE_SLOT2:
    return PLACE_REGISTER_READ;
  case SOURCE_STAGE:
    return unit == UNIT_FMA ? PLACE_CONSTANT : PLACE_TEMPORARY;
  case SOURCE_FAU_LOW:
  case SOURCE_FAU_HIGH:
    return place_of_fau(fau);
  default:
    return PLACE_TEMPORARY;
  }
}

/* Messages read or write consecutive registers. How many is 0 where the data's format decides. */
static void count_staging(const struct operation *operation, uint32_t operands[PLACE_COUNT]) {
  if (operation->staging == STAGING_READ || operation->staging == STAGING_EXCHANGE)
    operands[PLACE_REGISTER_READ] += operation->staging_count;
  if (operation->staging == STAGING_WRITE || operation->staging == STAGING_EXCHANGE)
    operands[PLACE_REGISTER_WRITE] += operation->staging_count;
}

static void count_slot(const struct shader_slot *slot, enum bifrost_unit unit, uint8_t fau, struct clause_counts *out) {
  if (slot->action == ACTION_NOTHING) {
    out->empty_slots[unit]++;
    return;
  }
  for (unsigned i = 0; i < slot->instruction.source_count; i++)
    out->operands[place_of(slot->instruction.source[i], unit, fau)]++;
  if (slot->write.number != NO_REGISTER)
    out->operands[PLACE_REGISTER_WRITE]++;
  count_staging(slot->instruction.operation, out->operands);
}

struct clause_counts clause_count(const struct bifrost_dispatch *dispatch, const struct bifrost_shader *shader,
                                  const struct shader_clause *clause) {
  const size_t bytes = (size_t)clause->quadword_count * QUADWORD_BYTES;
  const uint8_t *code =
      bifrost_memory_at(dispatch->memory, dispatch->shader + (uint64_t)clause->quadword * QUADWORD_BYTES, bytes);
  struct clause_counts counts = {0};
  struct clause unpacked;
  if (!code || clause_unpack(code, bytes, &unpacked, NULL) != 0)
    return counts;
  for (unsigned t = 0; t < clause->tuple_count; t++) {
    const struct shader_tuple *tuple = &shader->tuples[clause->first_tuple + t];
    struct register_block block;
    register_block_decode(unpacked.tuples[t].registers, t == 0, &block);
    count_slot(&tuple->slots[UNIT_FMA], UNIT_FMA, block.fau, &counts);
    count_slot(&tuple->slots[UNIT_ADD], UNIT_ADD, block.fau, &counts);
  }
  return counts;
}

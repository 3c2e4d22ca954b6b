/* Operands of instructions: which value, and which parts of it. */
#include <stdlib.h>
#include <string.h>

#include "tracegen/bifrost/exec/shader_builder.h"
#include "tracegen/bifrost/exec/take_operand.h"
#include "tracegen/bifrost/isa/sources.h"

static uint16_t pool_index(struct shader_builder *builder, const struct lanes *value) {
  struct bifrost_shader *shader = builder->shader;
  for (uint32_t i = 0; i < shader->pool_count; i++)
    if (shader->pool[i].at[0] == value->at[0] && memcmp(&shader->pool[i], value, sizeof *value) == 0)
      return (uint16_t)i;
  if (shader->pool_count == builder->pool_capacity || shader->pool_count >= UINT16_MAX) {
    builder->out_of_memory = true;
    return 0;
  }
  shader->pool[shader->pool_count] = *value;
  return (uint16_t)shader->pool_count++;
}

static void use_constant(struct shader_builder *builder, struct shader_operand *operand, uint32_t bits) {
  struct lanes all;
  for (int i = 0; i < WARP_LANES; i++)
    all.at[i] = bits;
  operand->in_pool = true;
  operand->index = pool_index(builder, &all);
}

static uint32_t embedded_constant(const struct shader_builder *builder, struct shader_operand *operand, uint8_t fau,
                                  bool high) {
  unsigned index = fau_constant(fau);
  uint64_t constant = builder->clause->constants[index] | (fau & 15);
  enum constant_origin origin = builder->clause->origins[index];
  if (origin == ORIGIN_NONE || (origin == ORIGIN_HIGH && !high))
    return (uint32_t)(high ? constant >> 32 : constant);
  operand->is_code = true;
  constant = builder->clause_address + (uint64_t)constant_distance(constant, origin, high);
  return (uint32_t)(origin == ORIGIN_LOW && high ? constant >> 32 : constant);
}

static void use_lane_numbers(struct shader_builder *builder, struct shader_operand *operand) {
  struct lanes numbers;
  for (uint32_t i = 0; i < WARP_LANES; i++)
    numbers.at[i] = i;
  operand->in_pool = true;
  operand->index = pool_index(builder, &numbers);
}

static uint64_t uniform(const struct bifrost_dispatch *dispatch, unsigned index) {
  return index < dispatch->fau_count ? dispatch->fau[index] : 0;
}

static void use_fau(struct shader_builder *builder, struct shader_operand *operand, bool high) {
  uint8_t fau = builder->registers.fau;
  if (fau >= FAU_UNIFORM)
    use_constant(builder, operand, (uint32_t)(uniform(builder->dispatch, fau - FAU_UNIFORM) >> (high ? 32 : 0)));
  else if (fau >= FAU_CONSTANT)
    use_constant(builder, operand, embedded_constant(builder, operand, fau, high));
  else if (fau == FAU_LANE && !high)
    use_lane_numbers(builder, operand);
  else if (fau == FAU_WARP && !high)
    operand->index = VALUE_WARP_ID;
  else
    use_constant(builder, operand, 0);
}

static void use_register(struct shader_builder *builder, struct shader_operand *operand, uint8_t number) {
  operand->index = number;
  if (number >= builder->shader->registers_used)
    builder->shader->registers_used = number + 1;
}

static void use_value(struct shader_builder *builder, struct shader_operand *operand, uint8_t selector, uint8_t unit) {
  unsigned parity = builder->tuple & 1;
  switch (selector) {
  case SOURCE_STAGE:
    if (unit == UNIT_FMA)
      use_constant(builder, operand, 0);
    else
      operand->index = (uint16_t)(VALUE_TEMPORARIES + 2 * parity + UNIT_FMA);
    break;
  case SOURCE_FAU_LOW:
  case SOURCE_FAU_HIGH:
    use_fau(builder, operand, selector == SOURCE_FAU_HIGH);
    break;
  case SOURCE_PASSED_FMA:
  case SOURCE_PASSED_ADD:
    operand->index = (uint16_t)(VALUE_TEMPORARIES + 2 * !parity + (selector == SOURCE_PASSED_ADD));
    break;
  default:
    use_register(builder, operand, builder->registers.read[selector]);
  }
}

static bool is_signed(uint8_t type) {
  return type == SOURCE_S32 || type == SOURCE_S16X2 || type == SOURCE_S8X4;
}

static bool is_float(uint8_t type) {
  return type == SOURCE_F32 || type == SOURCE_H2;
}

/* Chooses the byte or half of number `digit` for the bytes from `at` on, and extends it to `bytes` bytes. */
static void select_part(struct shader_operand *operand, unsigned at, unsigned bytes, char unit, unsigned digit) {
  unsigned size = unit == 'h' ? 2 : 1, last = digit * size + size - 1;
  for (unsigned i = 0; i < bytes; i++)
    operand->select[at + i] = (uint8_t)(i < size                   ? digit * size + i
                                        : is_signed(operand->type) ? SELECT_SIGN + last
                                                                   : SELECT_ZERO);
}

/* Takes the parts that a value such as "h10" or "b0011" names: one digit for each part of the operand's type. */
static void take_parts(struct shader_operand *operand, uint8_t value) {
  const char *text = bifrost_value_text(value);
  size_t digits = strlen(text) - 1;
  if (value <= V_RESERVED || (text[0] != 'h' && text[0] != 'b') || digits == 3)
    return;
  for (unsigned i = 0; i < digits; i++)
    select_part(operand, i * 4 / (unsigned)digits, 4 / (unsigned)digits, text[0], (unsigned)(text[1 + i] - '0'));
  operand->selects = memcmp(operand->select, "\0\1\2\3", 4) != 0;
  operand->widens = operand->type == SOURCE_F32 && text[0] == 'h';
}

static void take_signs(struct shader_operand *operand, const uint8_t *modifier, unsigned i) {
  uint32_t signs = operand->type == SOURCE_F32 ? 0x80000000 : 0x80008000;
  if (i < 3 && modifier[T_ABS0 + i] == V_ABS)
    operand->keep &= ~signs;
  if (i < 3 && modifier[T_NEG0 + i] == V_NEG)
    operand->flip ^= signs;
  if (i == 1 && modifier[T_NOT1] == V_NOT)
    operand->flip = ~operand->flip;
}

/* The types of an operation's sources are equal, but for multipliers that are extended, and for exponents and
 * fixed-point numbers among floats. */
static uint8_t operand_type(const struct instruction *in, unsigned i) {
  if (i == 1 && in->modifier[T_EXTEND] == V_SEXT && in->operation->message == MESSAGE_NONE)
    return SOURCE_S32;
  if ((in->operation->alu == alu_ldexp_f32 && i == 1) || (in->operation->alu == alu_fexp_f32 && i == 0))
    return SOURCE_U32;
  if ((in->operation->alu == alu_fma_rscale_f32 && i == 3) || (in->operation->alu == alu_fadd_rscale_f32 && i == 2))
    return SOURCE_U32;
  return in->operation->type;
}

static bool takes_signs(uint8_t type, const uint8_t *modifier) {
  return is_float(type) || modifier[T_NOT1] == V_NOT;
}

/* A zero-extended byte or half is a shift and a mask. */
static void find_part(struct shader_operand *operand) {
  static const struct {
    uint8_t select[4], shift;
    uint32_t keep;
  } parts[] = {{{0, 1, 4, 4}, 0, 0xffff}, {{2, 3, 4, 4}, 16, 0xffff}, {{0, 4, 4, 4}, 0, 0xff},
               {{1, 4, 4, 4}, 8, 0xff},   {{2, 4, 4, 4}, 16, 0xff},   {{3, 4, 4, 4}, 24, 0xff}};
  if (operand->widens || operand->flushes)
    return;
  operand->is_part = !operand->selects;
  for (unsigned i = 0; i < sizeof parts / sizeof *parts && operand->selects && !operand->is_part; i++)
    if (memcmp(operand->select, parts[i].select, sizeof operand->select) == 0) {
      operand->is_part = true;
      operand->shift = parts[i].shift;
      operand->keep &= parts[i].keep;
    }
}

/* Takes the parts of values of the pool once, when the shader is built. */
static void take_from_pool(struct shader_builder *builder, struct shader_operand *operand) {
  struct lanes taken;
  operand_take(&taken, &builder->shader->pool[operand->index], operand);
  operand->index = pool_index(builder, &taken);
  operand->is_plain = true;
}

void shader_build_operands(struct shader_builder *builder, struct shader_slot *slot) {
  const struct instruction *in = &slot->instruction;
  slot->operand_count = in->source_count;
  for (unsigned i = 0; i < in->source_count; i++) {
    struct shader_operand *operand = &slot->operands[i];
    *operand = (struct shader_operand){.type = operand_type(in, i), .select = {0, 1, 2, 3}, .keep = UINT32_MAX};
    use_value(builder, operand, in->source[i], in->operation->unit);
    take_parts(operand, in->modifier[T_PART0 + i]);
    if (takes_signs(operand->type, in->modifier))
      take_signs(operand, in->modifier, i);
    operand->flushes = builder->clause->header.flush_to_zero && is_float(operand->type);
    operand->is_plain =
        !operand->selects && !operand->widens && !operand->flushes && operand->keep == UINT32_MAX && operand->flip == 0;
    find_part(operand);
    if (operand->in_pool && !operand->is_plain)
      take_from_pool(builder, operand);
  }
}

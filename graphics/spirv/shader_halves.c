/* Operations with less precision (RelaxedPrecision, mediump of GLSL) as operations on halves, where the request asks
 * for it. Such a value has two variables: h<id>, a half, which other such operations take, and v<id>, a float. */
#include <stdlib.h>
#include <spirv/unified1/GLSL.std.450.h>
#include <spirv/unified1/spirv.h>

#include "graphics/spirv/translation.h"

#define MOST_ROUNDS 64 /* of looking at the function; values that need more stay floats */

static bool is_single(const struct translation *t, uint32_t type) {
  const struct spirv_id *s = spirv_id(&t->module, translation_scalar(t, type));
  return s->opcode == SpvOpTypeFloat && spirv_operand(s, 1) == 32;
}

static bool is_constant(const struct translation *t, uint32_t id) {
  const uint16_t opcode = spirv_id(&t->module, id)->opcode;
  return (opcode >= SpvOpConstantTrue && opcode <= SpvOpSpecConstantComposite) || opcode == SpvOpUndef;
}

bool translation_has_half(const struct translation *t, uint32_t id) {
  return t->halves && id < t->module.bound && t->halves[id];
}

/* Returns whether the operand can be taken as a half without a conversion. */
static bool is_ready(const struct translation *t, uint32_t id) {
  return translation_has_half(t, id) || is_constant(t, id);
}

static bool computes(uint16_t opcode) {
  switch (opcode) {
  case SpvOpFNegate:
  case SpvOpFAdd:
  case SpvOpFSub:
  case SpvOpFMul:
  case SpvOpFDiv:
  case SpvOpFRem:
  case SpvOpFMod:
  case SpvOpVectorTimesScalar:
  case SpvOpMatrixTimesVector:
  case SpvOpVectorTimesMatrix:
  case SpvOpDot:
  case SpvOpConvertSToF:
  case SpvOpConvertUToF:
    return true;
  default:
    return false;
  }
}

/* Returns the number of the word with the first operand of an instruction that moves floats; 0: it does not. */
static unsigned moved_from(uint16_t opcode) {
  switch (opcode) {
  case SpvOpCopyObject:
  case SpvOpCompositeConstruct:
  case SpvOpCompositeExtract:
  case SpvOpCompositeInsert:
  case SpvOpVectorShuffle:
  case SpvOpVectorExtractDynamic:
  case SpvOpPhi:
    return 3;
  case SpvOpSelect:
    return 4;
  default:
    return 0;
  }
}

/* Returns the number of operands that are values, from the first one of an instruction that moves floats. */
static unsigned moved_values(const uint32_t *i) {
  const unsigned all =
      spirv_length(i) > moved_from(spirv_opcode(i)) ? spirv_length(i) - moved_from(spirv_opcode(i)) : 0;
  switch (spirv_opcode(i)) {
  case SpvOpCompositeExtract:
  case SpvOpVectorExtractDynamic:
    return all > 1 ? 1 : all;
  case SpvOpCompositeInsert:
  case SpvOpVectorShuffle:
    return all > 2 ? 2 : all;
  default:
    return all;
  }
}

/* Values that only move are halves where something that they are made of is: so coordinates from varyings, which
 * nothing has computed, keep their precision. */
static bool moves_halves(const struct translation *t, const uint32_t *i) {
  const unsigned first = moved_from(spirv_opcode(i)), count = moved_values(i);
  bool any = false;
  for (unsigned k = first; k < first + count; k += spirv_opcode(i) == SpvOpPhi ? 2 : 1) {
    if (!is_single(t, spirv_id(&t->module, i[k])->type))
      return false;
    any = any || translation_has_half(t, i[k]);
  }
  return any;
}

/* Returns the variable of the function that a pointer leads into; 0: it is another. */
static uint32_t root_of(const struct translation *t, uint32_t pointer) {
  const struct spirv_id *p = spirv_id(&t->module, pointer);
  for (int depth = 0; depth < 8 && (p->opcode == SpvOpAccessChain || p->opcode == SpvOpInBoundsAccessChain); depth++)
    p = spirv_id(&t->module, pointer = spirv_operand(p, 2));
  const uint32_t storage = spirv_operand(p, 2);
  return p->opcode == SpvOpVariable && (storage == SpvStorageClassFunction || storage == SpvStorageClassPrivate) &&
                 p->relaxed && is_single(t, spirv_pointee(&t->module, p->type))
             ? pointer
             : 0;
}

static bool becomes_half(const struct translation *t, const uint32_t *i) {
  const uint16_t opcode = spirv_opcode(i);
  if (spirv_result_place(opcode) != 2 || spirv_length(i) < 4 || !spirv_id(&t->module, i[2])->relaxed ||
      !is_single(t, i[1]))
    return false;
  if (opcode == SpvOpLoad)
    return translation_has_half(t, root_of(t, i[3]));
  if (opcode == SpvOpExtInst)
    return i[3] == t->module.glsl && spirv_length(i) > 5 && i[4] != GLSLstd450UnpackHalf2x16 &&
           translation_is_float(t, spirv_id(&t->module, i[5])->type);
  return computes(opcode) || (moved_from(opcode) && moves_halves(t, i));
}

/* A variable without an initial value is a half where a half is stored into it. Returns whether there is a new one. */
static bool take_variables(struct translation *t) {
  bool changed = false;
  for (const uint32_t *i = t->module.function; i && spirv_opcode(i) != SpvOpFunctionEnd;
       i = spirv_next(&t->module, i)) {
    const uint32_t root = spirv_opcode(i) == SpvOpStore && spirv_length(i) > 2 ? root_of(t, i[1]) : 0;
    if (root && root < t->module.bound && !t->halves[root] && translation_has_half(t, i[2]) &&
        !spirv_operand(spirv_id(&t->module, root), 3))
      changed = t->halves[root] = true;
  }
  return changed;
}

void translation_find_halves(struct translation *t) {
  bool changed = true;
  if (!t->request->mediump_half || !t->request->is_fragment)
    return;
  t->halves = calloc((size_t)t->module.bound + 1, sizeof *t->halves);
  if (!t->halves) {
    t->no_memory = true;
    return;
  }
  for (int round = 0; changed && round < MOST_ROUNDS; round++) {
    changed = false;
    for (const uint32_t *i = t->module.function; i && spirv_opcode(i) != SpvOpFunctionEnd;
         i = spirv_next(&t->module, i))
      if (becomes_half(t, i) && i[2] < t->module.bound && !t->halves[i[2]])
        changed = t->halves[i[2]] = true;
    changed = take_variables(t) || changed;
  }
  for (uint32_t id = 0; id < t->module.bound; id++)
    t->out->has_halves = t->out->has_halves || t->halves[id];
  if (t->out->has_halves)
    return;
  free(t->halves);
  t->halves = NULL;
}

/* Comparisons and conversions to integers take halves where that needs no conversion of an operand. */
static bool takes_halves(const struct translation *t, const uint32_t *i) {
  const uint16_t opcode = spirv_opcode(i);
  const bool compares = opcode >= SpvOpFOrdEqual && opcode <= SpvOpFUnordGreaterThanEqual;
  if (opcode == SpvOpConvertFToS || opcode == SpvOpConvertFToU)
    return spirv_length(i) > 3 && translation_has_half(t, i[3]);
  return compares && spirv_length(i) > 4 && is_ready(t, i[3]) && is_ready(t, i[4]) &&
         (translation_has_half(t, i[3]) || translation_has_half(t, i[4]));
}

void translation_begin_halves(struct translation *t, const uint32_t *i) {
  const bool has_result = spirv_result_place(spirv_opcode(i)) == 2 && spirv_length(i) > 2;
  t->in_halves = t->halves && ((has_result && translation_has_half(t, i[2])) || takes_halves(t, i));
}

void translation_end_halves(struct translation *t, const uint32_t *i) {
  const bool has_result = spirv_result_place(spirv_opcode(i)) == 2 && spirv_length(i) > 2;
  t->in_halves = false;
  if (!has_result || !translation_has_half(t, i[2]))
    return;
  fprintf(t->body, "  v%u = convert_", i[2]);
  translation_type(t, i[1]);
  fprintf(t->body, "(h%u);\n", i[2]);
}

void translation_declare_half(struct translation *t, uint32_t type, uint32_t id, bool merges) {
  if (!translation_has_half(t, id))
    return;
  t->in_halves = true;
  fputs("  ", t->body);
  translation_type(t, type);
  fprintf(t->body, merges ? " h%u, p%u;\n" : " h%u;\n", id, id);
  t->in_halves = false;
}

void translation_half_constant(struct translation *t, uint32_t type, uint32_t id) {
  const uint32_t components = translation_components(t, type);
  if (!t->halves || !is_single(t, type) || components > 4)
    return;
  fputs("  const ", t->body);
  translation_shaped(t, "half", type);
  fprintf(t->body, " h%u = (", id);
  translation_shaped(t, "half", type);
  fputs(components > 1 ? ")(" : ")", t->body);
  for (uint32_t k = 0; components > 1 && k < components; k++)
    fprintf(t->body, "%s(half)v%u.s%x", k ? ", " : "", id, k);
  if (components > 1)
    fputs(");\n", t->body);
  else
    fprintf(t->body, "v%u;\n", id);
}

void translation_operand(struct translation *t, uint32_t id) {
  const uint32_t type = spirv_id(&t->module, id)->type;
  if (!t->in_halves || !is_single(t, type))
    fprintf(t->body, "v%u", id);
  else if (is_ready(t, id))
    fprintf(t->body, "h%u", id);
  else {
    fputs("convert_", t->body);
    translation_shaped(t, "half", type);
    fprintf(t->body, "(v%u)", id);
  }
}

void translation_result(struct translation *t, uint32_t id) {
  fprintf(t->body, "  %c%u", translation_has_half(t, id) ? 'h' : 'v', id);
}

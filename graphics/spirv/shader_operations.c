/* Arithmetic, comparisons, conversions and composites. */
#include <spirv/unified1/spirv.h>

#include "graphics/spirv/translation.h"

/* The reading of operands: as they are, or as integers of the same size with or without sign. */
enum view { AS_IS, AS_INT, AS_UINT };

/* X(instruction, view of the operands, format): A to D are the operands; N is the number of components of the
 * result, # its name as a signed integer (int, short), % that as a float (float, half). Comparisons give 0 and 1, of
 * vectors 0 and -1. */
#define OPERATIONS(X)                                                                                                  \
  X(SNegate, AS_INT, "-A")                                                                                             \
  X(FNegate, AS_IS, "-A")                                                                                              \
  X(IAdd, AS_UINT, "A + B")                                                                                            \
  X(ISub, AS_UINT, "A - B")                                                                                            \
  X(IMul, AS_UINT, "A * B")                                                                                            \
  X(UDiv, AS_UINT, "A / B")                                                                                            \
  X(SDiv, AS_INT, "A / B")                                                                                             \
  X(UMod, AS_UINT, "A % B")                                                                                            \
  X(SRem, AS_INT, "A % B")                                                                                             \
  X(FAdd, AS_IS, "A + B")                                                                                              \
  X(FSub, AS_IS, "A - B")                                                                                              \
  X(FMul, AS_IS, "A * B")                                                                                              \
  X(FDiv, AS_IS, "A / B")                                                                                              \
  X(FRem, AS_IS, "fmod(A, B)")                                                                                         \
  X(FMod, AS_IS, "A - B * floor(A / B)")                                                                               \
  X(VectorTimesScalar, AS_IS, "A * B")                                                                                 \
  X(ShiftRightLogical, AS_UINT, "A >> B")                                                                              \
  X(ShiftRightArithmetic, AS_INT, "A >> B")                                                                            \
  X(ShiftLeftLogical, AS_UINT, "A << B")                                                                               \
  X(BitwiseOr, AS_UINT, "A | B")                                                                                       \
  X(BitwiseXor, AS_UINT, "A ^ B")                                                                                      \
  X(BitwiseAnd, AS_UINT, "A & B")                                                                                      \
  X(Not, AS_UINT, "~A")                                                                                                \
  X(BitCount, AS_UINT, "popcount(A)")                                                                                  \
  X(BitFieldUExtract, AS_UINT, "(A >> B) & (C < 32u ? (1u << C) - 1u : ~0u)")                                          \
  X(BitFieldSExtract, AS_INT, "((A << (32 - B - C)) >> (32 - C)) & -(int)(C != 0)")                                    \
  X(BitFieldInsert, AS_UINT,                                                                                           \
    "(A & ~((D < 32u ? (1u << D) - 1u : ~0u) << C)) | ((B & (D < 32u ? (1u << D) - 1u : ~0u)) << C)")                  \
  X(ConvertFToU, AS_IS, "convert_u#N_sat(A)")                                                                          \
  X(ConvertFToS, AS_IS, "convert_#N_sat(A)")                                                                           \
  X(ConvertSToF, AS_INT, "convert_%N(A)")                                                                              \
  X(ConvertUToF, AS_UINT, "convert_%N(A)")                                                                             \
  X(QuantizeToF16, AS_IS, "convert_floatN(convert_halfN(A))")                                                          \
  X(LogicalEqual, AS_IS, "A == B")                                                                                     \
  X(LogicalNotEqual, AS_IS, "A != B")                                                                                  \
  X(LogicalOr, AS_IS, "A | B")                                                                                         \
  X(LogicalAnd, AS_IS, "A & B")                                                                                        \
  X(IEqual, AS_UINT, "A == B")                                                                                         \
  X(INotEqual, AS_UINT, "A != B")                                                                                      \
  X(UGreaterThan, AS_UINT, "A > B")                                                                                    \
  X(SGreaterThan, AS_INT, "A > B")                                                                                     \
  X(UGreaterThanEqual, AS_UINT, "A >= B")                                                                              \
  X(SGreaterThanEqual, AS_INT, "A >= B")                                                                               \
  X(ULessThan, AS_UINT, "A < B")                                                                                       \
  X(SLessThan, AS_INT, "A < B")                                                                                        \
  X(ULessThanEqual, AS_UINT, "A <= B")                                                                                 \
  X(SLessThanEqual, AS_INT, "A <= B")                                                                                  \
  X(FOrdEqual, AS_IS, "A == B")                                                                                        \
  X(FUnordEqual, AS_IS, "(A == B) | (A != A) | (B != B)")                                                              \
  X(FOrdNotEqual, AS_IS, "(A < B) | (A > B)")                                                                          \
  X(FUnordNotEqual, AS_IS, "A != B")                                                                                   \
  X(FOrdLessThan, AS_IS, "A < B")                                                                                      \
  X(FUnordLessThan, AS_IS, "(A < B) | (A != A) | (B != B)")                                                            \
  X(FOrdGreaterThan, AS_IS, "A > B")                                                                                   \
  X(FUnordGreaterThan, AS_IS, "(A > B) | (A != A) | (B != B)")                                                         \
  X(FOrdLessThanEqual, AS_IS, "A <= B")                                                                                \
  X(FUnordLessThanEqual, AS_IS, "(A <= B) | (A != A) | (B != B)")                                                      \
  X(FOrdGreaterThanEqual, AS_IS, "A >= B")                                                                             \
  X(FUnordGreaterThanEqual, AS_IS, "(A >= B) | (A != A) | (B != B)")                                                   \
  X(IsNan, AS_IS, "A != A")                                                                                            \
  X(IsInf, AS_IS, "isinf(A)")                                                                                          \
  X(CopyObject, AS_IS, "A")

struct operation {
  uint16_t opcode;
  uint8_t view;
  const char *format;
};

static const struct operation operations[] = {
#define X(name, view, format) {SpvOp##name, view, format},
    OPERATIONS(X)
#undef X
};

static void write_operand(struct translation *t, uint32_t id, enum view view) {
  const uint32_t type = spirv_id(&t->module, id)->type;
  if (view != AS_IS) {
    fputs("as_", t->body);
    if (translation_is_short(t, type))
      translation_shaped(t, view == AS_INT ? "short" : "ushort", type);
    else
      translation_shaped(t, view == AS_INT ? "int" : "uint", type);
  }
  fputc('(', t->body);
  translation_operand(t, id);
  fputc(')', t->body);
}

static void write_format(struct translation *t, const uint32_t *i, const struct operation *o) {
  for (const char *c = o->format; *c; c++)
    if (*c >= 'A' && *c <= 'D' && (c[1] < 'A' || c[1] > 'Z') && (c == o->format || c[-1] < 'A' || c[-1] > 'Z') &&
        3 + (*c - 'A') < spirv_length(i))
      write_operand(t, i[3 + (*c - 'A')], o->view);
    else if (*c == 'N' && translation_components(t, i[1]) > 1)
      fprintf(t->body, "%u", translation_components(t, i[1]));
    else if (*c == '#' || (*c == '%' && c[1] == 'N'))
      fputs(*c == '#' ? (translation_is_short(t, i[1]) ? "short" : "int")
                      : (translation_is_short(t, i[1]) ? "half" : "float"),
            t->body);
    else if (*c != 'N')
      fputc(*c, t->body);
}

/* Returns whether the result is a vector of truths about numbers of 16 bits, which OpenCL gives as shorts. Truths are
 * widened and cut by clang's conversion, and not by the function convert_int4: it disappears where a selection follows
 * a comparison. */
static bool compares_short_vectors(const struct translation *t, const uint32_t *i) {
  return translation_is_bool(t, i[1]) && translation_components(t, i[1]) > 1 &&
         translation_is_short(t, spirv_id(&t->module, i[3])->type);
}

/* A result has the type that its variable has: integers are seen with the sign that the type says, and short ones,
 * which C computes with as int, are cut to their size. */
static void write_operation(struct translation *t, const uint32_t *i, const struct operation *o) {
  const bool is_float = translation_is_float(t, i[1]), scalar = translation_components(t, i[1]) == 1;
  const bool widens = compares_short_vectors(t, i);
  translation_result(t, i[2]);
  fputs(" = ", t->body);
  if (!is_float) {
    fputs(scalar ? "(" : widens ? "" : "as_", t->body);
    if (!widens)
      translation_type(t, i[1]);
    fputs(scalar ? ")" : "", t->body);
  }
  fputs(widens ? "__builtin_convertvector(" : "(", t->body);
  write_format(t, i, o);
  if (widens) {
    fputs(", ", t->body);
    translation_type(t, i[1]);
  }
  fputs(");\n", t->body);
}

static void write_construct(struct translation *t, const uint32_t *i) {
  const uint16_t opcode = spirv_id(&t->module, i[1])->opcode;
  const bool is_vector = opcode == SpvOpTypeVector, is_struct = opcode == SpvOpTypeStruct;
  const bool truths = translation_is_bool(t, i[1]);
  for (uint32_t k = 3; !is_vector && k < spirv_length(i); k++)
    fprintf(t->body, is_struct ? "  v%u.m%u = v%u;\n" : "  v%u.e[%u] = v%u;\n", i[2], k - 3, i[k]);
  if (!is_vector)
    return;
  translation_result(t, i[2]);
  fputs(" = (", t->body);
  translation_type(t, i[1]);
  fputs(")(", t->body);
  for (uint32_t k = 3; k < spirv_length(i); k++) {
    fprintf(t->body, "%s%s", k > 3 ? ", " : "",
            truths && translation_components(t, spirv_id(&t->module, i[k])->type) == 1 ? "-" : "");
    translation_operand(t, i[k]);
  }
  fputs(");\n", t->body);
}

/* Writes the way from a composite to a part of it. */
static void write_way(struct translation *t, uint32_t type, const uint32_t *indices, uint32_t count) {
  for (uint32_t k = 0; k < count && translation_goes_on(t); k++) {
    const uint16_t opcode = spirv_id(&t->module, type)->opcode;
    fprintf(t->body, opcode == SpvOpTypeVector ? ".s%x" : opcode == SpvOpTypeStruct ? ".m%u" : ".e[%u]", indices[k]);
    type = translation_part(t, type, indices[k]);
  }
}

static void write_extract(struct translation *t, const uint32_t *i) {
  const uint32_t from = spirv_id(&t->module, i[3])->type;
  const bool truth = translation_is_bool(t, from) && translation_components(t, from) > 1;
  translation_result(t, i[2]);
  fputs(truth ? " = -" : " = ", t->body);
  translation_operand(t, i[3]);
  write_way(t, from, i + 4, spirv_length(i) > 4 ? spirv_length(i) - 4u : 0);
  fputs(";\n", t->body);
}

static void write_insert(struct translation *t, const uint32_t *i) {
  translation_result(t, i[2]);
  fputs(" = ", t->body);
  translation_operand(t, i[4]);
  fputs(";\n", t->body);
  translation_result(t, i[2]);
  write_way(t, i[1], i + 5, spirv_length(i) > 5 ? spirv_length(i) - 5u : 0);
  fputs(" = ", t->body);
  translation_operand(t, i[3]);
  fputs(";\n", t->body);
}

static void write_shuffle(struct translation *t, const uint32_t *i) {
  const uint32_t first = translation_components(t, spirv_id(&t->module, i[3])->type);
  translation_result(t, i[2]);
  fputs(" = (", t->body);
  translation_type(t, i[1]);
  fputs(")(", t->body);
  for (uint32_t k = 5; k < spirv_length(i); k++) {
    const uint32_t c = i[k] == UINT32_MAX ? 0 : i[k];
    fputs(k > 5 ? ", " : "", t->body);
    translation_operand(t, c < first ? i[3] : i[4]);
    fprintf(t->body, ".s%x", c < first ? c : c - first);
  }
  fputs(");\n", t->body);
}

static void write_select(struct translation *t, const uint32_t *i) {
  const uint32_t components = translation_components(t, spirv_id(&t->module, i[3])->type);
  const bool is_call = components > 1 && !translation_is_short(t, i[1]);
  translation_result(t, i[2]);
  if (is_call)
    fputs(" = select(", t->body);
  else
    fprintf(t->body, components > 1 ? " = __builtin_convertvector(v%u, short%u) ? " : " = v%u ? ", i[3], components);
  translation_operand(t, is_call ? i[5] : i[4]);
  fputs(is_call ? ", " : " : ", t->body);
  translation_operand(t, is_call ? i[4] : i[5]);
  if (is_call)
    fprintf(t->body, ", v%u)", i[3]);
  fputs(";\n", t->body);
}

static void write_truth(struct translation *t, const uint32_t *i) {
  const bool vector = translation_components(t, i[1]) > 1;
  switch (spirv_opcode(i)) {
  case SpvOpLogicalNot:
    fprintf(t->body, "  v%u = %sv%u;\n", i[2], vector ? "~" : "!", i[3]);
    break;
  case SpvOpAny:
    fprintf(t->body, "  v%u = any(v%u);\n", i[2], i[3]);
    break;
  default:
    fprintf(t->body, "  v%u = all(v%u);\n", i[2], i[3]);
  }
}

static void write_bitcast(struct translation *t, const uint32_t *i) {
  fprintf(t->body, "  v%u = as_", i[2]);
  translation_type(t, i[1]);
  fprintf(t->body, "(v%u);\n", i[3]);
}

static void write_conversion(struct translation *t, const uint32_t *i) {
  fprintf(t->body, "  v%u = convert_", i[2]);
  translation_type(t, i[1]);
  fputc('(', t->body);
  write_operand(t, i[3], spirv_opcode(i) == SpvOpSConvert ? AS_INT : AS_UINT);
  fputs(");\n", t->body);
}

/* Swaps neighbouring groups of bits, from single ones to halves of a word. */
static void write_bit_reverse(struct translation *t, const uint32_t *i) {
  static const uint32_t masks[] = {0x55555555, 0x33333333, 0x0f0f0f0f, 0x00ff00ff, 0x0000ffff};
  for (unsigned k = 0; k < sizeof masks / sizeof masks[0]; k++) {
    const uint32_t from = k ? i[2] : i[3];
    fprintf(t->body, "  v%u = as_", i[2]);
    translation_type(t, i[1]);
    fputs("(((as_", t->body);
    translation_shaped(t, "uint", i[1]);
    fprintf(t->body, "(v%u) >> %u) & 0x%xu) | ((as_", from, 1u << k, masks[k]);
    translation_shaped(t, "uint", i[1]);
    fprintf(t->body, "(v%u) & 0x%xu) << %u));\n", from, masks[k], 1u << k);
  }
}

static void write_float_conversion(struct translation *t, const uint32_t *i) {
  translation_result(t, i[2]);
  fputs(" = convert_", t->body);
  translation_type(t, i[1]);
  fputs(translation_cuts(t, i) ? "_rtz(" : "(", t->body);
  translation_operand(t, i[3]);
  fputs(");\n", t->body);
}

static const struct operation *find(uint16_t opcode) {
  for (size_t k = 0; k < sizeof operations / sizeof operations[0]; k++)
    if (operations[k].opcode == opcode)
      return &operations[k];
  return NULL;
}

/* Returns whether the instruction makes a composite, or takes one apart. */
static bool write_composite(struct translation *t, const uint32_t *i) {
  switch (spirv_opcode(i)) {
  case SpvOpCompositeConstruct:
    write_construct(t, i);
    return true;
  case SpvOpCompositeExtract:
    write_extract(t, i);
    return true;
  case SpvOpCompositeInsert:
    write_insert(t, i);
    return true;
  case SpvOpVectorShuffle:
    write_shuffle(t, i);
    return true;
  case SpvOpVectorExtractDynamic:
    translation_result(t, i[2]);
    fputs(" = ", t->body);
    translation_operand(t, i[3]);
    fprintf(t->body, "[min((uint)v%u, %uu)];\n", i[4], translation_components(t, spirv_id(&t->module, i[3])->type) - 1);
    return true;
  default:
    return false;
  }
}

bool translation_operation(struct translation *t, const uint32_t *i) {
  const struct operation *o = find(spirv_opcode(i));
  if (o)
    write_operation(t, i, o);
  if (o || write_composite(t, i) || translation_product(t, i))
    return true;
  switch (spirv_opcode(i)) {
  case SpvOpSelect:
    write_select(t, i);
    return true;
  case SpvOpLogicalNot:
  case SpvOpAny:
  case SpvOpAll:
    write_truth(t, i);
    return true;
  case SpvOpBitcast:
    write_bitcast(t, i);
    return true;
  case SpvOpUConvert:
  case SpvOpSConvert:
    write_conversion(t, i);
    return true;
  case SpvOpBitReverse:
    write_bit_reverse(t, i);
    return true;
  case SpvOpFConvert:
    write_float_conversion(t, i);
    return true;
  case SpvOpUndef:
    return true; /* declared as 0 */
  default:
    return false;
  }
}

#include "half_shaders.h"

#include <stdarg.h>
#include <string.h>
#include <spirv/unified1/GLSL.std.450.h>
#include <spirv/unified1/spirv.h>

#define MOST 5 /* operands of an instruction */

#define PLAIN(name, operands)                                                                                          \
  { #name, VECTORS, SpvOp##name, 0, operands, 0 }
#define FUNCTION(name, n, ulps)                                                                                        \
  { #name, VECTORS, SpvOpExtInst, GLSLstd450##name, n, ulps }

const struct half_operation half_operations[] = {PLAIN(FAdd, 2),
                                                 PLAIN(FSub, 2),
                                                 PLAIN(FMul, 2),
                                                 PLAIN(FDiv, 2),
                                                 PLAIN(FNegate, 1),
                                                 {"VectorTimesScalar", SCALED, SpvOpVectorTimesScalar, 0, 2, 0},
                                                 {"Dot", TO_SCALAR, SpvOpDot, 0, 2, 0},
                                                 {"FOrdLessThan", COMPARED, SpvOpFOrdLessThan, 0, 2, 0},
                                                 {"FOrdGreaterThanEqual", COMPARED, SpvOpFOrdGreaterThanEqual, 0, 2, 0},
                                                 {"FUnordNotEqual", COMPARED, SpvOpFUnordNotEqual, 0, 2, 0},
                                                 {"ConvertFToS", TO_INTEGER, SpvOpConvertFToS, 0, 1, 0},
                                                 {"a * b + c", MIXED, SpvOpFMul, 0, 3, 0},
                                                 {"a variable", STORED, SpvOpFMul, 0, 3, 0},
                                                 {"a square of floats", WIDENED, SpvOpFMul, 0, 3, 0},
                                                 {"a sum in a loop", REPEATED, SpvOpFMul, 0, 3, 0},
                                                 FUNCTION(Sqrt, 1, 0),
                                                 FUNCTION(FAbs, 1, 0),
                                                 FUNCTION(Floor, 1, 0),
                                                 FUNCTION(Ceil, 1, 0),
                                                 FUNCTION(Trunc, 1, 0),
                                                 FUNCTION(RoundEven, 1, 0),
                                                 FUNCTION(Fract, 1, 0),
                                                 FUNCTION(FSign, 1, 0),
                                                 FUNCTION(FMin, 2, 0),
                                                 FUNCTION(FMax, 2, 0),
                                                 FUNCTION(FClamp, 3, 0),
                                                 FUNCTION(FMix, 3, 0),
                                                 FUNCTION(Step, 2, 0),
                                                 FUNCTION(Fma, 3, 0),
                                                 FUNCTION(Sin, 1, 1),
                                                 FUNCTION(Cos, 1, 1),
                                                 FUNCTION(Exp2, 1, 1),
                                                 FUNCTION(Log2, 1, 1),
                                                 FUNCTION(Atan2, 2, 1),
                                                 FUNCTION(InverseSqrt, 1, 0),
                                                 {"Length", TO_SCALAR, SpvOpExtInst, GLSLstd450Length, 1, 0},
                                                 {"Distance", TO_SCALAR, SpvOpExtInst, GLSLstd450Distance, 2, 0}};
const size_t half_operation_count = sizeof half_operations / sizeof *half_operations;

enum id {
  NONE,
  VOID,
  FUNCTION_TYPE,
  FLOAT,
  FLOAT4,
  HALF,
  HALF4,
  BOOL,
  BOOL4,
  INT,
  INT4,
  INPUT,
  OUTPUT,
  A,
  B,
  C,
  OUT,
  MAIN,
  GLSL,
  FIVE,
  ONE,
  ZERO,
  PRIVATE,
  KEPT,
  FIRST /* of the results */
};

static void put(struct half_module *m, uint32_t opcode, unsigned count, ...) {
  va_list list;
  va_start(list, count);
  m->words[m->count++] = (count + 1) << 16 | opcode;
  for (unsigned i = 0; i < count; i++)
    m->words[m->count++] = va_arg(list, uint32_t);
  va_end(list);
}

/* Puts an instruction with a result and up to MOST operands; 0: none. Returns the result. */
static uint32_t put_result(struct half_module *m, uint32_t opcode, uint32_t type, const uint32_t operands[MOST]) {
  const uint32_t result = FIRST + m->result_count;
  unsigned count = 0;
  while (count < MOST && operands[count])
    count++;
  put(m, opcode, 2 + count, type, result, operands[0], operands[1], operands[2], operands[3], operands[4]);
  m->results[m->result_count++] = result;
  return result;
}

#define PUT(m, opcode, type, ...) put_result(m, SpvOp##opcode, type, (const uint32_t[MOST]){__VA_ARGS__})

struct types {
  uint32_t scalar, vector;
};

static uint32_t put_sum_in_a_loop(struct half_module *m, struct types t, const uint32_t v[3]) {
  const uint32_t before = FIRST + 100, head = before + 1, body = before + 2, more = before + 3, end = before + 4;
  const uint32_t sum = FIRST + m->result_count, count = sum + 1;
  put(m, SpvOpBranch, 1, before);
  put(m, SpvOpLabel, 1, before);
  put(m, SpvOpBranch, 1, head);
  put(m, SpvOpLabel, 1, head);
  /* The results of the body follow: a product, a sum, a number. */
  put_result(m, SpvOpPhi, t.vector, (const uint32_t[MOST]){v[2], before, sum + 4, more});
  put_result(m, SpvOpPhi, INT, (const uint32_t[MOST]){ZERO, before, sum + 5, more});
  const uint32_t goes_on = PUT(m, SLessThan, BOOL, count, FIVE);
  put(m, SpvOpLoopMerge, 3, end, more, 0);
  put(m, SpvOpBranchConditional, 3, goes_on, body, end);
  put(m, SpvOpLabel, 1, body);
  const uint32_t product = PUT(m, FMul, t.vector, v[0], v[1]);
  PUT(m, FAdd, t.vector, sum, product);
  put(m, SpvOpBranch, 1, more);
  put(m, SpvOpLabel, 1, more);
  PUT(m, IAdd, INT, count, ONE);
  put(m, SpvOpBranch, 1, head);
  put(m, SpvOpLabel, 1, end);
  return sum;
}

/* Puts the operation on the vectors v; returns the resulting vector. */
static uint32_t put_operation(struct half_module *m, const struct half_operation *o, struct types t,
                              const uint32_t v[3]) {
  uint32_t operands[MOST] = {0};
  const unsigned first = o->opcode == SpvOpExtInst ? 2 : 0;
  for (unsigned i = 0; i < o->operands && first + i < MOST; i++)
    operands[first + i] = v[i];
  if (first) {
    operands[0] = GLSL;
    operands[1] = o->number;
  }
  switch (o->shape) {
  case SCALED:
    operands[1] = put_result(m, SpvOpCompositeExtract, t.scalar, (const uint32_t[MOST]){v[1], 1});
    return put_result(m, o->opcode, t.vector, operands);
  case TO_SCALAR: {
    const uint32_t s = put_result(m, o->opcode, t.scalar, operands);
    return PUT(m, CompositeConstruct, t.vector, s, s, s, s);
  }
  case COMPARED: {
    const uint32_t truth = put_result(m, o->opcode, BOOL4, operands);
    return PUT(m, Select, t.vector, truth, v[0], v[1]);
  }
  case TO_INTEGER: {
    const uint32_t whole = put_result(m, o->opcode, INT4, operands);
    return PUT(m, ConvertSToF, t.vector, whole);
  }
  case MIXED:
    return PUT(m, FAdd, t.vector, PUT(m, FMul, t.vector, v[0], v[1]), v[2]);
  case STORED: /* the second load is without RelaxedPrecision: it is no result of the list */
    put(m, SpvOpStore, 2, KEPT, PUT(m, FMul, t.vector, v[0], v[1]));
    put(m, SpvOpLoad, 3, t.vector, FIRST + 150, KEPT);
    return PUT(m, FAdd, t.vector, PUT(m, FAdd, t.vector, PUT(m, Load, t.vector, KEPT), v[2]), FIRST + 150);
  case WIDENED: {
    const uint32_t product = PUT(m, FMul, HALF4, v[0], v[1]), single = PUT(m, FConvert, FLOAT4, product);
    const uint32_t square = PUT(m, FMul, FLOAT4, single, single);
    return PUT(m, FAdd, HALF4, PUT(m, FConvert, HALF4, square), v[2]);
  }
  case REPEATED:
    return put_sum_in_a_loop(m, t, v);
  default:
    return put_result(m, o->opcode, t.vector, operands);
  }
}

/* Puts the body: on 16-bit floats between conversions, or on 32-bit floats. */
static void put_body(struct half_module *m, const struct half_operation *o, bool explicit_halves) {
  const struct types t = explicit_halves ? (struct types){HALF, HALF4} : (struct types){FLOAT, FLOAT4};
  uint32_t v[3];
  put(m, SpvOpFunction, 4, VOID, MAIN, 0, FUNCTION_TYPE);
  put(m, SpvOpLabel, 1, FIRST + 200);
  for (unsigned i = 0; i < 3; i++) {
    v[i] = PUT(m, Load, FLOAT4, A + i);
    if (explicit_halves)
      v[i] = PUT(m, FConvert, HALF4, v[i]);
  }
  uint32_t result = put_operation(m, o, t, v);
  if (explicit_halves)
    result = PUT(m, FConvert, FLOAT4, result);
  put(m, SpvOpStore, 2, OUT, result);
  put(m, SpvOpReturn, 0);
  put(m, SpvOpFunctionEnd, 0);
}

static void put_types(struct half_module *m) {
  put(m, SpvOpTypeVoid, 1, VOID);
  put(m, SpvOpTypeFunction, 2, FUNCTION_TYPE, VOID);
  put(m, SpvOpTypeFloat, 2, FLOAT, 32);
  put(m, SpvOpTypeVector, 3, FLOAT4, FLOAT, 4);
  put(m, SpvOpTypeBool, 1, BOOL);
  put(m, SpvOpTypeVector, 3, BOOL4, BOOL, 4);
  put(m, SpvOpTypeInt, 3, INT, 32, 1);
  put(m, SpvOpTypeVector, 3, INT4, INT, 4);
  put(m, SpvOpTypePointer, 3, INPUT, SpvStorageClassInput, FLOAT4);
  put(m, SpvOpTypePointer, 3, OUTPUT, SpvStorageClassOutput, FLOAT4);
  put(m, SpvOpConstant, 3, INT, FIVE, 5);
  put(m, SpvOpConstant, 3, INT, ONE, 1);
  put(m, SpvOpConstant, 3, INT, ZERO, 0);
  for (uint32_t i = 0; i < 3; i++)
    put(m, SpvOpVariable, 3, INPUT, A + i, SpvStorageClassInput);
  put(m, SpvOpVariable, 3, OUTPUT, OUT, SpvStorageClassOutput);
}

void half_module_build(struct half_module *m, const struct half_operation *o, bool explicit_halves, bool relaxes) {
  struct half_module body = {0};
  put_body(&body, o, explicit_halves);
  *m = (struct half_module){.words = {SpvMagicNumber, 0x10000, 0, FIRST + 256, 0}, .count = 5};
  put(m, SpvOpCapability, 1, SpvCapabilityShader);
  if (explicit_halves)
    put(m, SpvOpCapability, 1, SpvCapabilityFloat16);
  put(m, SpvOpExtInstImport, 5, GLSL, 0x4c534c47, 0x6474732e, 0x3035342e, 0); /* "GLSL.std.450" */
  put(m, SpvOpMemoryModel, 2, 0, 1);
  put(m, SpvOpEntryPoint, 8, SpvExecutionModelFragment, MAIN, 0x6e69616d, 0, A, B, C, OUT); /* "main" */
  put(m, SpvOpExecutionMode, 2, MAIN, SpvExecutionModeOriginUpperLeft);
  for (uint32_t i = 0; i < 3; i++)
    put(m, SpvOpDecorate, 3, A + i, SpvDecorationLocation, i);
  put(m, SpvOpDecorate, 3, OUT, SpvDecorationLocation, 0);
  if (relaxes)
    put(m, SpvOpDecorate, 2, KEPT, SpvDecorationRelaxedPrecision);
  for (uint32_t i = 0; relaxes && i < body.result_count; i++)
    put(m, SpvOpDecorate, 2, body.results[i], SpvDecorationRelaxedPrecision);
  put_types(m);
  if (explicit_halves) {
    put(m, SpvOpTypeFloat, 2, HALF, 16);
    put(m, SpvOpTypeVector, 3, HALF4, HALF, 4);
  }
  put(m, SpvOpTypePointer, 3, PRIVATE, SpvStorageClassPrivate, explicit_halves ? HALF4 : FLOAT4);
  put(m, SpvOpVariable, 3, PRIVATE, KEPT, SpvStorageClassPrivate);
  memcpy(m->words + m->count, body.words, body.count * sizeof *body.words);
  m->count += body.count;
}

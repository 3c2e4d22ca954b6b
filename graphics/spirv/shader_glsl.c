/* The extended instructions of GLSL.std.450. */
#include <string.h>
#include <spirv/unified1/GLSL.std.450.h>
#include <spirv/unified1/spirv.h>

#include "graphics/spirv/translation.h"

/* X(instruction, expression): A, B and C are the operands. Integers are seen with the sign that the name says. */
#define FUNCTIONS(X)                                                                                                   \
  X(Round, "rint(A)")                                                                                                  \
  X(RoundEven, "rint(A)")                                                                                              \
  X(Trunc, "trunc(A)")                                                                                                 \
  X(FAbs, "fabs(A)")                                                                                                   \
  X(FSign, "sign(A)")                                                                                                  \
  X(Floor, "floor(A)")                                                                                                 \
  X(Ceil, "ceil(A)")                                                                                                   \
  X(Fract, "A - floor(A)")                                                                                             \
  X(Radians, "radians(A)")                                                                                             \
  X(Degrees, "degrees(A)")                                                                                             \
  X(Sin, "sin(A)")                                                                                                     \
  X(Cos, "cos(A)")                                                                                                     \
  X(Tan, "tan(A)")                                                                                                     \
  X(Asin, "asin(A)")                                                                                                   \
  X(Acos, "acos(A)")                                                                                                   \
  X(Atan, "atan(A)")                                                                                                   \
  X(Atan2, "atan2(A, B)")                                                                                              \
  X(Pow, "pow(A, B)")                                                                                                  \
  X(Exp, "exp(A)")                                                                                                     \
  X(Log, "log(A)")                                                                                                     \
  X(Exp2, "exp2(A)")                                                                                                   \
  X(Log2, "log2(A)")                                                                                                   \
  X(Sqrt, "sqrt(A)")                                                                                                   \
  X(InverseSqrt, "rsqrt(A)")                                                                                           \
  X(FMin, "fmin(A, B)")                                                                                                \
  X(FMax, "fmax(A, B)")                                                                                                \
  X(NMin, "fmin(A, B)")                                                                                                \
  X(NMax, "fmax(A, B)")                                                                                                \
  X(FClamp, "fmin(fmax(A, B), C)")                                                                                     \
  X(NClamp, "fmin(fmax(A, B), C)")                                                                                     \
  X(FMix, "A * (1.0f - C) + B * C")                                                                                    \
  X(Step, "step(A, B)")                                                                                                \
  X(SmoothStep, "smoothstep(A, B, C)")                                                                                 \
  X(Fma, "fma(A, B, C)")                                                                                               \
  X(Sinh, "sinh(A)")                                                                                                   \
  X(Cosh, "cosh(A)")                                                                                                   \
  X(Tanh, "tanh(A)")                                                                                                   \
  X(Asinh, "asinh(A)")                                                                                                 \
  X(Acosh, "acosh(A)")                                                                                                 \
  X(Atanh, "atanh(A)")                                                                                                 \
  X(Ldexp, "ldexp(A, B)")                                                                                              \
  X(PackHalf2x16, "as_uint(convert_half2(A))")                                                                         \
  X(UnpackHalf2x16, "convert_float2(as_half2(A))")                                                                     \
  X(Length, "sqrt({A * A})")                                                                                           \
  X(Distance, "sqrt({(A - B) * (A - B)})")                                                                             \
  X(Cross, "A.yzx * B.zxy - A.zxy * B.yzx")                                                                            \
  X(Normalize, "A * rsqrt({A * A})")                                                                                   \
  X(Reflect, "A - 2.0f * {B * A} * B")

static const struct {
  uint32_t number;
  const char *format;
} functions[] = {
#define X(name, format) {GLSLstd450##name, format},
    FUNCTIONS(X)
#undef X
};

static const struct {
  uint32_t number;
  const char *format, *type; /* A, B and C are the operands, as integers of `type` */
} integer_functions[] = {{GLSLstd450SAbs, "abs(A)", "int"},
                         {GLSLstd450SSign, "min(max(A, -1), 1)", "int"},
                         {GLSLstd450UMin, "min(A, B)", "uint"},
                         {GLSLstd450SMin, "min(A, B)", "int"},
                         {GLSLstd450UMax, "max(A, B)", "uint"},
                         {GLSLstd450SMax, "max(A, B)", "int"},
                         {GLSLstd450UClamp, "clamp(A, B, C)", "uint"},
                         {GLSLstd450SClamp, "clamp(A, B, C)", "int"},
                         {GLSLstd450FindILsb, "31 - clz(A & -A)", "int"},
                         {GLSLstd450FindUMsb, "31 - clz(A)", "int"},
                         {GLSLstd450FindSMsb, "31 - clz(A ^ (A >> 31))", "int"}};

static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Writes the character of a format, or the operand that it stands for. Literals of floats (1.0f) are those of halves
 * where the result is one. */
static void write_character(struct translation *t, const uint32_t *i, const char *format, const char *c) {
  if (*c == 'f' && c > format && c[-1] == '0' && translation_is_short(t, i[1]))
    fputc('h', t->body);
  else if (*c >= 'A' && *c <= 'C' && !is_letter(c[1]) && (c == format || !is_letter(c[-1])) &&
           5 + (*c - 'A') < spirv_length(i))
    translation_operand(t, i[5 + (*c - 'A')]);
  else
    fputc(*c, t->body);
}

/* Writes the sum of the components of what stands from behind a brace to the closing one, which is like the first
 * operand. The compiler computes the vector once. Returns where it ends. */
static const char *write_sum(struct translation *t, const uint32_t *i, const char *format, const char *begin) {
  const uint32_t components = translation_components(t, spirv_id(&t->module, i[5])->type);
  const char *end = strchr(begin, '}');
  fputc('(', t->body);
  for (uint32_t k = 0; k < components; k++) {
    fputs(k ? " + (" : "(", t->body);
    for (const char *c = begin; c < end; c++)
      write_character(t, i, format, c);
    fputc(')', t->body);
    if (components > 1)
      fprintf(t->body, ".s%x", k);
  }
  fputc(')', t->body);
  return end;
}

static void write_expression(struct translation *t, const uint32_t *i, const char *format) {
  for (const char *c = format; *c; c++)
    if (*c == '{')
      c = write_sum(t, i, format, c + 1);
    else
      write_character(t, i, format, c);
}

static bool write_integer_function(struct translation *t, const uint32_t *i) {
  for (size_t k = 0; k < sizeof integer_functions / sizeof integer_functions[0]; k++) {
    if (integer_functions[k].number != i[4])
      continue;
    fprintf(t->body, "  v%u = as_", i[2]);
    translation_type(t, i[1]);
    fputc('(', t->body);
    for (const char *c = integer_functions[k].format; *c; c++) {
      const uint32_t operand = 5 + (uint32_t)(*c - 'A');
      if (*c < 'A' || *c > 'C' || operand >= spirv_length(i)) {
        fputc(*c, t->body);
        continue;
      }
      fputs("as_", t->body);
      translation_shaped(t, integer_functions[k].type, i[1]);
      fprintf(t->body, "(v%u)", i[operand]);
    }
    fputs(");\n", t->body);
    return true;
  }
  return false;
}

/* Returns the expression of a function; NULL: it has none. */
static const char *format_of(uint32_t number) {
  for (size_t k = 0; k < sizeof functions / sizeof functions[0]; k++)
    if (functions[k].number == number)
      return functions[k].format;
  return NULL;
}

void translation_glsl(struct translation *t, const uint32_t *i) {
  if (spirv_length(i) < 6 || i[3] != t->module.glsl) {
    translation_fail(t, "an extended instruction set");
    return;
  }
  const char *format = format_of(i[4]);
  if (format) {
    translation_result(t, i[2]);
    fputs(" = ", t->body);
    write_expression(t, i, format);
    fputs(";\n", t->body);
  } else if (!write_integer_function(t, i))
    translation_fail(t, "function %u of GLSL.std.450", i[4]);
}

/* A reference of Bifrost's arithmetic: what each operation means, one part of one lane at a time. It reads the name and
 * the modifiers of an instruction, and knows neither the emulator's operands nor its functions. */
#ifndef TEST_REFERENCE_ALU_H
#define TEST_REFERENCE_ALU_H

#include <stdbool.h>
#include <stdlib.h>

#include "reference_numbers.h"
#include "tracegen/bifrost/isa/operations.h"

/* An instruction, and the sources' bits in a lane. */
struct reference_case {
  const struct instruction *in;
  uint32_t source[OPERATION_MAX_SOURCES];
};

/* The expected result of an operation. `places`: the admitted difference in the last place. Any NaN equals any. */
struct reference_result {
  uint32_t bits;
  double places;
  bool is_float;
};

static inline bool is_named(const struct instruction *in, const char *name) {
  size_t length = strlen(name);
  const char *own = in->operation->name;
  return strncmp(own, name, length) == 0 && (own[length] == '.' || own[length] == 0);
}

static inline unsigned type_bits(uint8_t type) {
  return type <= SOURCE_U32 ? 32 : type <= SOURCE_U16X2 ? 16 : 8;
}

static inline bool type_is_signed(uint8_t type) {
  return type == SOURCE_S32 || type == SOURCE_S16X2 || type == SOURCE_S8X4;
}

static inline int64_t extended_field(uint32_t word, unsigned at, unsigned bits, bool is_signed) {
  int64_t field = (int64_t)(word >> at & (((uint64_t)1 << bits) - 1));
  return is_signed && field >> (bits - 1) ? field - ((int64_t)1 << bits) : field;
}

/* Part `part` of source i as a whole number; *bits becomes how many bits it had. */
static inline int64_t whole_part(const struct reference_case *c, unsigned i, unsigned part, bool is_signed,
                                 unsigned *bits) {
  const char *text = bifrost_value_text(c->in->modifier[T_PART0 + i]);
  unsigned type = type_bits(c->in->operation->type), size = text[0] == 'h' ? 16 : 8;
  size_t digits = strlen(text) - (*text != 0);
  bool chooses = (text[0] == 'h' || text[0] == 'b') && text[1] >= '0' && text[1] <= '9';
  if (!chooses)
    return extended_field(c->source[i], part * type, *bits = type, is_signed);
  *bits = size;
  return extended_field(c->source[i], (unsigned)(text[digits == 1 ? 1 : 1 + part] - '0') * size, size, is_signed);
}

static inline int64_t whole(const struct reference_case *c, unsigned i, unsigned part) {
  unsigned bits;
  bool is_signed = type_is_signed(c->in->operation->type) || (i == 1 && c->in->modifier[T_EXTEND] == V_SEXT);
  int64_t value = whole_part(c, i, part, is_signed, &bits);
  return i == 1 && c->in->modifier[T_NOT1] == V_NOT ? ~value : value;
}

static inline double number(const struct reference_case *c, unsigned i, unsigned part) {
  unsigned bits;
  int64_t field = whole_part(c, i, part, false, &bits);
  double value = bits == 16 ? half_number((uint32_t)field) : single_value((uint32_t)field);
  if (i < 3 && c->in->modifier[T_ABS0 + i] == V_ABS)
    value = fabs(value);
  return i < 3 && c->in->modifier[T_NEG0 + i] == V_NEG ? -value : value;
}

static inline double limited(double value, uint8_t clamp) {
  if (clamp == V_CLAMP_0_INF || clamp == V_CLAMP_0_1)
    value = isnan(value) || value <= 0 ? 0 : value;
  if (clamp == V_CLAMP_M1_1 && value < -1)
    value = -1;
  return (clamp == V_CLAMP_0_1 || clamp == V_CLAMP_M1_1) && value > 1 ? 1 : value;
}

static inline bool holds(double a, double b, uint8_t comparison) {
  bool less = a<b, equal = a == b, more = a> b;
  switch (comparison) {
  case V_EQ:
    return equal;
  case V_NE:
    return !equal;
  case V_GT:
    return more;
  case V_GE:
    return more || equal;
  case V_LT:
    return less;
  case V_LE:
    return less || equal;
  default:
    return less || more;
  }
}

static inline int64_t between(int64_t value, int64_t least, int64_t most) {
  return value < least ? least : value > most ? most : value;
}

/* Whole numbers within the range of the operation's type, if it saturates. */
static inline int64_t saturated_whole(const struct reference_case *c, int64_t value) {
  unsigned bits = type_bits(c->in->operation->type);
  int64_t range = (int64_t)1 << bits;
  if (c->in->modifier[T_SATURATE] != V_SAT)
    return value;
  return type_is_signed(c->in->operation->type) ? between(value, -range / 2, range / 2 - 1)
                                                : between(value, 0, range - 1);
}

static inline double extreme(const struct reference_case *c, double a, double b, bool is_maximum) {
  uint8_t sem = c->in->modifier[T_SEM];
  if (isnan(a) || isnan(b))
    return sem == V_NAN_PROPAGATE ? (double)NAN : sem == V_C ? b : sem == V_INVERSE_C ? a : isnan(a) ? b : a;
  if (a == b) /* zeros of different signs */
    return signbit(a) == is_maximum ? b : a;
  return (a > b) == is_maximum ? a : b;
}

static inline double to_whole(double value, uint8_t round) {
  double lower = floor(value), upper = ceil(value);
  if (isnan(value) || isinf(value) || lower == upper)
    return value;
  value = takes_upper(value, lower, upper, fmod(upper, 2) == 0, round) ? upper : lower;
  return value == 0 && lower < 0 ? -0.0 : value;
}

/* The three forms of FREXP: exponents of roots are even, and fractions of logarithms lie around 1. */
static inline double apart(const struct reference_case *c, double value, int *exponent) {
  double fraction = take_apart(value, exponent);
  bool is_special = value == 0 || isnan(value) || isinf(value);
  if (c->in->modifier[T_SQRT] == V_SQRT && !is_special && *exponent % 2 != 0) {
    fraction /= 2;
    ++*exponent;
  }
  if (c->in->modifier[T_LOG] == V_LOG && !is_special && fabs(fraction) < 0.75) {
    fraction *= 2;
    --*exponent;
  }
  return c->in->modifier[T_LOG] == V_LOG && isinf(value) ? copysign(1, value) : fraction;
}

static inline int exponent_of(const struct reference_case *c, double value) {
  int exponent;
  apart(c, value, &exponent);
  exponent = c->in->modifier[T_SQRT] == V_SQRT ? exponent / 2 : exponent;
  return c->in->modifier[T_NEG0] == V_NEG ? -exponent : exponent;
}

static inline double scaled(const struct reference_case *c, double a, double b, double addend, int64_t scale) {
  double product = a * b, sum = odd_sum(product, addend);
  if (c->in->modifier[T_SPECIAL] == V_N && isnan(product))
    sum = addend;
  return limited(ldexp(sum, (int)between(scale, -3000, 3000)), c->in->modifier[T_CLAMP]);
}

#endif

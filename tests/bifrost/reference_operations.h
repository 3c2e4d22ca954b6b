/* A reference for each operation, by name: whole numbers, floats, conversions, functions that the GPU approximates. */
#ifndef TEST_REFERENCE_OPERATIONS_H
#define TEST_REFERENCE_OPERATIONS_H

#include "reference_alu.h"

static inline uint32_t truth_value(const struct reference_case *c, bool is_true, unsigned bits) {
  uint8_t result = c->in->modifier[T_RESULT_TYPE];
  if (!is_true)
    return 0;
  return result == V_M1 ? UINT32_MAX : result == V_F1 ? (bits == 16 ? 0x3c00 : 0x3f800000) : 1;
}

/* Shifts combine the shifted source with another; the name says how. */
static inline bool shift_part(const struct reference_case *c, unsigned part, int64_t *out) {
  const char *name = c->in->operation->name;
  unsigned bits = type_bits(c->in->operation->type);
  uint64_t a = (uint64_t)whole(c, 0, part), b = (uint64_t)whole(c, 1, part);
  unsigned distance = (unsigned)whole(c, 2, part) % bits;
  if (strncmp(name, "LSHIFT_", 7) != 0 && strncmp(name, "RSHIFT_", 7) != 0)
    return false;
  a = *name == 'L' ? a << distance : a >> distance;
  a = strstr(name, "_AND.") ? a & b : strstr(name, "_OR.") ? a | b : a ^ b;
  *out = (int64_t)(c->in->modifier[T_NOT_RESULT] == V_NOT ? ~a : a);
  return !strstr(name, "_DOUBLE");
}

static inline int64_t multiplexed_part(const struct reference_case *c, unsigned part) {
  unsigned bits = type_bits(c->in->operation->type);
  int64_t a = whole(c, 0, part), b = whole(c, 1, part), control = whole(c, 2, part);
  int64_t sign = (int64_t)1 << (bits - 1);
  switch (c->in->modifier[T_MUX]) {
  case V_NEG:
    return control & sign ? a : b;
  case V_FP_ZERO:
    return (control | sign) == sign ? a : b;
  case V_BIT:
    return (control & a) | (~control & b);
  default:
    return control == 0 ? a : b;
  }
}

static inline int64_t count_leading(const struct reference_case *c, unsigned part) {
  int64_t zeros = 0, bits = type_bits(c->in->operation->type), value = whole(c, 0, part);
  while (zeros < bits && !(value >> (bits - 1 - zeros) & 1))
    zeros++;
  return zeros;
}

/* Operations on whole numbers, part by part. */
static inline bool whole_operation(const struct reference_case *c, unsigned part, int64_t *out) {
  const struct instruction *in = c->in;
  int64_t a = whole(c, 0, part), b = in->source_count > 1 ? whole(c, 1, part) : 0;
  unsigned bits = type_bits(in->operation->type);
  if (is_named(in, "IADD"))
    *out = saturated_whole(c, a + b);
  else if (is_named(in, "ISUB"))
    *out = saturated_whole(c, a - b);
  else if (is_named(in, "HADD"))
    *out = (int64_t)floor(((double)a + (double)b + (in->modifier[T_ROUND] == V_RTP)) / 2);
  else if (is_named(in, "IABS"))
    *out = llabs(extended_field((uint32_t)a, 0, bits, true));
  else if (is_named(in, "IMUL"))
    *out = (int64_t)((uint64_t)a * (uint64_t)b);
  else if (is_named(in, "ICMP"))
    *out = truth_value(c, holds((double)a, (double)b, in->modifier[T_CMPF]), bits);
  else if (is_named(in, "CSEL"))
    *out = whole(c, holds((double)a, (double)b, in->modifier[T_CMPF]) ? 2 : 3, part);
  else if (is_named(in, "MUX"))
    *out = multiplexed_part(c, part);
  else if (is_named(in, "ARSHIFT"))
    *out = extended_field((uint32_t)a, 0, bits, true) >> ((unsigned)whole(c, 2, part) % bits);
  else if (is_named(in, "CLZ"))
    *out = count_leading(c, part);
  else if (is_named(in, "MOV") || is_named(in, "DTSEL_IMM") || is_named(in, "SWZ") ||
           in->operation->op_class == OP_EXTEND)
    *out = a;
  else
    return in->source_count == 3 && shift_part(c, part, out);
  return true;
}

/* Operations that put parts together or take a word apart. */
static inline bool word_operation(const struct reference_case *c, uint32_t *out) {
  const struct instruction *in = c->in;
  *out = 0;
  if (is_named(in, "BITREV"))
    for (unsigned i = 0; i < 32; i++)
      *out |= (c->source[0] << i >> 31) << i;
  else if (is_named(in, "POPCOUNT"))
    for (unsigned i = 0; i < 32; i++)
      *out += c->source[0] >> i & 1;
  else if (is_named(in, "MKVEC"))
    for (unsigned i = 0; i < in->source_count; i++)
      *out |= ((uint32_t)whole(c, i, 0) & (in->source_count == 2 ? 0xffff : 0xff)) << (32 / in->source_count * i);
  else if (is_named(in, "IDP"))
    for (unsigned i = 0; i < 32; i += 8)
      *out += (uint32_t)(extended_field(c->source[0], i, 8, in->modifier[T_SIGN0] == V_SEXT) *
                         extended_field(c->source[1], i, 8, in->modifier[T_SIGN1] == V_SEXT));
  else if (is_named(in, "SHADDXL"))
    *out = c->source[0] + ((uint32_t)whole(c, 1, 0) << in->number[NUMBER_SHIFT]);
  else
    return false;
  return true;
}

/* A sum that is zero but not of two zeros of one sign is a negative zero when it is rounded down. */
static inline double signed_zero(double sum, double a, double b, uint8_t round) {
  return sum == 0 && signbit(a) != signbit(b) && round == V_RTN ? -0.0 : sum;
}

/* Operations on floats whose results are exact before they are rounded once. */
static inline bool float_operation(const struct reference_case *c, unsigned part, double *out) {
  const struct instruction *in = c->in;
  double a = number(c, 0, part), b = in->source_count > 1 ? number(c, 1, part) : 0;
  uint8_t clamp = in->modifier[T_CLAMP];
  int exponent;
  if (is_named(in, "FADD"))
    *out = limited(signed_zero(odd_sum(a, b), a, b, in->modifier[T_ROUND]), clamp);
  else if (is_named(in, "FMA"))
    *out = limited(signed_zero(odd_sum(a * b, number(c, 2, part)), a * b, number(c, 2, part), in->modifier[T_ROUND]),
                   clamp);
  else if (is_named(in, "FMAX") || is_named(in, "FMIN"))
    *out = limited(extreme(c, a, b, is_named(in, "FMAX")), clamp);
  else if (is_named(in, "FROUND"))
    *out = to_whole(a, in->modifier[T_ROUND]);
  else if (is_named(in, "QUIET") || is_named(in, "F16_TO_F32"))
    *out = a;
  else if (is_named(in, "FREXPM"))
    *out = apart(c, a, &exponent);
  else if (is_named(in, "FADD_LSCALE"))
    *out = odd_sum(a, fabs(take_apart(b, &exponent)) < 0.75 ? 2 * take_apart(b, &exponent) : take_apart(b, &exponent));
  else
    return false;
  return true;
}

/* The scale is the last source, a whole number as wide as a part. */
static inline bool scale_operation(const struct reference_case *c, unsigned part, double *out) {
  const struct instruction *in = c->in;
  unsigned last = in->source_count - 1u, bits = type_bits(in->operation->type);
  int64_t scale = extended_field(c->source[last], part * bits, bits, true);
  if (is_named(in, "FMA_RSCALE"))
    *out = scaled(c, number(c, 0, part), number(c, 1, part), number(c, 2, part), scale);
  else if (is_named(in, "FADD_RSCALE"))
    *out = scaled(c, number(c, 0, part), 1, number(c, 1, part), scale);
  else if (is_named(in, "LDEXP"))
    *out = ldexp(number(c, 0, part), (int)between(scale, -3000, 3000));
  else
    return false;
  return true;
}

/* Conversions between floats and whole numbers, and choices by comparing floats. */
static inline bool mixed_operation(const struct reference_case *c, unsigned part, uint32_t *out) {
  const struct instruction *in = c->in;
  const char *name = in->operation->name, *to = strstr(name, "_TO_");
  uint8_t round = in->modifier[T_ROUND];
  unsigned bits = type_bits(in->operation->type);
  if (is_named(in, "FCMP"))
    *out = truth_value(c, holds(number(c, 0, part), number(c, 1, part), in->modifier[T_CMPF]), bits);
  else if (is_named(in, "CSEL"))
    *out = c->source[holds(number(c, 0, part), number(c, 1, part), in->modifier[T_CMPF]) ? 2 : 3] >> (part * bits);
  else if (is_named(in, "FREXPE"))
    *out = (uint32_t)exponent_of(c, number(c, 0, part));
  else if (is_named(in, "V2F32_TO_V2F16"))
    *out = 0; /* the pair has its own function */
  else if (to && strchr(to, 'F') && (name[0] == 'S' || name[0] == 'U'))
    *out = single_rounded((double)whole(c, 0, 0), round);
  else if (to && strchr(to, 'F') && strncmp(name, "V2F", 3) != 0 && name[0] == 'V')
    *out = half_rounded((double)whole(c, 0, part), round);
  else if (to && (strchr(to, 'S') || strchr(to, 'U'))) {
    double value = to_whole(number(c, 0, part), round), range = ldexp(1, (int)bits);
    double least = strchr(to, 'S') ? -range / 2 : 0, most = strchr(to, 'S') ? range / 2 - 1 : range - 1;
    *out = isnan(value) ? 0 : (uint32_t)(int64_t)(value < least ? least : value > most ? most : value);
  } else
    return false;
  return true;
}

/* 2 to the power of a fixed-point number with 24 bits behind the point. Where it is saturated, and where `number` is no
 * number, `number` (the same times 2^24) counts. */
static inline long double power_of_two(int32_t fixed, long double number) {
  const bool is_saturated = fixed == INT32_MAX || fixed == INT32_MIN;
  return isnan(number) ? number : exp2l((is_saturated ? number : fixed) / 16777216);
}

/* The fraction of a number in the range for logarithms, 0.75 to 1.5, from one of 0.5 to 1. */
static inline long double logarithm_fraction(long double fraction) {
  return fraction < 0.75L ? 2 * fraction : fraction;
}

/* The base-2 logarithm of a number's fraction, divided by the fraction less 1. */
static inline long double logarithm_slope(long double a, long double fraction) {
  const long double rest = logarithm_fraction(fraction) - 1;
  if (isnan(a) || a < 0)
    return (long double)NAN;
  if (a == 0 || isinf(a))
    return (long double)INFINITY;
  return (rest == 0 ? 1 : log1pl(rest) / rest) * 1.44269504088896340735992468100189214L;
}

/* The reciprocal of a fraction, rounded to five bits: a logarithm's argument times it lies near 1. */
static inline long double five_bit_reciprocal(long double a, long double fraction) {
  const float reciprocal = (float)(1 / logarithm_fraction(fraction));
  const float steps = reciprocal < 1 ? 32 : 16;
  return a > 0 && !isinf(a) ? (long double)(floorf(reciprocal * steps + 0.5f) / steps) : 1;
}

/* The factor that reduces a logarithm's argument, or the logarithm of one over that factor. */
static inline long double table_logarithm(const struct reference_case *c, long double a, long double fraction) {
  const long double factor = five_bit_reciprocal(a, fraction);
  if (c->in->modifier[T_MODE] == V_RED)
    return factor;
  if (isnan(a) || a < 0)
    return (long double)NAN;
  if (a == 0 || isinf(a))
    return a == 0 ? -(long double)INFINITY : (long double)INFINITY;
  return c->in->modifier[T_MODE] == V_NATURAL ? -logl(factor) : -log2l(factor);
}

/* Functions that the GPU approximates. */
static inline bool special_operation(const struct reference_case *c, long double *out, double *places) {
  const struct instruction *in = c->in;
  long double a = (long double)number(c, 0, 0), fraction;
  int exponent;
  *places = 1;
  fraction = (long double)take_apart((double)a, &exponent);
  if (is_named(in, "FRCP"))
    *out = 1 / a;
  else if (is_named(in, "FRSQ"))
    *out = 1 / sqrtl(a);
  else if (is_named(in, "FRCP_APPROX"))
    *places = 128, *out = 1 / fraction;
  else if (is_named(in, "FRSQ_APPROX"))
    *places = 128, *out = 1 / sqrtl(exponent % 2 && isfinite(fraction) ? fraction / 2 : fraction);
  else if (is_named(in, "FEXP"))
    *out = power_of_two((int32_t)c->source[0], (long double)number(c, 1, 0));
  else if (is_named(in, "FLOGD"))
    *out = logarithm_slope(a, fraction);
  else if (is_named(in, "FLOG_TABLE"))
    *out = table_logarithm(c, a, fraction);
  else if (is_named(in, "FEXP_TABLE"))
    *out = powl(2, (long double)(c->source[0] & 15) / 16);
  else if (is_named(in, "FSIN_TABLE"))
    *out = sinl((c->source[0] & 63) * 3.14159265358979323846L / 32);
  else if (is_named(in, "FCOS_TABLE"))
    *out = cosl((c->source[0] & 63) * 3.14159265358979323846L / 32);
  else
    return false;
  if (strstr(in->operation->name, "_TABLE.u6") &&
      fabsl(*out) < 1e-15L) /* the table's angles are exact, pi here is not */
    *out = 0;
  return true;
}

#endif

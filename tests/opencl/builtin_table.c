#include "builtin_table.h"

#define ALL_WIDTHS  (1u << 1 | 1u << 2 | 1u << 3 | 1u << 4 | 1u << 8 | 1u << 16)
#define ALL_VECTORS (ALL_WIDTHS & ~(1u << 1))
#define NATIVE      16384 /* twice the half_ forms' bound; the specification leaves it to the implementation */

/* 6.12.2, bounds of section 7.4. */
static const struct builtin_row math[] = {
    {"acos(x)", "", 8},
    {"acosh(x)", "", 8},
    {"acospi(x)", "", 10},
    {"asin(x)", "", 8},
    {"asinh(x)", "", 8},
    {"asinpi(x)", "", 10},
    {"atan(x)", "", 10},
    {"atan2(x, y)", "", 12},
    {"atanh(x)", "", 10},
    {"atanpi(x)", "", 10},
    {"atan2pi(x, y)", "", 12},
    {"cbrt(x)", "", 4},
    {"ceil(x)", "", 0},
    {"copysign(x, y)", "", 0},
    {"cos(x)", "", 8},
    {"cosh(x)", "", 8},
    {"cospi(x)", "", 8},
    {"erfc(x)", "", 32},
    {"erf(x)", "", 32},
    {"exp(x)", "", 6},
    {"exp2(x)", "", 6},
    {"exp10(x)", "", 6},
    {"expm1(x)", "", 6},
    {"fabs(x)", "", 0},
    {"fdim(x, y)", "", 0},
    {"floor(x)", "", 0},
    {"fma(x, y, z)", "", 0},
    {"fmax(x, y)", "", 0},
    {"fmax(x, (S)1)", "", 0},
    {"fmin(x, y)", "", 0},
    {"fmin(x, (S)1)", "", 0},
    {"fmod(x, y)", "", 0},
    {"({ T t; fract(x, &t); })", "", 0},
    {"({ T t; fract(x, &t); t; })", "", 0},
    {"({ I t; frexp(x, &t); })", "", 0},
    {"({ I t; frexp(fmin(fmax(y, (S)-8), (S)8), &t); t; })", "I", 0},
    {"hypot(x, y)", "", 8},
    {"ilogb(x)", "I", 0},
    {"ldexp(x, (I)3)", "", 0},
    {"ldexp(x, -7)", "", 0},
    {"lgamma(fabs(x))", "", 64},
    {"({ I t; lgamma_r(fabs(x), &t); })", "", 64},
    {"log(x)", "", 6},
    {"log2(x)", "", 6},
    {"log10(x)", "", 6},
    {"log1p(x)", "", 4},
    {"logb(x)", "", 0},
    {"maxmag(x, y)", "", 0},
    {"minmag(x, y)", "", 0},
    {"({ T t; modf(x, &t); })", "", 0},
    {"({ T t; modf(x, &t); t; })", "", 0},
    {"nan((U)5)", "", 0},
    {"nextafter(x, y)", "", 0},
    {"pow(x, y)", "", 32},
    {"pown(x, (I)3)", "", 32},
    {"powr(fabs(x), y)", "", 32},
    {"remainder(x, y)", "", 0},
    {"({ I t; remquo(x, y, &t); })", "", 0},
    {"rint(x)", "", 0},
    {"rootn(x, (I)3)", "", 32},
    {"round(x)", "", 0},
    {"rsqrt(x)", "", 4},
    {"sin(x)", "", 8},
    {"({ T t; sincos(x, &t); })", "", 8},
    {"({ T t; sincos(x, &t); t; })", "", 8},
    {"sinh(x)", "", 8},
    {"sinpi(x)", "", 8},
    {"sqrt(x)", "", 6},
    {"tan(x)", "", 10},
    {"tanh(x)", "", 10},
    {"tanpi(x)", "", 12},
    {"trunc(x)", "", 0},
};

/* The same section; only for float. */
static const struct builtin_row native[] = {
    {"half_cos(x)", "", NATIVE},         {"half_divide(x, y)", "", NATIVE}, {"half_exp(x)", "", NATIVE},
    {"half_exp2(x)", "", NATIVE},        {"half_exp10(x)", "", NATIVE},     {"half_log(x)", "", NATIVE},
    {"half_log2(x)", "", NATIVE},        {"half_log10(x)", "", NATIVE},     {"half_powr(x, y)", "", NATIVE},
    {"half_recip(x)", "", NATIVE},       {"half_rsqrt(x)", "", NATIVE},     {"half_sin(x)", "", NATIVE},
    {"half_sqrt(x)", "", NATIVE},        {"half_tan(x)", "", NATIVE},       {"native_cos(x)", "", NATIVE},
    {"native_divide(x, y)", "", NATIVE}, {"native_exp(x)", "", NATIVE},     {"native_exp2(x)", "", NATIVE},
    {"native_exp10(x)", "", NATIVE},     {"native_log(x)", "", NATIVE},     {"native_log2(x)", "", NATIVE},
    {"native_log10(x)", "", NATIVE},     {"native_powr(x, y)", "", NATIVE}, {"native_recip(x)", "", NATIVE},
    {"native_rsqrt(x)", "", NATIVE},     {"native_sin(x)", "", NATIVE},     {"native_sqrt(x)", "", NATIVE},
    {"native_tan(x)", "", NATIVE},
};

/* Where infinities and zeros leave room for choice: mad rounds or not, tgamma has no bound in 1.2. */
static const struct builtin_row tame_math[] = {
    {"mad(x, y, z)", "", 4},
    {"tgamma(x)", "", 32},
    /* 6.12.4 */
    {"clamp(x, y, y + z)", "", 0},
    {"clamp(x, (S)1, (S)2)", "", 0},
    {"degrees(x)", "", 4},
    {"max(x, y)", "", 0},
    {"max(x, (S)1)", "", 0},
    {"min(x, y)", "", 0},
    {"min(x, (S)1)", "", 0},
    {"mix(x, y, z)", "", 8},
    {"mix(x, y, (S)0.25)", "", 8},
    {"radians(x)", "", 4},
    {"step(x, y)", "", 0},
    {"step((S)1, y)", "", 0},
    {"smoothstep(x, x + y, z)", "", 16},
    {"smoothstep((S)0, (S)3, z)", "", 16},
    {"sign(x)", "", 0},
};

/* 6.12.3 */
static const struct builtin_row integer[] = {
    {"abs(x)", "U", 0},
    {"abs_diff(x, y)", "U", 0},
    {"add_sat(x, y)", "", 0},
    {"hadd(x, y)", "", 0},
    {"rhadd(x, y)", "", 0},
    {"clamp(x, min(y, z), max(y, z))", "", 0},
    {"clamp(x, (S)3, (S)100)", "", 0},
    {"clz(x)", "", 0},
    {"mad_hi(x, y, z)", "", 0},
    {"mad_sat(x, y, z)", "", 0},
    {"max(x, y)", "", 0},
    {"max(x, (S)5)", "", 0},
    {"min(x, y)", "", 0},
    {"min(x, (S)5)", "", 0},
    {"mul_hi(x, y)", "", 0},
    {"rotate(x, y)", "", 0},
    {"sub_sat(x, y)", "", 0},
    {"popcount(x)", "", 0},
    /* 6.12.6 */
    {"bitselect(x, y, z)", "", 0},
    {"select(x, y, CAT(as_, J)(z))", "", 0},
    {"select(x, y, CAT(as_, U)(z))", "", 0},
};
static const struct builtin_row signed_tests[] = {{"any(CAT(as_, J)(x))", "1int", 0},
                                                  {"all(CAT(as_, J)(x))", "1int", 0}};
static const struct builtin_row upsample[] = {{"upsample(x, CAT(as_, U)(y))", "DOUBLE", 0}};
static const struct builtin_row of_24_bits[] = {{"mad24(x, y, z)", "", 0}, {"mul24(x, y)", "", 0}};

/* 6.12.5 */
static const struct builtin_row geometric[] = {
    {"dot(x, y)", "1S", 16},
    {"distance(x, y)", "1S", 16},
    {"length(x)", "1S", 16},
    {"normalize(x)", "", 16},
};
static const struct builtin_row native_geometric[] = {
    {"fast_distance(x, y)", "1S", NATIVE}, {"fast_length(x)", "1S", NATIVE}, {"fast_normalize(x)", "", NATIVE}};
static const struct builtin_row cross_product[] = {{"cross(x, y)", "", 65536}}; /* cancellation */

/* 6.12.6 */
/* clang-format off */
#define TEST(call) \
  {call, "TEST", 0}
/* clang-format on */
static const struct builtin_row relational[] = {
    TEST("isequal(x, y)"),
    TEST("isnotequal(x, y)"),
    TEST("isgreater(x, y)"),
    TEST("isgreaterequal(x, y)"),
    TEST("isless(x, y)"),
    TEST("islessequal(x, y)"),
    TEST("islessgreater(x, y)"),
    TEST("isfinite(x)"),
    TEST("isinf(x)"),
    TEST("isnan(x)"),
    TEST("isnormal(x)"),
    TEST("isordered(x, y)"),
    TEST("isunordered(x, y)"),
    TEST("signbit(x)"),
    {"bitselect(x, y, z)", "", 0},
    {"select(x, y, CAT(as_, J)(z))", "", 0},
    {"select(x, y, CAT(as_, U)(z))", "", 0},
};

/* 6.12.12, and vec_step. */
static const struct builtin_row shuffles[] = {
    {"shuffle(x, CAT(as_, U)(y))", "", 0},
    {"shuffle2(x, y, CAT(as_, U)(z))", "", 0},
    {"vec_step(T)", "1int", 0},
    {"vec_step(x)", "1int", 0},
};

/* clang-format off */
#define GROUP(name, types, widths, values, rows) \
  {name, types, widths, values, rows, sizeof(rows) / sizeof *(rows)}
/* clang-format on */
const struct builtin_group builtin_groups[] = {
    GROUP("math", FLOATING, ALL_WIDTHS, ANY_VALUE, math),
    GROUP("tame_math", FLOATING, ALL_WIDTHS, TAME_VALUE, tame_math),
    GROUP("native", FLOATING, ALL_WIDTHS, TAME_VALUE, native),
    GROUP("relational", FLOATING, ALL_WIDTHS, ANY_VALUE, relational),
    GROUP("geometric", FLOATING, 1u << 1 | 1u << 2 | 1u << 3 | 1u << 4, TAME_VALUE, geometric),
    GROUP("native_geometric", FLOATING, 1u << 1 | 1u << 2 | 1u << 3 | 1u << 4, TAME_VALUE, native_geometric),
    GROUP("cross", FLOATING, 1u << 3 | 1u << 4, TAME_VALUE, cross_product),
    GROUP("integer", INTEGERS, ALL_WIDTHS, ANY_VALUE, integer),
    GROUP("tests", INTEGERS, ALL_WIDTHS, ANY_VALUE, signed_tests),
    GROUP("upsample", SMALL_INTEGERS | INTS, ALL_WIDTHS, ANY_VALUE, upsample),
    GROUP("of_24_bits", INTS, ALL_WIDTHS, SMALL_VALUE, of_24_bits),
    GROUP("shuffle", FLOATING | INTEGERS, ALL_VECTORS & ~(1u << 3), ANY_VALUE, shuffles),
};
const size_t builtin_group_count = sizeof builtin_groups / sizeof *builtin_groups;

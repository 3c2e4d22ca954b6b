/* Built-in functions of extensions: bit operations equal loops over bits, dot products of integers equal sums of
 * products in 64 bits, atomic functions on floating-point numbers leave the sum, the least and the greatest number. */
#include "expect_error.h"

#include <inttypes.h>

#include "emulate_text.h"
#include "workload/scalar_element.h"

enum { ITEMS = 4096 };

static void run(struct emulate_text *t, const char *source, const char *options, const char *buffers,
                const char *launch) {
  char *yaml = text_format("options: \"-cl-std=CL3.0 %s\"\nbuffers:\n%slaunches:\n  - {kernel: k, %s}\n", options,
                           buffers, launch);
  assert_non_null(yaml);
  if (emulate_text_run(t, "extensions", source, yaml, &(struct emulate_options){.quiet = true}))
    fail_msg("%s: %s:%u: %s", options, t->error.file, t->error.line, t->error.text);
  free(yaml);
}

/* ---- bits ---- */

static uint64_t hashed(uint64_t i) {
  const uint64_t x = (i + 1) * 0x9e3779b97f4a7c15u;
  return x ^ x >> 29;
}

static const char bit_kernel[] =
    "ulong hashed(ulong i) {\n  ulong x = (i + 1) * 0x9e3779b97f4a7c15ul;\n  return x ^ x >> 29;\n}\n"
    "kernel void k(global T *o) {\n  const uint i = get_global_id(0), n = get_global_size(0);\n"
    "  const T x = (T)hashed(i), y = (T)hashed(i + 77777);\n"
    "  const uint first = i % (W + 1), count = i / 71 % (W + 1 - first);\n"
    "  o[i] = bit_reverse(x);\n  o[i + n] = bitfield_insert(x, y, first, count);\n"
    "  o[i + 2 * n] = (T)bitfield_extract_unsigned(x, first, count);\n"
    "  o[i + 3 * n] = (T)bitfield_extract_signed(x, first, count);\n"
    "  const PAIR both = bitfield_insert((PAIR)(x, y), (PAIR)(y, x), first, count) ^ bit_reverse((PAIR)(x, y));\n"
    "  o[i + 4 * n] = both.x;\n  o[i + 5 * n] = both.y;\n}\n";

static bool bit(uint64_t x, unsigned at) {
  return x >> at & 1;
}

static uint64_t reversed(uint64_t x, unsigned width) {
  uint64_t result = 0;
  for (unsigned k = 0; k < width; k++)
    result |= (uint64_t)bit(x, k) << (width - 1 - k);
  return result;
}

static uint64_t inserted(uint64_t x, uint64_t y, unsigned first, unsigned count, unsigned width) {
  uint64_t result = 0;
  for (unsigned k = 0; k < width; k++)
    result |= (uint64_t)(k >= first && k < first + count ? bit(y, k - first) : bit(x, k)) << k;
  return result;
}

static uint64_t extracted(uint64_t x, unsigned first, unsigned count, unsigned width, bool sign) {
  uint64_t result = 0;
  for (unsigned k = 0; k < width; k++)
    result |= (uint64_t)(k < count ? bit(x, first + k) : sign && count > 0 && bit(x, first + count - 1)) << k;
  return result;
}

static uint64_t expected_bits(unsigned output, uint32_t i, unsigned width) {
  const uint64_t mask = width == 64 ? UINT64_MAX : ((uint64_t)1 << width) - 1;
  const uint64_t x = hashed(i) & mask, y = hashed(i + 77777) & mask;
  const unsigned first = i % (width + 1), count = i / 71 % (width + 1 - first);
  switch (output) {
  case 0:
    return reversed(x, width);
  case 1:
    return inserted(x, y, first, count, width);
  case 2:
  case 3:
    return extracted(x, first, count, width, output == 3);
  case 4:
    return inserted(x, y, first, count, width) ^ reversed(x, width);
  default:
    return inserted(y, x, first, count, width) ^ reversed(y, width);
  }
}

static void check_bits(const char *type, unsigned width) {
  char options[64], buffers[80];
  struct emulate_text t;
  snprintf(options, sizeof options, "-DT=%s -DPAIR=%s2 -DW=%u", type, type, width);
  snprintf(buffers, sizeof buffers, "  O: {type: %s, count: %d}\n", type, 6 * ITEMS);
  run(&t, bit_kernel, options, buffers, "global: 4096, local: 64, args: [{buffer: O}]");
  for (unsigned output = 0; output < 6; output++)
    for (uint32_t i = 0; i < ITEMS; i++) {
      uint64_t found = 0;
      memcpy(&found, (const char *)t.result.buffers[0] + (size_t)(output * ITEMS + i) * width / 8, width / 8);
      if (found != expected_bits(output, i, width))
        fail_msg("%s, function %u of item %u: found 0x%" PRIx64 ", expected 0x%" PRIx64, type, output, i, found,
                 expected_bits(output, i, width));
    }
  emulate_text_clear(&t);
}

static void bit_operations(void **state) {
  (void)state;
  check_bits("char", 8);
  check_bits("ushort", 16);
  check_bits("int", 32);
  check_bits("ulong", 64);
}

/* ---- dot products ---- */

static const char dot_kernel[] =
    "kernel void k(global const uint *x, global const uint *y, global int *o) {\n"
    "  const uint i = get_global_id(0), n = get_global_size(0);\n  const uint a = x[i], b = y[i];\n"
    "  const int c = (int)(a ^ b) | 0x7fff0000;\n"
    "  o[i] = dot_4x8packed_ss_int(a, b);\n  o[i + n] = (int)dot_4x8packed_uu_uint(a, b);\n"
    "  o[i + 2 * n] = dot_4x8packed_su_int(a, b);\n  o[i + 3 * n] = dot_4x8packed_us_int(a, b);\n"
    "  o[i + 4 * n] = dot_acc_sat_4x8packed_ss_int(a, b, c);\n"
    "  o[i + 5 * n] = (int)dot_acc_sat_4x8packed_uu_uint(a, b, (uint)c | 0xffff0000u);\n"
    "  o[i + 6 * n] = dot(as_char4(a), as_char4(b));\n  o[i + 7 * n] = (int)dot(as_uchar4(a), as_uchar4(b));\n"
    "  o[i + 8 * n] = dot(as_char4(a), as_uchar4(b));\n  o[i + 9 * n] = dot(as_uchar4(a), as_char4(b));\n"
    "  o[i + 10 * n] = dot_acc_sat(as_uchar4(a), as_char4(b), c);\n"
    "  o[i + 11 * n] = arm_dot(as_char4(a), as_char4(b));\n"
    "  o[i + 12 * n] = (int)arm_dot_acc(as_uchar4(a), as_uchar4(b), (uint)c);\n"
    "  o[i + 13 * n] = arm_dot_acc(as_short2(a), as_short2(b), c);\n"
    "  o[i + 14 * n] = arm_dot_acc_sat(as_char4(a), as_char4(b), c);\n}\n";

/* The signs of both operands, the bits of an element, what is added, and whether the sum saturates. */
static const struct dot {
  bool first, second;
  unsigned width;
  enum { NOTHING, OWN, HIGH } added;
  bool saturates;
} dots[] = {{true, true, 8, NOTHING, false},  {false, false, 8, NOTHING, false}, {true, false, 8, NOTHING, false},
            {false, true, 8, NOTHING, false}, {true, true, 8, OWN, true},        {false, false, 8, HIGH, true},
            {true, true, 8, NOTHING, false},  {false, false, 8, NOTHING, false}, {true, false, 8, NOTHING, false},
            {false, true, 8, NOTHING, false}, {false, true, 8, OWN, true},       {true, true, 8, NOTHING, false},
            {false, false, 8, OWN, false},    {true, true, 16, OWN, false},      {true, true, 8, OWN, true}};

static int64_t part(uint32_t word, unsigned at, unsigned width, bool with_sign) {
  const uint32_t bits = word >> at & ((1u << width) - 1);
  return with_sign && bits >> (width - 1) ? (int64_t)bits - (1 << width) : (int64_t)bits;
}

static uint32_t expected_dot(const struct dot *d, uint32_t a, uint32_t b) {
  const bool with_sign = d->first || d->second;
  const uint32_t own = (a ^ b) | 0x7fff0000, high = own | 0xffff0000;
  const int64_t least = with_sign ? INT32_MIN : 0, most = with_sign ? INT32_MAX : UINT32_MAX;
  int64_t sum = d->added == NOTHING ? 0 : d->added == HIGH ? (int64_t)high : with_sign ? (int32_t)own : (int64_t)own;
  for (unsigned at = 0; at < 32; at += d->width)
    sum += part(a, at, d->width, d->first) * part(b, at, d->width, d->second);
  return (uint32_t)(!d->saturates ? sum : sum < least ? least : sum > most ? most : sum);
}

static void dot_products(void **state) {
  (void)state;
  struct emulate_text t;
  run(&t, dot_kernel, "",
      "  X: {type: uint, count: 4096, init: uniform, low: 0, high: 4294967295}\n"
      "  Y: {type: uint, count: 4096, init: uniform, low: 0, high: 4294967295}\n  O: {type: int, count: 61440}\n",
      "global: 4096, local: 64, args: [{buffer: X}, {buffer: Y}, {buffer: O}]");
  const uint32_t *x = t.result.buffers[0], *y = t.result.buffers[1], *o = t.result.buffers[2];
  for (uint32_t d = 0; d < sizeof dots / sizeof *dots; d++)
    for (uint32_t i = 0; i < ITEMS; i++)
      if (o[d * ITEMS + i] != expected_dot(&dots[d], x[i], y[i]))
        fail_msg("product %u of 0x%08x and 0x%08x: found 0x%08x, expected 0x%08x", d, x[i], y[i], o[d * ITEMS + i],
                 expected_dot(&dots[d], x[i], y[i]));
  emulate_text_clear(&t);
}

/* ---- atomic functions ---- */

/* Whole numbers, whose sums are exact in any order. Generic, global and local pointers. */
static const char atomic_kernel[] =
    "kernel void k(global const int *x, global A *o, global T *old) {\n"
    "  local A in_local;\n  const int i = get_global_id(0);\n  const T v = (T)x[i];\n"
    "  if (get_local_id(0) == 0)\n    atomic_store(&in_local, (T)0);\n  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  old[i] = atomic_fetch_add_explicit(o, v, memory_order_relaxed, memory_scope_device);\n"
    "  atomic_fetch_sub(o + 1, v);\n  atomic_fetch_min_explicit(o + 2, v, memory_order_relaxed);\n"
    "  A *anywhere = o + 3;\n  atomic_fetch_max(anywhere, v);\n"
    "  atomic_fetch_add_explicit(&in_local, v, memory_order_relaxed, memory_scope_work_group);\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  if (get_local_id(0) == 0)\n    atomic_fetch_add(o + 4, atomic_load(&in_local));\n}\n";

static void check_atomics(const char *type) {
  char options[64], buffers[256];
  struct emulate_text t;
  double sum = 0, least = 0, greatest = 0;
  snprintf(options, sizeof options, "-DT=%s -DA=atomic_%s", type, type);
  snprintf(buffers, sizeof buffers,
           "  X: {type: int, count: 4096, init: uniform, low: -900, high: 900}\n  O: {type: %s, count: 5}\n"
           "  OLD: {type: %s, count: 4096}\n",
           type, type);
  run(&t, atomic_kernel, options, buffers, "global: 4096, local: 64, args: [{buffer: X}, {buffer: O}, {buffer: OLD}]");
  const enum scalar_type scalar = t.workload->buffers[1].type;
  const int *x = t.result.buffers[0];
  for (uint32_t i = 0; i < ITEMS; i++) {
    assert_true(scalar_element_value(scalar, t.result.buffers[2], i) == sum); /* work-items run in order */
    sum += x[i];
    least = x[i] < least ? x[i] : least;
    greatest = x[i] > greatest ? x[i] : greatest;
  }
  const double expected[] = {sum, -sum, least, greatest, sum};
  for (size_t k = 0; k < 5; k++)
    if (scalar_element_value(scalar, t.result.buffers[1], k) != expected[k])
      fail_msg("%s %zu: found %g, expected %g", type, k, scalar_element_value(scalar, t.result.buffers[1], k),
               expected[k]);
  emulate_text_clear(&t);
}

static void float_atomics(void **state) {
  (void)state;
  check_atomics("float");
  check_atomics("double");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(bit_operations), cmocka_unit_test(dot_products),
                                     cmocka_unit_test(float_atomics)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

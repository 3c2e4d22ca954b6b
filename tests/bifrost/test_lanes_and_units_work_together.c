/* Operations that read other lanes, that the two units of a tuple share, and that are pieces of a logarithm or power. */
#include "expect_error.h"

#include <math.h>
#include <string.h>

#include "tracegen/bifrost/alu/lanes.h"
#include "tracegen/bifrost/alu/rounding.h"

/* A call with modifiers that a test sets. */
struct call {
  uint8_t modifier[T_COUNT];
  struct lanes wide, in[4], out;
};

static void call(struct call *c, alu_function *function, uint8_t active, uint32_t number) {
  const struct lanes *const in[] = {&c->in[0], &c->in[1], &c->in[2], &c->in[3]};
  const struct alu_call alu = {
      .modifier = c->modifier, .number = number, .active = active, .local_base = 0x7e0000fffffff0, .wide = &c->wide};
  function(&c->out, in, &alu);
}

static void fill(struct lanes *lanes, uint32_t first, uint32_t step) {
  for (uint32_t i = 0; i < WARP_LANES; i++)
    lanes->at[i] = first + i * step;
}

static void lanes_read_lanes_of_their_group(void **state) {
  struct call c = {.modifier = {[T_SUBGROUP] = V_SUBGROUP4, [T_LANE_OP] = V_NONE}};
  (void)state;
  fill(&c.in[0], 100, 1);
  fill(&c.in[1], 1, 0);
  call(&c, alu_clper, 0xff, 0);
  for (uint32_t i = 0; i < WARP_LANES; i++)
    assert_int_equal(c.out.at[i], i < 4 ? 101 : 105);
  c.modifier[T_LANE_OP] = V_XOR;
  call(&c, alu_clper, 0xff & ~(1 << 2), 0);
  for (uint32_t i = 0; i < WARP_LANES; i++)
    assert_int_equal(c.out.at[i], i == 3 ? 0 : 100 + (i ^ 1)); /* lane 2 does not run */
}

static void masks_hold_a_bit_for_each_lane(void **state) {
  struct call c = {.modifier = {[T_SUBGROUP] = V_SUBGROUP8}};
  (void)state;
  fill(&c.in[0], 0, 1);
  c.in[0].at[5] = 0;
  call(&c, alu_wmask, 0x7f, 0);
  assert_int_equal(c.out.at[0], 0x5e);
  call(&c, alu_wmask, 0x7f, 1);
  assert_int_equal(c.out.at[7], 0xde);
  c.modifier[T_SUBGROUP] = V_SUBGROUP4;
  call(&c, alu_wmask, 0xff, 0);
  assert_int_equal(c.out.at[1], 0xe);
  assert_int_equal(c.out.at[4], 0xd);
}

/* base + (offset << 3), in two halves. */
static void two_units_add_64_bits(void **state) {
  struct call c = {0};
  (void)state;
  fill(&c.in[0], 0xfffffff0, 1);
  fill(&c.in[1], 0x30000001, 1);
  call(&c, alu_shaddxl_u32, 0xff, 3);
  for (uint32_t i = 0; i < WARP_LANES; i++)
    assert_int_equal(c.out.at[i], (uint32_t)(0xfffffff0 + i + ((0x30000001 + i) << 3)));
  fill(&c.in[0], 0x12, 0);
  fill(&c.in[1], 0, 0);
  call(&c, alu_shaddxh_i32, 0xff, 3);
  for (uint32_t i = 0; i < WARP_LANES; i++)
    assert_int_equal(c.out.at[i], 0x12 + ((0xfffffff0u + i + ((uint64_t)(0x30000001 + i) << 3)) >> 32));
  fill(&c.in[0], 0, 0);
  fill(&c.in[1], 0xffffffff, 0);
  call(&c, alu_shaddxl_s32, 0xff, 2);
  assert_int_equal(c.out.at[0], 0xfffffffc);
  assert_int_equal(c.wide.at[0], 0xffffffff);
}

static void segments_have_addresses(void **state) {
  struct call c = {.modifier = {[T_SEG] = V_WLS}};
  (void)state;
  fill(&c.in[0], 0, 4);
  call(&c, alu_seg_add_low, 0xff, 0);
  assert_int_equal(c.out.at[3], 0xfffffff0u + 12);
  assert_int_equal(c.out.at[5], 4);
  fill(&c.in[0], 0, 0);
  call(&c, alu_seg_add_high, 0xff, 0);
  assert_int_equal(c.out.at[3], 0x7e0000);
  assert_int_equal(c.out.at[5], 0x7e0001);
  c.modifier[T_PRESERVE_NULL] = V_PRESERVE_NULL;
  call(&c, alu_seg_add_low, 0xff, 0);
  assert_int_equal(c.out.at[0], 0);
  assert_int_equal(c.wide.at[0], 0);
}

static void atomic_results_combine(void **state) {
  static const struct {
    uint8_t opcode;
    uint32_t result;
  } cases[] = {{V_AADD, 2},           {V_ASMIN, 0xfffffffd}, {V_ASMAX, 5},        {V_AUMIN, 5},
               {V_AUMAX, 0xfffffffd}, {V_AAND, 5},           {V_AOR, 0xfffffffd}, {V_AXOR, 0xfffffff8}};
  struct call c = {0};
  (void)state;
  fill(&c.in[0], 5, 0);
  fill(&c.in[1], 0xfffffffd, 0);
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    c.modifier[T_ATOM_OPC] = cases[i].opcode;
    call(&c, alu_atom_post_i32, 0xff, 0);
    assert_int_equal(c.out.at[0], cases[i].result);
  }
}

static float one(struct call *c, alu_function *function, uint32_t a, uint32_t b) {
  fill(&c->in[0], a, 0);
  fill(&c->in[1], b, 0);
  call(c, function, 0xff, 0);
  return float_of(c->out.at[0]);
}

static void powers_of_two_are_fixed_point(void **state) {
  struct call c = {0};
  (void)state;
  for (double x = -120; x < 120; x += 0.37) {
    int32_t fixed = (int32_t)lrint(x * 0x1p24);
    float wanted = (float)exp2(fixed * 0x1p-24),
          got = one(&c, alu_fexp_f32, (uint32_t)fixed, bits_of((float)(x * 0x1p24)));
    assert_true(abs((int)(bits_of(wanted) - bits_of(got))) <= 1);
  }
  assert_true(isinf(one(&c, alu_fexp_f32, INT32_MAX, bits_of(INFINITY))));
  assert_true(one(&c, alu_fexp_f32, (uint32_t)INT32_MIN, bits_of(-INFINITY)) == 0);
  assert_true(isnan(one(&c, alu_fexp_f32, 0, bits_of(NAN))));
}

/* log2(x) = exponent + slope * (fraction - 1), as the driver's compiler puts it together on G72. */
static void logarithms_add_up(void **state) {
  struct call c = {.modifier = {[T_LOG] = V_LOG}};
  (void)state;
  for (float x = 1e-30f; x < 1e30f; x *= 1.7f) {
    uint32_t bits = bits_of(x);
    one(&c, alu_frexpe_f32, bits, 0);
    double exponent = (int32_t)c.out.at[0], fraction = (double)one(&c, alu_frexpm_f32, bits, 0);
    double sum = exponent + (double)one(&c, alu_flogd_f32, bits, 0) * (fraction - 1);
    assert_true(fraction >= 0.75 && fraction < 1.5);
    assert_true(fabs(sum - log2((double)x)) < 1e-6 * (1 + fabs(exponent)));
  }
  assert_true(isnan(one(&c, alu_flogd_f32, bits_of(-1), 0)));
}

/* On G71 a table reduces the fraction to a number near 1, and gives the logarithm of the factor. */
static void reductions_bring_fractions_near_one(void **state) {
  struct call c = {.modifier = {[T_LOG] = V_LOG}};
  (void)state;
  for (float x = 0.75f; x < 1.5f; x += 0.013f) {
    c.modifier[T_MODE] = V_RED;
    double factor = (double)one(&c, alu_flog_table_f32, bits_of(x), 0);
    c.modifier[T_MODE] = V_BASE2;
    double logarithm = (double)one(&c, alu_flog_table_f32, bits_of(x), 0);
    assert_true(fabs(factor * (double)x - 1) < 0x1p-4);
    assert_true(fabs(logarithm + log2(factor)) < 1e-7);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(lanes_read_lanes_of_their_group),
                                     cmocka_unit_test(masks_hold_a_bit_for_each_lane),
                                     cmocka_unit_test(two_units_add_64_bits),
                                     cmocka_unit_test(segments_have_addresses),
                                     cmocka_unit_test(atomic_results_combine),
                                     cmocka_unit_test(powers_of_two_are_fixed_point),
                                     cmocka_unit_test(logarithms_add_up),
                                     cmocka_unit_test(reductions_bring_fractions_near_one)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

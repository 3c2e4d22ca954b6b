/* Formats of texels and the choice of texels by samplers, against numbers worked out by hand from OpenCL 1.2, chapter
 * 8; also for the orders that the OpenCL of the other tests has not. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "tracegen/abi/image_sample.h"

static void expect_color(struct image_format format, const void *texel, float r, float g, float b, float a) {
  const union image_color c = image_load(format, texel);
  const float expected[] = {r, g, b, a};
  for (int i = 0; i < 4; i++)
    assert_true(c.f[i] == expected[i]);
}

static void channels_go_where_the_order_says(void **state) {
  const uint8_t t[] = {255, 0, 51, 204};
  const float low = 51 * (1 / 255.0f), high = 204 * (1 / 255.0f);
  expect_color((struct image_format){IMAGE_R, IMAGE_UNORM_INT8}, t, 1, 0, 0, 1);
  expect_color((struct image_format){IMAGE_A, IMAGE_UNORM_INT8}, t, 0, 0, 0, 1);
  expect_color((struct image_format){IMAGE_RG, IMAGE_UNORM_INT8}, t + 1, 0, low, 0, 1);
  expect_color((struct image_format){IMAGE_RA, IMAGE_UNORM_INT8}, t + 2, low, 0, 0, high);
  expect_color((struct image_format){IMAGE_RGBA, IMAGE_UNORM_INT8}, t, 1, 0, low, high);
  expect_color((struct image_format){IMAGE_BGRA, IMAGE_UNORM_INT8}, t, low, 0, 1, high);
  expect_color((struct image_format){IMAGE_ARGB, IMAGE_UNORM_INT8}, t, 0, low, high, 1);
  expect_color((struct image_format){IMAGE_INTENSITY, IMAGE_UNORM_INT8}, t + 2, low, low, low, low);
  expect_color((struct image_format){IMAGE_LUMINANCE, IMAGE_UNORM_INT8}, t + 2, low, low, low, 1);
  (void)state;
}

static void signed_fractions_reach_minus_one(void **state) {
  const int8_t bytes[] = {-128, -127, 127, 0};
  const int16_t shorts[] = {-32768, 32767};
  expect_color((struct image_format){IMAGE_RGBA, IMAGE_SNORM_INT8}, bytes, -1, -1, 1, 0);
  expect_color((struct image_format){IMAGE_RG, IMAGE_SNORM_INT16}, shorts, -1, 1, 0, 1);
  (void)state;
}

static void what_is_stored_is_rounded_and_kept_in_range(void **state) {
  const union image_color floats = {.f = {0.5f, -3, INFINITY, NAN}};
  const union image_color integers = {.i = {-200, 100, 40000, -5}};
  const union image_color naturals = {.u = {300, 7, 70000, UINT32_MAX}};
  uint8_t u8[4];
  int8_t s8[4];
  uint16_t u16[4];
  image_store((struct image_format){IMAGE_RGBA, IMAGE_UNORM_INT8}, u8, &floats);
  assert_memory_equal(u8, ((uint8_t[]){128, 0, 255, 0}), 4); /* 127.5: to even */
  image_store((struct image_format){IMAGE_BGRA, IMAGE_SNORM_INT8}, s8, &floats);
  assert_memory_equal(s8, ((int8_t[]){127, -128, 64, 0}), 4); /* 63.5: to even */
  image_store((struct image_format){IMAGE_RGBA, IMAGE_SIGNED_INT8}, s8, &integers);
  assert_memory_equal(s8, ((int8_t[]){-128, 100, 127, -5}), 4);
  image_store((struct image_format){IMAGE_RGBA, IMAGE_UNSIGNED_INT16}, u16, &naturals);
  assert_memory_equal(u16, ((uint16_t[]){300, 7, 65535, 65535}), 8);
  image_store((struct image_format){IMAGE_A, IMAGE_UNSIGNED_INT8}, u8, &naturals);
  assert_int_equal(u8[0], 255);
  (void)state;
}

static void only_opencls_formats_are_valid(void **state) {
  struct image_format f;
  assert_true(image_format_from_numbers(0x10b5, 0x10de, &f));
  assert_int_equal(f.order, IMAGE_RGBA);
  assert_int_equal(f.type, IMAGE_FLOAT);
  assert_false(image_format_from_numbers(0x10b6, 0x10de, &f)); /* BGRA of floats */
  assert_false(image_format_from_numbers(0x10b8, 0x10d9, &f)); /* intensity of integers */
  assert_false(image_format_from_numbers(0x10b4, 0x10d4, &f)); /* RGB packed into 16 bits */
  assert_false(image_format_from_numbers(0, 0, &f));
  (void)state;
}

/* The columns that a read at (x, 0.5) touches in an image 4 texels wide and 1 high. */
static void expect_columns(uint32_t sampler, float x, int first, int second, float weight, bool border) {
  char texels[4] = {0};
  const struct image_argument image = {.texels = texels,
                                       .width = 4,
                                       .height = 1,
                                       .row_bytes = 4,
                                       .texel_bytes = 1,
                                       .format = {IMAGE_R, IMAGE_UNORM_INT8}};
  const struct image_sample s = image_sample_point(&image, sampler, x, 0.5f);
  assert_int_equal(s.count, sampler & SAMPLER_LINEAR ? 4 : 1);
  assert_int_equal(s.x[0], first);
  assert_int_equal(s.border[0], border);
  if (s.count == 1)
    return;
  assert_int_equal(s.x[1], second);
  assert_true(fabsf(s.weight[1] - weight) < 1e-6f);
  assert_true(fabsf(s.weight[0] - (1 - weight)) < 1e-6f);
}

static void samplers_choose_texels(void **state) {
  const uint32_t fraction = SAMPLER_NORMALISED, linear = SAMPLER_LINEAR, nearest = SAMPLER_NEAREST;
  expect_columns(nearest | SAMPLER_CLAMP_TO_EDGE, 1.99f, 1, 0, 0, false);
  expect_columns(nearest | SAMPLER_CLAMP_TO_EDGE, -7, 0, 0, 0, false);
  expect_columns(nearest | SAMPLER_CLAMP_TO_EDGE, 4, 3, 0, 0, false);
  expect_columns(nearest | SAMPLER_CLAMP, -0.25f, 0, 0, 0, true);
  expect_columns(nearest | SAMPLER_CLAMP_TO_EDGE, NAN, 0, 0, 0, false);
  expect_columns(nearest | SAMPLER_CLAMP_TO_EDGE, 1e30f, 3, 0, 0, false);
  expect_columns(linear | SAMPLER_CLAMP_TO_EDGE, 1.75f, 1, 2, 0.25f, false);
  expect_columns(linear | SAMPLER_CLAMP_TO_EDGE, 0.25f, 0, 0, 0.75f, false);
  expect_columns(linear | SAMPLER_CLAMP, 0.25f, 0, 0, 0.75f, true);
  expect_columns(fraction | nearest | SAMPLER_CLAMP_TO_EDGE, 0.7f, 2, 0, 0, false);
  expect_columns(fraction | nearest | SAMPLER_REPEAT, -0.2f, 3, 0, 0, false);
  expect_columns(fraction | nearest | SAMPLER_REPEAT, 5.3f, 1, 0, 0, false);
  expect_columns(fraction | linear | SAMPLER_REPEAT, 0.0625f, 3, 0, 0.75f, false);
  expect_columns(fraction | linear | SAMPLER_REPEAT, 0.9375f, 3, 0, 0.25f, false);
  expect_columns(fraction | nearest | SAMPLER_MIRRORED_REPEAT, 1.2f, 3, 0, 0, false);
  expect_columns(fraction | nearest | SAMPLER_MIRRORED_REPEAT, -0.3f, 1, 0, 0, false);
  expect_columns(fraction | linear | SAMPLER_MIRRORED_REPEAT, 0.0625f, 0, 0, 0.75f, false);
  (void)state;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(channels_go_where_the_order_says),
      cmocka_unit_test(signed_fractions_reach_minus_one),
      cmocka_unit_test(what_is_stored_is_rounded_and_kept_in_range),
      cmocka_unit_test(only_opencls_formats_are_valid),
      cmocka_unit_test(samplers_choose_texels),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

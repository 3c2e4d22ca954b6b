/* Texels: what is stored is loaded again for every number of every small format, and floats are rounded to the
 * nearest. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <vulkan/vulkan_core.h>
#include <cmocka.h>

#include "graphics/pixel/blend.h"
#include "graphics/pixel/color.h"
#include "graphics/pixel/depth.h"

static void small_formats_keep_every_texel(void **state) {
  static const uint32_t formats[] = {VK_FORMAT_R8_UNORM,
                                     VK_FORMAT_R8_UINT,
                                     VK_FORMAT_R8G8_UNORM,
                                     VK_FORMAT_R16_SFLOAT,
                                     VK_FORMAT_R5G6B5_UNORM_PACK16,
                                     VK_FORMAT_B5G6R5_UNORM_PACK16,
                                     VK_FORMAT_R16_UNORM,
                                     VK_FORMAT_R16_UINT};
  for (size_t f = 0; f < sizeof formats / sizeof formats[0]; f++) {
    const struct texel_format *format = texel_format_find(formats[f]);
    for (uint32_t word = 0; word < (format->bytes == 1 ? 256u : 65536u); word++) {
      uint16_t texel = (uint16_t)word, again = 0;
      const union color c = color_load(format, &texel);
      if (format->numbers == TEXEL_FLOAT && isnan(c.f[0]))
        continue;
      color_store(format, &c, &again);
      assert_int_equal(again, word);
    }
  }
  (void)state;
}

static void channels_go_where_the_format_says(void **state) {
  const unsigned char texel[] = {255, 51, 0, 204};
  const union color rgba = color_load(texel_format_find(VK_FORMAT_R8G8B8A8_UNORM), texel);
  const union color bgra = color_load(texel_format_find(VK_FORMAT_B8G8R8A8_UNORM), texel);
  assert_true(rgba.f[0] == 1 && fabsf(rgba.f[1] - 0.2f) < 1e-7f && rgba.f[2] == 0 && fabsf(rgba.f[3] - 0.8f) < 1e-7f);
  assert_true(bgra.f[0] == 0 && bgra.f[1] == rgba.f[1] && bgra.f[2] == 1 && bgra.f[3] == rgba.f[3]);
  (void)state;
}

static void depths_are_rounded_to_the_nearest(void **state) {
  uint32_t texel = 0;
  depth_store(VK_FORMAT_D16_UNORM, 0.5f, &texel);
  assert_int_equal(texel, 32768); /* 32767.5 to even */
  depth_store(VK_FORMAT_X8_D24_UNORM_PACK32, 1, &texel);
  assert_int_equal(texel, 0xffffff);
  assert_true(depth_compare(VK_COMPARE_OP_LESS, 0.1, 0.2) && !depth_compare(VK_COMPARE_OP_LESS, 0.2, 0.2));
  assert_int_equal(stencil_apply(VK_STENCIL_OP_DECREMENT_AND_WRAP, 0, 9), 255);
  assert_int_equal(stencil_apply(VK_STENCIL_OP_INCREMENT_AND_CLAMP, 255, 9), 255);
  (void)state;
}

/* Whole numbers that depths are compared by have the order of the depths: each is another float than the one before. */
static void depths_have_the_order_of_their_numbers(void **state) {
  float before = -1;
  for (uint32_t word = 0; word < 1u << 24; word++) {
    const float depth = depth_load(VK_FORMAT_X8_D24_UNORM_PACK32, &word);
    if (!(depth > before))
      fail_msg("number %u is no larger depth than the one before", word);
    before = depth;
  }
  (void)state;
}

/* The test against its parts, near to and far from what the texel holds. */
static void depth_tests_equal_their_parts(void **state) {
  static const uint32_t formats[] = {VK_FORMAT_D16_UNORM, VK_FORMAT_X8_D24_UNORM_PACK32, VK_FORMAT_D24_UNORM_S8_UINT,
                                     VK_FORMAT_D32_SFLOAT};
  static const float depths[] = {-1, 0, 0x1p-26f, 0.3f, 0.5f, 0.50000006f, 0.5000001f, 0.99999994f, 1, 2, NAN};
  enum { COUNT = sizeof depths / sizeof depths[0] };
  for (size_t f = 0; f < sizeof formats / sizeof formats[0]; f++)
    for (uint32_t i = 0; i < COUNT * COUNT * 16; i++) {
      const float depth = depths[i % COUNT];
      const uint32_t operation = i / COUNT / COUNT % 8, writes = i / COUNT / COUNT / 8;
      uint32_t rounded = 0, texel = 0, expected;
      depth_store(formats[f], depth, &rounded);
      depth_store(formats[f], depths[i / COUNT % COUNT], &texel);
      const bool passes =
          depth_compare(operation, (double)depth_load(formats[f], &rounded), (double)depth_load(formats[f], &texel));
      expected = passes && writes ? rounded : texel;
      assert_int_equal(depth_test(formats[f], operation, depth, &texel, writes), passes);
      assert_int_equal(texel, expected);
    }
  (void)state;
}

static void blending_follows_its_factors(void **state) {
  const struct frame_blend over = {.enabled = 1,
                                   .source = VK_BLEND_FACTOR_SRC_ALPHA,
                                   .target = VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA,
                                   .source_alpha = VK_BLEND_FACTOR_ONE,
                                   .target_alpha = VK_BLEND_FACTOR_ZERO};
  const union color s[2] = {{.f = {1, 0.5f, 0, 0.25f}}}, t = {.f = {0, 0.5f, 1, 1}};
  const union color c = blend_colors(&over, (const float[4]){0}, s, &t);
  assert_true(c.f[0] == 0.25f && c.f[1] == 0.5f && c.f[2] == 0.75f && c.f[3] == 0.25f);
  (void)state;
}

/* A factor is a byte, and each product is rounded by itself. */
static void bytes_are_blended_as_whole_numbers(void **state) {
  const struct texel_format *rgba = texel_format_find(VK_FORMAT_R8G8B8A8_UNORM);
  const float constants[4] = {0.5f, 0.25f, 0, 1}; /* 128, 64, 0 and 255 of 255 */
  struct frame_blend b = {.enabled = 1,
                          .source = VK_BLEND_FACTOR_SRC_ALPHA,
                          .target = VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA,
                          .source_alpha = VK_BLEND_FACTOR_ONE,
                          .target_alpha = VK_BLEND_FACTOR_ONE,
                          .mask = 15};
  const union color s[2] = {{.f = {1, 0.5f, 0.1f, 0.5f}}, {.f = {1, 0, 0.5f, 0}}};
  uint8_t t[4] = {1, 255, 100, 200};
  blend_bytes(&b, constants, s, rgba, t);
  /* 128 + round(127 / 255), round(128 * 128 / 255) + 127, round(26 * 128 / 255) + round(100 * 127 / 255), 328 */
  assert_memory_equal(t, ((const uint8_t[]){128, 64 + 127, 13 + 50, 255}), 4);
  b.source = VK_BLEND_FACTOR_CONSTANT_COLOR;
  b.target = VK_BLEND_FACTOR_ONE;
  b.operation = VK_BLEND_OP_SUBTRACT;
  b.mask = 7;
  memcpy(t, (const uint8_t[]){1, 255, 100, 200}, 4);
  blend_bytes(&b, constants, s, rgba, t);
  assert_memory_equal(t, ((const uint8_t[]){127, 0, 0, 200}), 4); /* 128 - 1, 32 - 255, 0 - 100 */
  b.source = VK_BLEND_FACTOR_SRC1_COLOR;
  b.target = VK_BLEND_FACTOR_ONE_MINUS_SRC1_ALPHA;
  b.operation = VK_BLEND_OP_ADD;
  memcpy(t, (const uint8_t[]){0, 255, 100, 200}, 4);
  blend_bytes(&b, constants, s, rgba, t);
  assert_memory_equal(t, ((const uint8_t[]){255, 255, 13 + 100, 200}), 4); /* the second color is 255, 0, 128, 0 */
  (void)state;
}

/* In no case do whole numbers differ from floats by more than the three roundings: of source, products and sum. */
static void blended_bytes_are_near_blended_floats(void **state) {
  static const uint32_t formats[] = {VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_B8G8R8A8_UNORM, VK_FORMAT_R8G8_UNORM};
  const float constants[4] = {0.2f, 0.4f, 0.6f, 0.8f};
  const union color s[2] = {{.f = {0.9f, 0.33f, 0.07f, 0.61f}}, {.f = {0.25f, 0.71f, 0.5f, 0.13f}}};
  for (size_t k = 0; k < sizeof formats / sizeof *formats; k++)
    for (uint32_t source = 0; source <= VK_BLEND_FACTOR_ONE_MINUS_SRC1_ALPHA; source++)
      for (uint32_t target = 0; target <= VK_BLEND_FACTOR_ONE_MINUS_SRC1_ALPHA; target++)
        for (uint32_t operation = 0; operation <= VK_BLEND_OP_MAX; operation++) {
          const struct texel_format *format = texel_format_find(formats[k]);
          const struct frame_blend b = {1, source, target, operation, target, source, operation, 15};
          uint8_t exact[4] = {13, 200, 77, 91}, rounded[4] = {13, 200, 77, 91};
          const union color before = color_load(format, exact), c = blend_colors(&b, constants, s, &before);
          color_store(format, &c, exact);
          blend_bytes(&b, constants, s, format, rounded);
          for (int i = 0; i < 4; i++)
            assert_in_range(rounded[i] - exact[i] + 2, 0, 4);
        }
  (void)state;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(small_formats_keep_every_texel),
                                     cmocka_unit_test(channels_go_where_the_format_says),
                                     cmocka_unit_test(depths_are_rounded_to_the_nearest),
                                     cmocka_unit_test(blending_follows_its_factors),
                                     cmocka_unit_test(depths_have_the_order_of_their_numbers),
                                     cmocka_unit_test(depth_tests_equal_their_parts),
                                     cmocka_unit_test(bytes_are_blended_as_whole_numbers),
                                     cmocka_unit_test(blended_bytes_are_near_blended_floats)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

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
  assert_true(rgba.f[0] == 1 && rgba.f[1] == 0.2f && rgba.f[2] == 0 && rgba.f[3] == 0.8f);
  assert_true(bgra.f[0] == 0 && bgra.f[1] == 0.2f && bgra.f[2] == 1 && bgra.f[3] == 0.8f);
  (void)state;
}

static void depths_are_rounded_to_the_nearest(void **state) {
  uint32_t texel = 0;
  depth_store(VK_FORMAT_D16_UNORM, 0.5f, &texel);
  assert_int_equal(texel, 32768); /* 32767.5 to even */
  depth_store(VK_FORMAT_X8_D24_UNORM_PACK32, 1, &texel);
  assert_int_equal(texel, 0xffffff);
  assert_true(depth_round(VK_FORMAT_D32_SFLOAT, 0.1f) == 0.1f);
  assert_true(depth_compare(VK_COMPARE_OP_LESS, 0.1, 0.2) && !depth_compare(VK_COMPARE_OP_LESS, 0.2, 0.2));
  assert_int_equal(stencil_apply(VK_STENCIL_OP_DECREMENT_AND_WRAP, 0, 9), 255);
  assert_int_equal(stencil_apply(VK_STENCIL_OP_INCREMENT_AND_CLAMP, 255, 9), 255);
  (void)state;
}

static void blending_follows_its_factors(void **state) {
  const struct frame_blend over = {.enabled = 1,
                                   .source = VK_BLEND_FACTOR_SRC_ALPHA,
                                   .target = VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA,
                                   .source_alpha = VK_BLEND_FACTOR_ONE,
                                   .target_alpha = VK_BLEND_FACTOR_ZERO};
  const union color s = {.f = {1, 0.5f, 0, 0.25f}}, t = {.f = {0, 0.5f, 1, 1}};
  const union color c = blend_colors(&over, (const float[4]){0}, &s, &t);
  assert_true(c.f[0] == 0.25f && c.f[1] == 0.5f && c.f[2] == 0.75f && c.f[3] == 0.25f);
  (void)state;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(small_formats_keep_every_texel), cmocka_unit_test(channels_go_where_the_format_says),
      cmocka_unit_test(depths_are_rounded_to_the_nearest), cmocka_unit_test(blending_follows_its_factors)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

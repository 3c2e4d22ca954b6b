/* A blit with a linear filter to half of each side is the mean of four texels, rounded to the nearest byte; where the
 * mean lies halfway between two bytes it is one of them, and the digest of all bytes is that of Mesa 22.3.6's lavapipe
 * (glGenerateMipmap with the same texels). Blits of the same size mirror, and those to twice the size repeat. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <vulkan/vulkan_core.h>

#include "graphics/execute/transfer/transfer.h"

enum { SOURCE = 1, TARGET, OBJECTS };

/* Two images and what a blit needs of an execution. */
struct scene {
  struct frame_image images[2];
  struct frame_entry entries[2];
  const struct frame_entry *objects[OBJECTS];
  struct frame_capture capture;
  struct execution e;
};

static void add_image(struct scene *s, unsigned i, uint32_t width, uint32_t height) {
  s->images[i] = (struct frame_image){SOURCE + i, 1, VK_FORMAT_R8G8B8A8_UNORM, width, height, 1, 1, 1, 1, 0, 0, 0};
  s->entries[i] = (struct frame_entry){FRAME_IMAGE, sizeof s->images[i], &s->images[i]};
  s->objects[SOURCE + i] = &s->entries[i];
}

static void begin(struct scene *s, const uint32_t from[2], const uint32_t to[2]) {
  add_image(s, 0, from[0], from[1]);
  add_image(s, 1, to[0], to[1]);
  s->capture.objects = s->objects;
  s->capture.object_count = OBJECTS;
  assert_true(storage_create(&s->e.storage, &s->capture));
  for (unsigned i = 0; i < 2; i++)
    assert_true(storage_take(&s->e.storage, &s->entries[i]));
}

static uint8_t *texel(const struct scene *s, uint32_t image, uint32_t x, uint32_t y) {
  return storage_texel(storage_image(&s->e.storage, image), PLANE_COLOR, 0, 0, x, y, 0);
}

/* The upper bytes of a linear congruential generator, which the program that ran on lavapipe had as well. */
static void fill(const struct scene *s) {
  uint32_t state = 1;
  uint8_t *bytes = texel(s, SOURCE, 0, 0);
  for (size_t i = 0; i < (size_t)s->images[0].width * s->images[0].height * 4; i++) {
    state = state * 1664525 + 1013904223;
    bytes[i] = (uint8_t)(state >> 24);
  }
}

static void blit(struct scene *s, uint32_t filter, bool mirrors) {
  const int32_t width = (int32_t)s->images[1].width, height = (int32_t)s->images[1].height;
  const struct frame_blit_image b = {.source = {SOURCE,
                                                VK_IMAGE_ASPECT_COLOR_BIT,
                                                0,
                                                0,
                                                1,
                                                0,
                                                {0, 0, 0},
                                                {(int32_t)s->images[0].width, (int32_t)s->images[0].height, 1}},
                                     .target = {TARGET,
                                                VK_IMAGE_ASPECT_COLOR_BIT,
                                                0,
                                                0,
                                                1,
                                                0,
                                                {mirrors ? width : 0, 0, 0},
                                                {mirrors ? 0 : width, height, 1}},
                                     .filter = filter};
  transfer_blit(&s->e, &b);
}

static void halves_are_means(void **state) {
  static const struct {
    uint32_t width, height;
    uint64_t digest;
  } cases[] = {{64, 64, UINT64_C(0xd124961933a04ade)},
               {160, 120, UINT64_C(0xeeeefb34a62f5bbe)},
               {100, 36, UINT64_C(0xdcb64760dcf0fcf9)}};
  for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
    const uint32_t width = cases[c].width / 2, height = cases[c].height / 2;
    struct scene s = {.capture = {0}};
    uint64_t digest = UINT64_C(0xcbf29ce484222325); /* FNV-1a */
    begin(&s, (const uint32_t[]){cases[c].width, cases[c].height}, (const uint32_t[]){width, height});
    fill(&s);
    blit(&s, VK_FILTER_LINEAR, false);
    for (uint32_t y = 0; y < height; y++)
      for (uint32_t x = 0; x < width; x++)
        for (unsigned k = 0; k < 4; k++) {
          const int sum = texel(&s, SOURCE, 2 * x, 2 * y)[k] + texel(&s, SOURCE, 2 * x + 1, 2 * y)[k] +
                          texel(&s, SOURCE, 2 * x, 2 * y + 1)[k] + texel(&s, SOURCE, 2 * x + 1, 2 * y + 1)[k];
          const int found = texel(&s, TARGET, x, y)[k];
          assert_true(sum % 4 == 2 ? found == sum / 4 || found == sum / 4 + 1 : found == (sum + 2) / 4);
          digest = (digest ^ (uint64_t)found) * UINT64_C(0x100000001b3);
        }
    assert_int_equal(digest, cases[c].digest);
    storage_clear(&s.e.storage);
  }
  (void)state;
}

static void mirrored_blits_turn_rows(void **state) {
  for (unsigned filter = 0; filter < 2; filter++) {
    struct scene s = {.capture = {0}};
    begin(&s, (const uint32_t[]){37, 11}, (const uint32_t[]){37, 11});
    fill(&s);
    blit(&s, filter ? VK_FILTER_LINEAR : VK_FILTER_NEAREST, true);
    for (uint32_t y = 0; y < 11; y++)
      for (uint32_t x = 0; x < 37; x++)
        assert_memory_equal(texel(&s, TARGET, x, y), texel(&s, SOURCE, 36 - x, y), 4);
    storage_clear(&s.e.storage);
  }
  (void)state;
}

static void nearest_texels_repeat(void **state) {
  struct scene s = {.capture = {0}};
  begin(&s, (const uint32_t[]){13, 7}, (const uint32_t[]){26, 14});
  fill(&s);
  blit(&s, VK_FILTER_NEAREST, false);
  for (uint32_t y = 0; y < 14; y++)
    for (uint32_t x = 0; x < 26; x++)
      assert_memory_equal(texel(&s, TARGET, x, y), texel(&s, SOURCE, x / 2, y / 2), 4);
  storage_clear(&s.e.storage);
  (void)state;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(halves_are_means), cmocka_unit_test(mirrored_blits_turn_rows),
                                     cmocka_unit_test(nearest_texels_repeat)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

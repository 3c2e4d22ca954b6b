/* A translation that is kept is given where a new one would be the same, and nowhere else: each request of a long
 * random series is answered as by a translation of its own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <vulkan/vulkan_core.h>

#include <cmocka.h>

#include "graphics/execute/kept_shaders.h"
#include "graphics/frame/frame_capture.h"

#define REQUESTS 400

static const char *scene;

/* A texture and a buffer that a draw has bound. */
struct bound {
  bool has_texture, has_sampler;
  uint32_t width, levels, format;
  struct frame_sampler sampler;
  uint64_t bytes;
};

static bool texture_of(void *user, uint32_t set, uint32_t binding, uint32_t element, struct shader_texture *out) {
  const struct bound *b = user;
  (void)set, (void)binding, (void)element;
  *out = (struct shader_texture){.format = b->format,
                                 .sampler = b->has_sampler ? &b->sampler : NULL,
                                 .levels = b->levels,
                                 .width = b->width,
                                 .height = 8,
                                 .depth = 1,
                                 .layers = 1,
                                 .samples = 1};
  return b->has_texture;
}

static uint64_t buffer_bytes_of(void *user, uint32_t set, uint32_t binding, uint32_t element) {
  const struct bound *b = user;
  return b->bytes + set + binding + element;
}

static struct bound choose(void) {
  static const uint32_t formats[] = {VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_R32G32B32A32_SFLOAT};
  return (struct bound){.has_texture = rand() % 8 > 0,
                        .has_sampler = rand() % 8 > 0,
                        .width = 8u << rand() % 2,
                        .levels = 1 + (uint32_t)rand() % 2,
                        .format = formats[rand() % 2],
                        .sampler = {.magnify = (uint32_t)rand() % 2, .mipmap = (uint32_t)rand() % 2},
                        .bytes = 64u << rand() % 2};
}

static void check_equal(const struct shader_source *a, const struct shader_source *b) {
  assert_string_equal(a->text, b->text);
  assert_int_equal(a->input_count, b->input_count);
  assert_int_equal(a->output_count, b->output_count);
  assert_int_equal(a->resource_count, b->resource_count);
  for (uint32_t i = 0; i < a->resource_count; i++)
    assert_int_equal(a->resources[i].levels, b->resources[i].levels);
}

/* Returns whether the shader was translated. */
static bool check(struct kept_translations *kept, const struct shader_request *request) {
  struct shader_source expected, given;
  struct error one = ERROR_INIT, other = ERROR_INIT;
  const int status = shader_source_create(request, &expected, &one);
  assert_int_equal(kept_translations_give(kept, request, &given, &other), status);
  if (status) {
    assert_string_equal(one.text, other.text);
    return false;
  }
  check_equal(&expected, &given);
  shader_source_clear(&expected);
  shader_source_clear(&given);
  return true;
}

static uint32_t list_shaders(const struct frame_capture *capture, const struct frame_shader *list[8]) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < capture->record_count && count < 8; i++)
    if (capture->records[i].kind == FRAME_SHADER)
      list[count++] = capture->records[i].payload;
  return count;
}

static void translations_are_equal(void **state) {
  struct frame_capture *capture;
  const struct frame_shader *shaders[8];
  struct error error = ERROR_INIT;
  unsigned translated = 0;
  (void)state;
  assert_int_equal(frame_capture_load(scene, &capture, &error), 0);
  const uint32_t count = list_shaders(capture, shaders);
  struct kept_translations *kept = kept_translations_create();
  assert_non_null(kept);
  assert_true(count >= 2);
  srand(1);
  for (int i = 0; i < REQUESTS; i++) {
    struct bound bound = choose();
    const struct frame_shader *s = shaders[(unsigned)rand() % count];
    const struct shader_request request = {.words = (const uint32_t *)(s + 1),
                                           .word_count = s->word_count,
                                           .entry = "main",
                                           .is_fragment = rand() % 2,
                                           .draws_points = rand() % 2,
                                           .target_count = (uint32_t)rand() % 2,
                                           .mediump_half = rand() % 2,
                                           .texture = texture_of,
                                           .buffer_bytes = buffer_bytes_of,
                                           .user = &bound};
    translated += check(kept, &request);
  }
  assert_true(translated > REQUESTS / 8);
  kept_translations_destroy(kept);
  frame_capture_destroy(capture);
}

int main(int count, char **arguments) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(translations_are_equal)};
  if (count != 2)
    return 2;
  scene = arguments[1];
  return cmocka_run_group_tests(tests, NULL, NULL);
}

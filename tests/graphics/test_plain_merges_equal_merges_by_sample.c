/* merge_plain leaves the targets, counts and marks of merge_by_sample, for every comparison of depths and format of
 * depths and colors, with random triangles and words, among them numbers beyond 0 to 1 and not-a-number; and it serves
 * no draw with blending, masks, stencil or a depth of the shader. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <vulkan/vulkan_core.h>

#include "base/random.h"
#include "graphics/execute/merge/merge.h"

enum { WIDTH = 64, HEIGHT = 48, COLOR = 1, DEPTH, COLOR_VIEW, DEPTH_VIEW, OBJECTS, TRIANGLES = 12, SLOTS = 4 };

static struct random_state numbers;

static float share(void) {
  return (float)(random_next(&numbers) >> 40) * 0x1p-24f;
}

/* A draw by itself: its capture's objects, its state and its fragments. */
struct scene {
  struct frame_image images[2];
  struct frame_view views[2];
  struct frame_entry entries[4];
  const struct frame_entry *objects[OBJECTS];
  struct frame_capture capture;
  struct {
    struct frame_pipeline pipeline;
    struct frame_blend blend;
  } state;
  struct frame_begin_pass pass;
  struct execution e;
  struct frame_execution out;
  uint16_t overdraw[WIDTH * HEIGHT];
  struct stage fragment;
  struct raster raster;
  struct stage_words words;
  struct frame_draw_result result;
};

static void add_image(struct scene *s, int i, uint32_t format, uint32_t aspect) {
  const uint32_t image = (uint32_t)(COLOR + i), view = (uint32_t)(COLOR_VIEW + i);
  s->images[i] = (struct frame_image){image, 1, format, WIDTH, HEIGHT, 1, 1, 1, 1, 0, 0, 0};
  s->views[i] =
      (struct frame_view){.id = view, .image = image, .format = format, .aspect = aspect, .levels = 1, .layers = 1};
  s->entries[2 * i] = (struct frame_entry){FRAME_IMAGE, sizeof s->images[i], &s->images[i]};
  s->entries[2 * i + 1] = (struct frame_entry){FRAME_VIEW, sizeof s->views[i], &s->views[i]};
  s->objects[image] = &s->entries[2 * i];
  s->objects[view] = &s->entries[2 * i + 1];
}

static void add_triangles(struct scene *s) {
  const struct raster_state state = {
      .viewport = s->e.viewport, .right = WIDTH, .bottom = HEIGHT, .most_quads = 1 << 20};
  for (uint32_t t = 0; t < TRIANGLES; t++) {
    struct raster_vertex corners[3] = {{{0}, {0}}};
    for (int c = 0; c < 3; c++) {
      for (int k = 0; k < 3; k++)
        corners[c].position[k] = k == 2 ? share() : 2 * share() - 1;
      corners[c].position[3] = 1;
    }
    assert_true(raster_triangle(&s->raster, &state, (const uint32_t[]){0, 1, 2}, 0, corners));
  }
}

static float random_word(void) {
  static const float special[] = {-1, 0, 1, 2, 0.5f, 0.49999997f, 127.5f / 255, 128.5f / 255, INFINITY, NAN};
  const uint64_t kind = random_next(&numbers) % 16;
  return kind < 10 ? special[kind] : share();
}

static void begin(struct scene *s, uint32_t color_format, uint32_t depth_format, uint32_t compare) {
  memset(s, 0, sizeof *s);
  add_image(s, 0, color_format, VK_IMAGE_ASPECT_COLOR_BIT);
  add_image(s, 1, depth_format, VK_IMAGE_ASPECT_DEPTH_BIT);
  s->capture.objects = s->objects;
  s->capture.object_count = OBJECTS;
  s->state.blend.mask = 15;
  s->state.pipeline = (struct frame_pipeline){.blend_count = 1,
                                              .samples = 1,
                                              .sample_mask = UINT32_MAX,
                                              .depth_test = 1,
                                              .depth_write = compare % 2,
                                              .depth_compare = compare % 8};
  s->pass.color_count = 1;
  s->pass.colors[0].view = COLOR_VIEW;
  s->pass.depth.view = DEPTH_VIEW;
  s->out = (struct frame_execution){.width = WIDTH - 5, .height = HEIGHT - 3, .overdraw = s->overdraw};
  s->e.capture = &s->capture;
  s->e.out = &s->out;
  s->e.pass = &s->pass;
  s->e.bound = &s->e.points[0];
  s->e.bound->pipeline = &s->state.pipeline;
  s->e.viewport = (struct frame_viewport){0, 0, WIDTH, HEIGHT, 0.1f, 0.8f};
  assert_true(storage_create(&s->e.storage, &s->capture));
  assert_true(storage_take(&s->e.storage, &s->entries[0]) && storage_take(&s->e.storage, &s->entries[2]));
  s->fragment.source.output_count = SLOTS;
  for (uint32_t k = 0; k < SLOTS; k++)
    s->fragment.source.outputs[k] = (struct shader_slot){.location = 0, .component = k, .builtin = SPIRV_NONE};
  s->fragment.source.may_discard = compare >= 8;
  add_triangles(s);
  struct error error = ERROR_INIT;
  assert_int_equal(stage_words_create(&s->words, (uint32_t)s->raster.quad_count * 4, SLOTS + 1, &error), 0);
  for (size_t i = 0; i < (size_t)s->words.count * s->words.slots; i++) {
    const float word = random_word();
    memcpy(&s->words.words[i], &word, sizeof word);
    if (i % s->words.slots == SLOTS)
      s->words.words[i] = random_next(&numbers) % 4 == 0;
  }
}

static void end(struct scene *s) {
  raster_clear(&s->raster);
  free(s->words.words);
  storage_clear(&s->e.storage);
}

/* Merges in one of the two ways, into targets with random texels. */
static void merge(struct scene *s, uint64_t seed, uint32_t color, uint32_t depth, uint32_t compare, bool plain) {
  struct merge m;
  numbers = (struct random_state){seed};
  begin(s, color, depth, compare);
  uint8_t *texels = s->e.storage.images[DEPTH]->levels[PLANE_DEPTH][0];
  for (size_t i = 0; i < WIDTH * HEIGHT; i++) {
    const uint32_t any = (uint32_t)random_next(&numbers), near = 0x3f000000 + any % 99, no_number = 0x7fc00000;
    const uint32_t word = depth != VK_FORMAT_D32_SFLOAT ? any : any % 8 ? near : no_number;
    memcpy(texels + i * (depth == VK_FORMAT_D16_UNORM ? 2 : 4), &word, depth == VK_FORMAT_D16_UNORM ? 2 : 4);
  }
  merge_begin(&m, &s->e, &s->fragment, &s->words, &s->result);
  assert_true(merge_is_plain(&m));
  if (plain)
    merge_plain(&m, &s->raster);
  else
    merge_by_sample(&m, &s->raster);
}

static void expect_same(const struct scene *a, const struct scene *b, uint32_t depth_bytes) {
  const size_t pixels = WIDTH * HEIGHT;
  assert_true(a->result.passed > 0 || a->state.pipeline.depth_compare == VK_COMPARE_OP_NEVER ||
              a->state.pipeline.depth_compare == VK_COMPARE_OP_EQUAL);
  assert_memory_equal(&a->result, &b->result, sizeof a->result);
  assert_memory_equal(a->overdraw, b->overdraw, sizeof a->overdraw);
  assert_memory_equal(a->e.storage.images[COLOR]->levels[PLANE_COLOR][0],
                      b->e.storage.images[COLOR]->levels[PLANE_COLOR][0], pixels * 4);
  assert_memory_equal(a->e.storage.images[DEPTH]->levels[PLANE_DEPTH][0],
                      b->e.storage.images[DEPTH]->levels[PLANE_DEPTH][0], pixels * depth_bytes);
  for (size_t q = 0; q < a->raster.quad_count; q++) {
    assert_int_equal(a->raster.quads[q].passed, b->raster.quads[q].passed);
    assert_memory_equal(a->raster.quads[q].passed_samples, b->raster.quads[q].passed_samples,
                        sizeof a->raster.quads[q].passed_samples);
  }
}

static void both_ways_leave_the_same(void **state) {
  static const uint32_t colors[] = {VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_B8G8R8A8_UNORM},
                        depths[] = {VK_FORMAT_D16_UNORM, VK_FORMAT_X8_D24_UNORM_PACK32, VK_FORMAT_D24_UNORM_S8_UINT,
                                    VK_FORMAT_D32_SFLOAT};
  static struct scene plain, by_sample;
  for (uint32_t i = 0; i < 2 * 4 * 16; i++) {
    const uint32_t color = colors[i & 1], depth = depths[i >> 1 & 3];
    merge(&plain, 1 + i, color, depth, i >> 3, true);
    merge(&by_sample, 1 + i, color, depth, i >> 3, false);
    expect_same(&plain, &by_sample, depth == VK_FORMAT_D16_UNORM ? 2 : 4);
    end(&plain);
    end(&by_sample);
  }
  (void)state;
}

static void expect_not_plain(struct scene *s) {
  struct merge m;
  merge_begin(&m, &s->e, &s->fragment, &s->words, &s->result);
  assert_false(merge_is_plain(&m));
}

static void other_draws_are_merged_by_sample(void **state) {
  static struct scene s;
  begin(&s, VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_D24_UNORM_S8_UINT, VK_COMPARE_OP_LESS);
  s.state.blend.enabled = 1;
  expect_not_plain(&s);
  s.state.blend = (struct frame_blend){.mask = 7};
  expect_not_plain(&s);
  s.state.blend.mask = 15;
  s.state.pipeline.sample_mask = 2;
  expect_not_plain(&s);
  s.state.pipeline.sample_mask = 1;
  s.state.pipeline.multisampling = FRAME_ALPHA_TO_ONE;
  expect_not_plain(&s);
  s.state.pipeline.multisampling = 0;
  s.fragment.source.outputs[3].component = 0;
  expect_not_plain(&s);
  end(&s);
  begin(&s, VK_FORMAT_R8G8B8A8_SRGB, VK_FORMAT_D24_UNORM_S8_UINT, VK_COMPARE_OP_LESS);
  expect_not_plain(&s);
  end(&s);
  (void)state;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(both_ways_leave_the_same),
                                     cmocka_unit_test(other_draws_are_merged_by_sample)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

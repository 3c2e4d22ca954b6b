/* The summary of a capture that no program made: primitives between restarts, the bytes that draws can reach, each
 * counted once, and vertices that the capture cannot know because a shader or a copy of texels has written them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <vulkan/vulkan_core.h>

#include <cmocka.h>

#include "made_capture.h"
#include "graphics/execute/summary/frame_summary.h"

enum { VERTICES = 1, INDICES, PARAMETERS, COPY, IMAGE, VIEW, STRIPS, LISTS, SET };
enum { VERTEX_BYTES = 16, VERTEX_COUNT = 40, SIDE = 8, LEVELS = 3 };

static void put_pipeline(uint32_t id, uint32_t topology, uint32_t restarts) {
  const struct frame_pipeline p = {.id = id,
                                   .binding_count = 1,
                                   .attribute_count = 2,
                                   .topology = topology,
                                   .restarts = restarts,
                                   .samples = 1,
                                   .logic_op = UINT32_MAX};
  const struct {
    struct frame_binding binding;
    struct frame_attribute attributes[2];
  } arrays = {{0, VERTEX_BYTES, 0, 0}, {{0, 0, VK_FORMAT_R32G32_SFLOAT, 0}, {1, 0, VK_FORMAT_R8G8B8A8_UNORM, 8}}};
  made_put(FRAME_PIPELINE, &p, sizeof p, &arrays, sizeof arrays);
}

static void begin_file(void) {
  static const uint16_t indices[] = {3, 4, 5, 6, 0xffff, 9, 10, 0xffff, 7, 8, 5, 3};
  static const uint32_t parameters[] = {6, 2, 30, 0};
  made_begin();
  PUT(FRAME_BUFFER, (struct frame_buffer){VERTICES, 0, VERTEX_BYTES * VERTEX_COUNT});
  PUT(FRAME_BUFFER, (struct frame_buffer){INDICES, 0, sizeof indices});
  PUT(FRAME_BUFFER, (struct frame_buffer){PARAMETERS, 0, sizeof parameters});
  PUT(FRAME_BUFFER, (struct frame_buffer){COPY, 0, sizeof parameters});
  PUT(FRAME_IMAGE, (struct frame_image){IMAGE, 1, VK_FORMAT_R8G8B8A8_UNORM, SIDE, SIDE, 1, LEVELS, 2, 1, 0, 0, 0});
  PUT(FRAME_VIEW, (struct frame_view){.id = VIEW,
                                      .image = IMAGE,
                                      .format = VK_FORMAT_R8G8B8A8_UNORM,
                                      .aspect = VK_IMAGE_ASPECT_COLOR_BIT,
                                      .first_level = 1,
                                      .levels = 2,
                                      .layers = 1});
  put_pipeline(STRIPS, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP, 1);
  put_pipeline(LISTS, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, 0);
  const struct frame_set set = {SET, 2};
  const struct frame_descriptor descriptors[] = {
      {.binding = 0, .type = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, .object = VIEW},
      {.binding = 1, .type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .object = COPY, .bytes = UINT64_MAX}};
  made_put(FRAME_SET, &set, sizeof set, descriptors, sizeof descriptors);
  const struct frame_buffer_bytes i = {INDICES, 0, 0, sizeof indices};
  made_put(FRAME_BUFFER_BYTES, &i, sizeof i, indices, sizeof indices);
  const struct frame_buffer_bytes p = {PARAMETERS, 0, 0, sizeof parameters};
  made_put(FRAME_BUFFER_BYTES, &p, sizeof p, parameters, sizeof parameters);
  PUT(FRAME_SUBMIT, (struct frame_submit){1, 0});
  PUT(FRAME_BEGIN_PASS, (struct frame_begin_pass){.area = {0, 0, SIDE, SIDE}});
  PUT(FRAME_BIND_VERTICES, (struct frame_bind_vertices){.count = 1, .buffers = {VERTICES}});
  PUT(FRAME_BIND_INDICES, (struct frame_bind_indices){INDICES, VK_INDEX_TYPE_UINT16, 0});
}

static void bind(uint32_t pipeline) {
  PUT(FRAME_BIND_PIPELINE, (struct frame_bind_pipeline){pipeline, VK_PIPELINE_BIND_POINT_GRAPHICS});
}

static struct frame_summary summarise(void) {
  struct frame_capture *capture = made_read();
  struct frame_summary s;
  struct error error = ERROR_INIT;
  assert_int_equal(frame_summary_make(capture, &s, &error), 0);
  frame_capture_destroy(capture);
  return s;
}

static void restarts_divide_strips(void **state) {
  (void)state;
  begin_file();
  bind(STRIPS);
  PUT(FRAME_DRAW, (struct frame_draw){1, 12, 2, 0, 0, 1});
  PUT(FRAME_SAMPLES, (struct frame_samples){77});
  PUT(FRAME_DRAW, (struct frame_draw){1, 4, 1, 8, 0, 0});
  struct frame_summary s = summarise();
  assert_int_equal(s.draw_count, 2);
  assert_int_equal(s.pass_count, 1);
  assert_true(s.draws[0].has_indices && s.draws[0].has_passed && !s.draws[1].has_passed);
  assert_int_equal(s.draws[0].passed, 77);
  assert_int_equal(s.draws[0].vertices, 24);
  assert_int_equal(s.draws[0].primitives, 2 * (2 + 0 + 2));
  assert_int_equal(s.draws[1].primitives, 2);
  assert_int_equal(s.draws[0].attribute_words, 6);
  /* Vertices 4 to 11, then 3 to 8: of the last one only its attributes. Both overlap. */
  assert_int_equal(s.draws[0].bytes[RESOURCE_ATTRIBUTES], 7 * VERTEX_BYTES + 12);
  assert_int_equal(s.draws[1].bytes[RESOURCE_ATTRIBUTES], 5 * VERTEX_BYTES + 12);
  assert_int_equal(s.resources[RESOURCE_ATTRIBUTES].bytes, 8 * VERTEX_BYTES + 12);
  assert_int_equal(s.resources[RESOURCE_ATTRIBUTES].objects, 1);
  assert_int_equal(s.draws[0].bytes[RESOURCE_INDICES], 24);
  assert_int_equal(s.resources[RESOURCE_INDICES].bytes, 24);
  frame_summary_clear(&s);
}

static void views_reach_their_levels_and_layers(void **state) {
  (void)state;
  begin_file();
  bind(LISTS);
  PUT(FRAME_BIND_SETS, (struct frame_bind_sets){.count = 1, .sets = {SET}});
  PUT(FRAME_DRAW, (struct frame_draw){0, 7, 1, 3, 0, 0});
  PUT(FRAME_DRAW, (struct frame_draw){0, 3, 1, 0, 0, 0});
  struct frame_summary s = summarise();
  assert_int_equal(s.draws[0].primitives, 2);
  assert_int_equal(s.draws[0].images, 1);
  assert_int_equal(s.draws[0].bytes[RESOURCE_IMAGES], 4 * (4 * 4 + 2 * 2));
  assert_int_equal(s.resources[RESOURCE_IMAGES].bytes, 4 * (4 * 4 + 2 * 2));
  assert_int_equal(s.resources[RESOURCE_STORAGE].bytes, 16);
  assert_int_equal(s.resources[RESOURCE_STORAGE].objects, 1);
  assert_int_equal(s.draws[0].pixels, SIDE * SIDE);
  frame_summary_clear(&s);
}

static void check_indirect(const struct frame_summary *s, size_t draw, bool known) {
  assert_int_equal(s->draws[draw].has_vertices, known);
  assert_int_equal(s->draws[draw].has_indices, known);
  assert_int_equal(s->draws[draw].vertices, known ? 12 : 0);
  assert_int_equal(s->draws[draw].primitives, known ? 4 : 0);
}

/* Parameters are known until a shader may have stored to them, also by way of a copy. */
static void stores_make_parameters_unknown(void **state) {
  (void)state;
  begin_file();
  bind(LISTS);
  PUT(FRAME_DRAW_INDIRECT, (struct frame_draw_indirect){.buffer = PARAMETERS, .most = 1});
  PUT(FRAME_END_PASS, (struct frame_end_pass){{0, 0}});
  PUT(FRAME_COPY_BUFFER, (struct frame_copy_buffer){PARAMETERS, COPY, 0, 0, 16});
  PUT(FRAME_BEGIN_PASS, (struct frame_begin_pass){.area = {0, 0, SIDE, SIDE}});
  PUT(FRAME_DRAW_INDIRECT, (struct frame_draw_indirect){.buffer = COPY, .most = 1});
  PUT(FRAME_BIND_SETS, (struct frame_bind_sets){.count = 1, .sets = {SET}});
  PUT(FRAME_DRAW, (struct frame_draw){0, 3, 1, 0, 0, 0});
  PUT(FRAME_DRAW_INDIRECT, (struct frame_draw_indirect){.buffer = COPY, .most = 1});
  PUT(FRAME_END_PASS, (struct frame_end_pass){{0, 0}});
  PUT(FRAME_COPY_BUFFER, (struct frame_copy_buffer){COPY, PARAMETERS, 0, 0, 16});
  PUT(FRAME_BEGIN_PASS, (struct frame_begin_pass){.area = {0, 0, SIDE, SIDE}});
  PUT(FRAME_DRAW_INDIRECT, (struct frame_draw_indirect){.buffer = PARAMETERS, .most = 1});
  struct frame_summary s = summarise();
  assert_int_equal(s.draw_count, 5);
  check_indirect(&s, 0, true);
  check_indirect(&s, 1, true);
  check_indirect(&s, 3, false);
  check_indirect(&s, 4, false);
  assert_true(s.numbers_are_known);
  frame_summary_clear(&s);
}

static void copies_of_texels_make_indices_unknown(void **state) {
  (void)state;
  begin_file();
  bind(LISTS);
  PUT(FRAME_DRAW, (struct frame_draw){1, 3, 1, 0, 0, 0});
  PUT(FRAME_COPY_TEXELS,
      (struct frame_copy_texels){.part = {IMAGE, VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1, 0, {0, 0, 0}, {1, 1, 1}},
                                 .buffer = INDICES,
                                 .to_buffer = 1});
  PUT(FRAME_DRAW, (struct frame_draw){1, 3, 1, 0, 0, 0});
  PUT(FRAME_DRAW_INDIRECT,
      (struct frame_draw_indirect){.buffer = PARAMETERS, .most = 3, .count_buffer = INDICES, .count_offset = 0});
  struct frame_summary s = summarise();
  assert_true(s.draws[0].has_indices);
  assert_true(s.draws[1].has_vertices && !s.draws[1].has_indices);
  assert_int_equal(s.draws[1].vertices, 3);
  assert_int_equal(s.draws[1].bytes[RESOURCE_ATTRIBUTES], 0);
  assert_int_equal(s.draw_count, 3);
  assert_false(s.numbers_are_known);
  frame_summary_clear(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(restarts_divide_strips),
      cmocka_unit_test(views_reach_their_levels_and_layers),
      cmocka_unit_test(stores_make_parameters_unknown),
      cmocka_unit_test(copies_of_texels_make_indices_unknown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

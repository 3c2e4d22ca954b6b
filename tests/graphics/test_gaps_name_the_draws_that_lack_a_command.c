/* Draws behind a command that a capture does not hold: those that read what it should have written, also by way of
 * copies and of other draws, those of its pass, and all that follow where the record does not say more. */
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

enum { BUFFER = 1, OTHER_BUFFER, IMAGE, OTHER_IMAGE, TARGET, VIEW, OTHER_VIEW, TARGET_VIEW, PIPELINE };
enum { SET_OF_IMAGE = 20, SET_OF_OTHER, SET_OF_TARGET, SET_OF_STORAGE, SIDE = 4 };

static void put_image(uint32_t image, uint32_t view) {
  PUT(FRAME_IMAGE, (struct frame_image){image, 1, VK_FORMAT_R8G8B8A8_UNORM, SIDE, SIDE, 1, 1, 1, 1, 0, 0, 0});
  PUT(FRAME_VIEW, (struct frame_view){.id = view,
                                      .image = image,
                                      .format = VK_FORMAT_R8G8B8A8_UNORM,
                                      .aspect = VK_IMAGE_ASPECT_COLOR_BIT,
                                      .levels = 1,
                                      .layers = 1});
}

static void put_set(uint32_t id, uint32_t type, uint32_t object) {
  const struct frame_set set = {id, 1};
  const struct frame_descriptor descriptor = {.type = type, .object = object, .bytes = UINT64_MAX};
  made_put(FRAME_SET, &set, sizeof set, &descriptor, sizeof descriptor);
}

static void submit(void) {
  PUT(FRAME_SUBMIT, (struct frame_submit){1, 0});
  PUT(FRAME_BIND_PIPELINE, (struct frame_bind_pipeline){PIPELINE, VK_PIPELINE_BIND_POINT_GRAPHICS});
  PUT(FRAME_BIND_VERTICES, (struct frame_bind_vertices){.count = 1, .buffers = {BUFFER}});
}

static void begin_frame(void) {
  const struct frame_pipeline p = {.id = PIPELINE,
                                   .binding_count = 1,
                                   .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
                                   .samples = 1,
                                   .logic_op = UINT32_MAX};
  const struct frame_binding binding = {0, 16, 0, 0};
  made_begin();
  PUT(FRAME_BUFFER, (struct frame_buffer){BUFFER, 0, 64});
  PUT(FRAME_BUFFER, (struct frame_buffer){OTHER_BUFFER, 0, 64});
  put_image(IMAGE, VIEW);
  put_image(OTHER_IMAGE, OTHER_VIEW);
  put_image(TARGET, TARGET_VIEW);
  made_put(FRAME_PIPELINE, &p, sizeof p, &binding, sizeof binding);
  put_set(SET_OF_IMAGE, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, VIEW);
  put_set(SET_OF_OTHER, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, OTHER_VIEW);
  put_set(SET_OF_TARGET, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, TARGET_VIEW);
  put_set(SET_OF_STORAGE, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, OTHER_BUFFER);
  submit();
}

/* A pass that draws to the image of a view, one draw of which reads a set; 0: none. */
static void begin_pass(uint32_t view) {
  PUT(FRAME_BEGIN_PASS,
      (struct frame_begin_pass){.area = {0, 0, SIDE, SIDE}, .color_count = 1, .colors = {{.view = view}}});
}

static void draw(uint32_t set) {
  PUT(FRAME_BIND_SETS, (struct frame_bind_sets){.count = 1, .sets = {set}});
  PUT(FRAME_DRAW, (struct frame_draw){0, 3, 1, 0, 0, 0});
}

static void end_pass(void) {
  PUT(FRAME_END_PASS, (struct frame_end_pass){{0, 0}});
}

static void leave_out(const char *name, uint32_t reach, uint32_t object) {
  struct frame_unsupported record = {.name = ""};
  const struct frame_lack lack = {reach, object};
  snprintf(record.name, sizeof record.name, "%s", name);
  made_put(FRAME_UNSUPPORTED, &record, sizeof record, &lack, sizeof lack);
}

/* Expects the gaps "place command, place command". */
static void expect(const char *expected) {
  struct frame_capture *capture = made_read();
  struct frame_summary s;
  struct error error = ERROR_INIT;
  char text[512] = "";
  assert_int_equal(frame_summary_make(capture, &s, &error), 0);
  for (size_t i = 0; i < s.gap_count; i++)
    snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s %s", i ? ", " : "", s.gaps[i].place,
             s.gaps[i].command);
  assert_string_equal(text, expected);
  frame_summary_clear(&s);
  frame_capture_destroy(capture);
}

static void a_whole_capture_has_none(void **state) {
  (void)state;
  begin_frame();
  begin_pass(TARGET_VIEW);
  draw(SET_OF_IMAGE);
  end_pass();
  expect("");
}

static void readers_of_an_image_lack_it(void **state) {
  (void)state;
  begin_frame();
  leave_out("A", FRAME_REACH_OBJECT, IMAGE);
  begin_pass(TARGET_VIEW);
  draw(SET_OF_OTHER);
  draw(SET_OF_IMAGE);
  draw(0);
  end_pass();
  begin_pass(OTHER_VIEW);
  draw(SET_OF_TARGET);
  end_pass();
  expect("draw-1 A, draw-3 A");
}

static void copies_pass_it_on(void **state) {
  const struct frame_part source = {IMAGE, VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1, 0, {0, 0, 0}, {1, 1, 1}};
  struct frame_part target = source;
  (void)state;
  target.image = OTHER_IMAGE;
  begin_frame();
  leave_out("A", FRAME_REACH_OBJECT, IMAGE);
  begin_pass(TARGET_VIEW);
  draw(SET_OF_OTHER);
  end_pass();
  PUT(FRAME_COPY_IMAGE, (struct frame_copy_image){source, target, 0, 0});
  begin_pass(TARGET_VIEW);
  draw(SET_OF_OTHER);
  end_pass();
  PUT(FRAME_COPY_TEXELS, (struct frame_copy_texels){.part = target, .buffer = BUFFER, .to_buffer = 1});
  begin_pass(TARGET_VIEW);
  draw(0);
  end_pass();
  submit(); /* buffers have their contents again */
  begin_pass(TARGET_VIEW);
  draw(0);
  draw(SET_OF_IMAGE);
  end_pass();
  expect("draw-1 A, draw-2 A, draw-4 A");
}

static void passes_end_what_they_lack(void **state) {
  (void)state;
  begin_frame();
  begin_pass(TARGET_VIEW);
  draw(0);
  leave_out("B", FRAME_REACH_PASS, 0);
  draw(0);
  end_pass();
  begin_pass(TARGET_VIEW);
  draw(0);
  end_pass();
  leave_out("C", FRAME_REACH_NONE, 0);
  leave_out("D", FRAME_REACH_BEGIN, 0);
  begin_pass(TARGET_VIEW);
  draw(0);
  leave_out("D's end", FRAME_REACH_END, 0);
  draw(0);
  end_pass();
  expect("draw-1 B, before draw-3 C, draw-3 D");
}

/* Records of older captures end behind the name. */
static void records_that_say_no_more_concern_all(void **state) {
  const struct frame_unsupported old = {.name = "E"};
  (void)state;
  begin_frame();
  begin_pass(TARGET_VIEW);
  draw(0);
  PUT(FRAME_UNSUPPORTED, old);
  draw(0);
  end_pass();
  PUT(FRAME_DISPATCH, (struct frame_dispatch){.groups = {1, 1, 1}});
  begin_pass(TARGET_VIEW);
  draw(0);
  end_pass();
  expect("draw-1 E, dispatch-0 E, draw-2 E");
}

static void stores_and_parameters_pass_it_on(void **state) {
  (void)state;
  begin_frame();
  leave_out("A", FRAME_REACH_OBJECT, IMAGE);
  PUT(FRAME_BIND_SETS, (struct frame_bind_sets){.count = 2, .sets = {SET_OF_IMAGE, SET_OF_STORAGE}});
  begin_pass(TARGET_VIEW);
  PUT(FRAME_DRAW, (struct frame_draw){0, 3, 1, 0, 0, 0});
  PUT(FRAME_BIND_SETS, (struct frame_bind_sets){.count = 2, .sets = {0, 0}});
  PUT(FRAME_DRAW, (struct frame_draw){0, 3, 1, 0, 0, 0});
  PUT(FRAME_DRAW_INDIRECT, (struct frame_draw_indirect){.buffer = OTHER_BUFFER, .most = 2, .stride = 16});
  end_pass();
  expect("draw-0 A, draw-2 A, draw-3 A");
}

static void damaged_records_are_refused(void **state) {
  struct frame_capture *capture;
  struct error error = ERROR_INIT;
  (void)state;
  begin_frame();
  leave_out("A", FRAME_REACH_OBJECT, VIEW);
  assert_int_equal(frame_capture_read("made", made.bytes, made.length, &capture, &error), -1);
  assert_non_null(strstr(error.text, "the command concerns no image or buffer"));
  begin_frame();
  leave_out("A", FRAME_REACH_COUNT, 0);
  error = (struct error)ERROR_INIT;
  assert_int_equal(frame_capture_read("made", made.bytes, made.length, &capture, &error), -1);
  assert_non_null(strstr(error.text, "the draws that the command concerns are unknown"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_whole_capture_has_none),
      cmocka_unit_test(readers_of_an_image_lack_it),
      cmocka_unit_test(copies_pass_it_on),
      cmocka_unit_test(passes_end_what_they_lack),
      cmocka_unit_test(records_that_say_no_more_concern_all),
      cmocka_unit_test(stores_and_parameters_pass_it_on),
      cmocka_unit_test(damaged_records_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

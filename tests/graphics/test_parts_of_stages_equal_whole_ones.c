/* Shaders that run in several launches give the picture and the counts that one launch gives, in frames with
 * derivatives, discards, blending, levels of textures, several samples a pixel and stores. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "graphics/execute/frame_execute.h"

static const char *datasets, *scratch;

static struct frame_execution execute(const struct frame_capture *capture, uint32_t most_items) {
  const struct frame_execute_options options = {.folder = scratch, .most_items = most_items};
  struct frame_execution out;
  struct error error = ERROR_INIT;
  if (frame_execute(capture, &options, &out, &error) != 0)
    fail_msg("%s", error.text);
  return out;
}

static void check_draw(const struct frame_draw_result *a, const struct frame_draw_result *b) {
  assert_string_equal(a->missing, b->missing);
  assert_int_equal(a->quads, b->quads);
  assert_int_equal(a->fragments, b->fragments);
  assert_int_equal(a->passed, b->passed);
  assert_int_equal(a->discarded, b->discarded);
  assert_int_equal(a->vertex_instructions, b->vertex_instructions);
  assert_int_equal(a->fragment_instructions, b->fragment_instructions);
}

/* Returns the most fragment lanes of a draw. */
static uint64_t check_frame(const char *name, uint32_t most_items) {
  char path[4096];
  struct frame_capture *capture;
  struct error error = ERROR_INIT;
  uint64_t lanes = 0;
  snprintf(path, sizeof path, "%s/%s.rframe", datasets, name);
  if (frame_capture_load(path, &capture, &error) != 0)
    fail_msg("%s", error.text);
  struct frame_execution whole = execute(capture, 1u << 30), parts = execute(capture, most_items);
  assert_int_equal(whole.draw_count, parts.draw_count);
  for (size_t i = 0; i < whole.draw_count; i++) {
    check_draw(&whole.draws[i], &parts.draws[i]);
    assert_string_equal(whole.draws[i].missing, "");
    lanes = 4 * whole.draws[i].quads > lanes ? 4 * whole.draws[i].quads : lanes;
  }
  assert_memory_equal(whole.rgba, parts.rgba, (size_t)whole.width * whole.height * 4);
  frame_execution_clear(&whole);
  frame_execution_clear(&parts);
  frame_capture_destroy(capture);
  return lanes;
}

static void parts_equal_whole_stages(void **state) {
  static const char *const names[] = {"scene", "cube", "blocks", "samples", "shaded", "stores", "points", "early"};
  (void)state;
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    assert_true(check_frame(names[i], 192) > 2 * 192);
  assert_true(check_frame("scene", 1024) > 2 * 1024);
}

int main(int count, char **arguments) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(parts_equal_whole_stages)};
  if (count != 3)
    return 2;
  datasets = arguments[1];
  scratch = arguments[2];
  return cmocka_run_group_tests(tests, NULL, NULL);
}

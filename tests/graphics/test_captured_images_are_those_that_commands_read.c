/* The layer takes the contents of an image into a capture where a command reads them before another one has replaced
 * them: by load operation, area, shape of the image, descriptor, copy, and order of the commands. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "graphics/layer/reading/image_uses.h"

#define COLOR   VK_IMAGE_ASPECT_COLOR_BIT
#define DEPTH   VK_IMAGE_ASPECT_DEPTH_BIT
#define STENCIL VK_IMAGE_ASPECT_STENCIL_BIT
#define EVERY   (COLOR | DEPTH | STENCIL)

enum { COMMANDS = 1000, SET = 2000 };

static uint64_t last_handle;

/* An image with a view of it. */
struct shown {
  struct object *image;
  uint32_t view;
};

static struct shown make_image(uint32_t width, uint32_t layers) {
  struct shown s;
  const uint64_t handle = ++last_handle;
  s.image = layer_remember(OBJECT_IMAGE, handle);
  s.image->width = width;
  s.image->height = 50;
  s.image->depth = s.image->levels = s.image->samples = 1;
  s.image->layers = layers;
  struct object *view = layer_remember(OBJECT_VIEW, handle);
  const struct frame_view record = {.id = view->id, .image = s.image->id};
  record_put(&view->records, FRAME_VIEW, &record, sizeof record);
  s.view = view->id;
  return s;
}

static VkCommandBuffer begin_commands(void) {
  const VkCommandBuffer commands = (VkCommandBuffer)(uintptr_t)COMMANDS;
  layer_remember(OBJECT_COMMANDS, COMMANDS);
  return commands;
}

static void put(enum frame_record_kind kind, const void *record, size_t size) {
  record_put(layer_commands((VkCommandBuffer)(uintptr_t)COMMANDS), kind, record, size);
}

/* A pass with one color target. */
static void put_pass(struct shown target, uint32_t load, uint32_t width) {
  struct frame_begin_pass pass = {.area = {0, 0, width, 50}, .color_count = 1};
  pass.colors[0] = (struct frame_target){.view = target.view, .load = load};
  put(FRAME_BEGIN_PASS, &pass, sizeof pass);
}

static void put_sampled(struct shown texture) {
  struct object *set = layer_remember(OBJECT_SET, SET + ++last_handle);
  struct frame_descriptor *d = calloc(1, sizeof *d);
  d->object = texture.view;
  set->data = d;
  set->data_count = 1;
  const struct frame_bind_sets bind = {.count = 1, .sets = {set->id}};
  put(FRAME_BIND_SETS, &bind, sizeof bind);
}

static void expect(struct shown s, uint32_t reads, uint32_t replaces) {
  const VkCommandBuffer commands = (VkCommandBuffer)(uintptr_t)COMMANDS;
  image_uses_find(&commands, 1);
  assert_int_equal(s.image->reads, reads);
  assert_int_equal(s.image->replaces, replaces);
}

static void targets_are_read_unless_cleared_as_a_whole(void **state) {
  static const struct {
    uint32_t layers, load, width, reads, replaces;
  } rows[] = {{1, VK_ATTACHMENT_LOAD_OP_CLEAR, 100, 0, COLOR},
              {1, VK_ATTACHMENT_LOAD_OP_CLEAR, 99, COLOR, 0},
              {2, VK_ATTACHMENT_LOAD_OP_CLEAR, 100, COLOR, 0},
              {1, VK_ATTACHMENT_LOAD_OP_LOAD, 100, COLOR, 0},
              {1, VK_ATTACHMENT_LOAD_OP_DONT_CARE, 100, COLOR, 0}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const struct shown target = make_image(100, rows[i].layers), other = make_image(100, 1);
    begin_commands();
    put_pass(target, rows[i].load, rows[i].width);
    expect(target, rows[i].reads, rows[i].replaces);
    expect(other, 0, 0);
  }
  (void)state;
}

static void the_first_use_decides(void **state) {
  const struct shown image = make_image(100, 1);
  begin_commands();
  put_pass(image, VK_ATTACHMENT_LOAD_OP_CLEAR, 100);
  put_sampled(image);
  put_pass(image, VK_ATTACHMENT_LOAD_OP_LOAD, 100);
  expect(image, EVERY & ~COLOR, COLOR);
  begin_commands();
  put_sampled(image);
  put_pass(image, VK_ATTACHMENT_LOAD_OP_CLEAR, 100);
  expect(image, EVERY, 0);
  (void)state;
}

static void copies_read_both_images(void **state) {
  const struct shown from = make_image(100, 1), to = make_image(100, 1), other = make_image(100, 1);
  const struct frame_copy_image copy = {.source = {.image = from.image->id}, .target = {.image = to.image->id}};
  const struct frame_blit_image blit = {.source = {.image = to.image->id}, .target = {.image = from.image->id}};
  const struct frame_copy_texels texels = {.part = {.image = from.image->id}};
  begin_commands();
  put(FRAME_COPY_IMAGE, &copy, sizeof copy);
  expect(from, EVERY, 0);
  expect(to, EVERY, 0);
  begin_commands();
  put(FRAME_BLIT_IMAGE, &blit, sizeof blit);
  expect(from, EVERY, 0);
  expect(to, EVERY, 0);
  expect(other, 0, 0);
  begin_commands();
  put(FRAME_COPY_TEXELS, &texels, sizeof texels);
  expect(from, EVERY, 0);
  expect(to, 0, 0);
  (void)state;
}

static void depth_and_stencil_are_told_apart(void **state) {
  const struct shown image = make_image(100, 1);
  struct frame_begin_pass pass = {.area = {0, 0, 100, 50}};
  pass.depth = (struct frame_target){.view = image.view, .load = VK_ATTACHMENT_LOAD_OP_CLEAR};
  begin_commands();
  put(FRAME_BEGIN_PASS, &pass, sizeof pass);
  expect(image, 0, DEPTH);
  pass.stencil = (struct frame_target){.view = image.view, .load = VK_ATTACHMENT_LOAD_OP_LOAD};
  begin_commands();
  put(FRAME_BEGIN_PASS, &pass, sizeof pass);
  expect(image, STENCIL, DEPTH);
  (void)state;
}

static void resolves_and_unknown_commands_read(void **state) {
  const struct shown target = make_image(100, 1), resolve = make_image(100, 1), other = make_image(100, 1);
  struct frame_begin_pass pass = {.area = {0, 0, 100, 50}, .color_count = 1};
  pass.colors[0] =
      (struct frame_target){.view = target.view, .resolve = resolve.view, .load = VK_ATTACHMENT_LOAD_OP_CLEAR};
  const struct frame_unsupported unknown = {.name = "vkCmdUnknown"};
  begin_commands();
  put(FRAME_BEGIN_PASS, &pass, sizeof pass);
  expect(target, 0, COLOR);
  expect(resolve, EVERY, 0);
  expect(other, 0, 0);
  put(FRAME_UNSUPPORTED, &unknown, sizeof unknown);
  expect(target, EVERY & ~COLOR, COLOR);
  expect(other, EVERY, 0);
  (void)state;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(targets_are_read_unless_cleared_as_a_whole),
                                     cmocka_unit_test(the_first_use_decides), cmocka_unit_test(copies_read_both_images),
                                     cmocka_unit_test(depth_and_stencil_are_told_apart),
                                     cmocka_unit_test(resolves_and_unknown_commands_read)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

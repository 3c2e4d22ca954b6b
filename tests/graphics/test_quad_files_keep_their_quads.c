/* Files of quads: what is loaded is what was written, and the quads of triangles take hardly any bytes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/random.h"
#include "graphics/drawn/quad_file.h"
#include "graphics/raster/triangles.h"

/* A file of quads gives what was written: any numbers, with samples and without. */
static void files_keep_their_quads(void **state) {
  enum { TRIANGLES = 40, QUADS = 300 };
  static struct quad_triangle some[TRIANGLES];
  static struct quad quads[QUADS];
  static struct quad_samples samples[QUADS];
  uint32_t word = 1;
  (void)state;
  for (size_t i = 0; i < sizeof some / 4; i++)
    ((uint32_t *)some)[i] = word = word * 1664525 + 1013904223;
  for (uint32_t i = 0; i < QUADS; i++) {
    word = word * 1664525 + 1013904223;
    quads[i] = (struct quad){.x = (int16_t)(word >> 20), .y = (int16_t)(word & 4095), .triangle = i * 7 % TRIANGLES};
    for (int k = 0; k < 4; k++) {
      samples[i].covered[k] = (uint16_t)(word >> 4 * k & 15);
      samples[i].passed[k] = samples[i].covered[k] & (uint16_t)(word >> 16);
      quads[i].coverage |= (uint8_t)((samples[i].covered[k] != 0) << k);
      quads[i].passed |= (uint8_t)((samples[i].passed[k] != 0) << k);
    }
  }
  for (uint32_t count = 1; count <= 4; count += 3) {
    const struct quad_file file = {.width = 4096,
                                   .height = 4096,
                                   .group_items = 64,
                                   .triangle_count = TRIANGLES,
                                   .quad_count = QUADS,
                                   .triangles = some,
                                   .quads = quads,
                                   .sample_count = count,
                                   .samples = count > 1 ? samples : NULL};
    struct quad_file again;
    struct error error = ERROR_INIT;
    assert_int_equal(quad_file_write("some.quads", &file, &error), 0);
    assert_int_equal(quad_file_load("some.quads", &again, &error), 0);
    assert_int_equal(again.sample_count, count);
    assert_memory_equal(again.triangles, some, sizeof some);
    assert_memory_equal(again.quads, quads, sizeof quads);
    if (count > 1)
      assert_memory_equal(again.samples, samples, sizeof samples);
    quad_file_clear(&again);
    remove("some.quads");
  }
}

/* A draw of random triangles, of which some lie partly or wholly outside. `left`: where the scissor begins. */

enum { SIDE = 150, SOME = 300, ROOM = 1 << 17 };

static void rasterise(struct raster *r, int32_t left) {
  const struct raster_state state = {
      .viewport = {0, 0, SIDE, SIDE, 0, 1}, .left = left, .right = SIDE, .bottom = SIDE, .most_quads = ROOM};
  struct random_state random = {11};
  for (int i = 0; i < SOME; i++) {
    const double size = i % 10 ? 0.2 : 2.5, x = 2 * random_unit(&random) - 1, y = 2 * random_unit(&random) - 1;
    struct raster_vertex corners[3] = {0};
    for (int k = 0; k < 3; k++) {
      corners[k].position[0] = (float)(x + size * random_unit(&random));
      corners[k].position[1] = (float)(y + size * random_unit(&random));
      corners[k].position[3] = 1;
    }
    assert_true(raster_triangle(r, &state, (const uint32_t[]){0, 1, 2}, 0, corners));
  }
}

static uint32_t word_at(const char *bytes, size_t at) {
  uint32_t word;
  memcpy(&word, bytes + at, sizeof word);
  return word;
}

/* Writes and reads a draw; returns how many of its quads stand in the file, because they do not follow another. */
static uint32_t apart_of(const struct raster *r) {
  static struct quad_triangle triangles[ROOM];
  static struct quad quads[ROOM];
  const struct quad_file file = {.width = SIDE,
                                 .height = SIDE,
                                 .group_items = 64,
                                 .triangle_count = (uint32_t)r->triangle_count,
                                 .quad_count = (uint32_t)r->quad_count,
                                 .triangles = triangles,
                                 .quads = quads,
                                 .sample_count = 1};
  struct quad_file again;
  struct error error = ERROR_INIT;
  char *bytes;
  size_t length;
  memset(triangles, 0, sizeof triangles);
  memset(quads, 0, sizeof quads);
  for (size_t i = 0; i < r->triangle_count; i++)
    for (int k = 0; k < 3; k++) {
      triangles[i].x[k] = (int32_t)r->triangles[i].fixed_x[k];
      triangles[i].y[k] = (int32_t)r->triangles[i].fixed_y[k];
    }
  for (size_t i = 0; i < r->quad_count; i++)
    quads[i] = (struct quad){r->quads[i].x, r->quads[i].y, r->quads[i].triangle, r->quads[i].coverage, 0, 0};
  assert_int_equal(quad_file_write("drawn.quads", &file, &error), 0);
  assert_int_equal(quad_file_load("drawn.quads", &again, &error), 0);
  assert_memory_equal(again.quads, quads, r->quad_count * sizeof *quads);
  quad_file_clear(&again);
  assert_int_equal(file_read("drawn.quads", ROOM, &bytes, &length, &error), 0);
  const uint32_t apart = word_at(bytes, 40);
  free(bytes);
  remove("drawn.quads");
  return apart;
}

/* The rasteriser is the slow reference: each of its quads follows the one before, unless a scissor cuts triangles. */
static void quads_of_triangles_follow_each_other(void **state) {
  struct raster whole = {0}, cut = {0};
  (void)state;
  rasterise(&whole, 0);
  rasterise(&cut, 101);
  assert_true(whole.quad_count > 10 * SOME && whole.quad_count < ROOM);
  assert_int_equal(apart_of(&whole), 0);
  assert_in_range(apart_of(&cut), 1, cut.quad_count / 2);
  raster_clear(&whole);
  raster_clear(&cut);
}

static void other_versions_are_named(void **state) {
  char bytes[64] = QUAD_FILE_MAGIC;
  struct quad_file file;
  struct error error = ERROR_INIT;
  (void)state;
  bytes[8] = 2;
  assert_int_equal(quad_file_read("old.quads", bytes, sizeof bytes, &file, &error), -1);
  assert_string_equal(error.text, "found version 2 of files of quads, expected 3: draw the frame again");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(files_keep_their_quads),
                                     cmocka_unit_test(quads_of_triangles_follow_each_other),
                                     cmocka_unit_test(other_versions_are_named)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

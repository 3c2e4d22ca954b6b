/* Files of quads: what is loaded is what was written. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "graphics/drawn/quad_file.h"

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

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(files_keep_their_quads)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Private memory interleaved across lanes: lanes that access one element touch a row of words, however wide it is; rows
 * found as ranges are those found lane by lane; lanes that access different elements touch different rows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "model/warp/interleaved_memory.h"

enum { ROW = 32 * INTERLEAVED_WORD }; /* of a warp of 32 */

static uint32_t lines[4096], others[4096];

static struct lane_addresses same_element(uint32_t offset, uint32_t bytes) {
  return (struct lane_addresses){.bytes = bytes,
                                 .count = 32,
                                 .word_stride_bytes = ROW,
                                 .affine = true,
                                 .first = 8192 + interleaved_place(offset, 0, ROW),
                                 .stride = INTERLEAVED_WORD};
}

static void test_one_element_is_one_line(void **state) {
  (void)state;
  const struct line_size line = line_size_make(128);
  struct lane_addresses lanes = same_element(4 * 7, 4);
  assert_int_equal(interleaved_lines(&line, &lanes, true, lines), 1);
  assert_int_equal(lines[0], 64 + 7);
  lanes = same_element(16, 16);
  assert_int_equal(interleaved_lines(&line, &lanes, true, lines), 4);
  assert_int_equal(interleaved_lines(&line, &lanes, false, lines), 4 * 32);
  lanes = same_element(2, 4); /* two words, of which parts are accessed */
  assert_int_equal(interleaved_lines(&line, &lanes, true, lines), 2);
}

static void test_different_elements_are_different_lines(void **state) {
  (void)state;
  const struct line_size line = line_size_make(128);
  struct lane_addresses lanes = {.bytes = 4, .count = 32, .word_stride_bytes = ROW};
  for (uint32_t k = 0; k < 32; k++)
    lanes.address[k] = 8192 + interleaved_place(4 * (k / 2), k, ROW);
  assert_int_equal(interleaved_lines(&line, &lanes, true, lines), 16);
  assert_int_equal(lines[15], 64 + 15);
}

static void test_rows_equal_lane_by_lane(void **state) {
  (void)state;
  struct random_state r = {3};
  for (int i = 0; i < 5000; i++) {
    const struct line_size line = line_size_make(4u << random_below(&r, 7));
    const struct lane_addresses rows = same_element(random_below(&r, 256), 1 + random_below(&r, 32));
    struct lane_addresses listed = rows;
    listed.affine = false;
    for (uint32_t k = 0; k < 32; k++)
      listed.address[k] = rows.first + INTERLEAVED_WORD * k;
    const uint32_t n = interleaved_lines(&line, &rows, true, lines);
    assert_int_equal(interleaved_lines(&line, &listed, true, others), n);
    assert_memory_equal(lines, others, n * sizeof *lines);
    assert_true(n <= interleaved_capacity(&line, 32, rows.bytes));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_one_element_is_one_line),
                                     cmocka_unit_test(test_different_elements_are_different_lines),
                                     cmocka_unit_test(test_rows_equal_lane_by_lane)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

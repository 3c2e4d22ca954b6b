/* Parts of a warp's access: without limits it is coalesced as a whole; limits give the transactions worked out by hand;
 * a narrower limit never gives fewer transactions, and no limit more than there is room for. Where lines share tags,
 * the load/store unit has the transactions that lines as large as the tags give. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "default_spec.h"
#include "model/warp/access_parts.h"

static uint32_t lines[64 * 64], begins[64 * 64], runs;

static struct gpu_spec turing(void) {
  struct gpu_spec spec = default_spec();
  spec.warp_size = 32;
  spec.line_bytes = 128;
  spec.access_item_bytes = 16;
  spec.access_part_bytes = 128;
  return spec;
}

static uint32_t transactions(const struct gpu_spec *spec, uint32_t count, uint32_t bytes, int64_t stride) {
  const struct access_parts parts = access_parts_of(spec);
  struct lane_addresses lanes = {.bytes = bytes,
                                 .count = count,
                                 .lanes = UINT64_MAX >> (64 - count),
                                 .affine = true,
                                 .first = 4096,
                                 .stride = stride};
  return access_parts_lines(&parts, &lanes, lines, begins, &runs);
}

static void test_parts_of_a_warp(void **state) {
  (void)state;
  struct gpu_spec spec = turing();
  assert_int_equal(transactions(&spec, 32, 4, 4), 1);
  assert_int_equal(transactions(&spec, 32, 4, 0), 1);
  assert_int_equal(transactions(&spec, 32, 8, 8), 2);   /* half-warps, a line each */
  assert_int_equal(transactions(&spec, 32, 16, 16), 4); /* quarter-warps, a line each */
  assert_int_equal(transactions(&spec, 32, 16, 0), 4);  /* one line in each part */
  assert_int_equal(lines[3], 32);
  assert_int_equal(transactions(&spec, 32, 16, 128), 32);
  assert_int_equal(transactions(&spec, 32, 32, 32), 16); /* two instructions, whose parts touch two lines each */
  assert_int_equal(transactions(&spec, 5, 16, 16), 1);
  spec.access_item_bytes = spec.access_part_bytes = 0;
  assert_int_equal(transactions(&spec, 32, 16, 0), 1);
}

static void test_pieces_of_a_line(void **state) {
  (void)state;
  struct gpu_spec spec = default_spec();
  spec.warp_size = 4;
  spec.access_piece_bytes = 16;
  assert_int_equal(transactions(&spec, 4, 4, 4), 1);
  assert_int_equal(transactions(&spec, 4, 16, 16), 4); /* all in one line */
  assert_int_equal(lines[3], 64);
  assert_int_equal(transactions(&spec, 4, 16, 0), 1);
  assert_int_equal(transactions(&spec, 4, 4, 8), 2);
}

/* Two lanes of a warp of four: the second and the last, in parts of two lanes. */
static void test_lanes_keep_their_numbers(void **state) {
  (void)state;
  struct gpu_spec spec = default_spec();
  struct lane_addresses lanes = {.bytes = 8, .count = 2, .lanes = 10, .address = {4096, 4096}};
  spec.warp_size = 4;
  spec.access_part_bytes = 16;
  const struct access_parts parts = access_parts_of(&spec);
  assert_int_equal(access_parts_lines(&parts, &lanes, lines, begins, &runs), 2);
}

static struct lane_addresses random_lanes(struct random_state *r) {
  struct lane_addresses lanes = {.bytes = 1u << random_below(r, 6), .affine = random_below(r, 2)};
  lanes.lanes = random_below(r, 2) ? UINT64_MAX : random_next(r) | 1;
  lanes.count = (uint32_t)__builtin_popcountll(lanes.lanes);
  lanes.first = 4096 + random_below(r, 64);
  lanes.stride = (int64_t)random_below(r, 100) - 50;
  for (uint32_t i = 0; i < lanes.count; i++)
    lanes.address[i] = 4096 + random_below(r, 2048);
  return lanes;
}

static uint32_t count_lines(const struct gpu_spec *spec, struct lane_addresses lanes) {
  const struct access_parts parts = access_parts_of(spec);
  const uint32_t n = access_parts_lines(&parts, &lanes, lines, begins, &runs);
  assert_true(access_parts_capacity(&parts, 64, lanes.bytes) <= sizeof lines / sizeof *lines);
  assert_true(n <= access_parts_capacity(&parts, lanes.count, lanes.bytes));
  return n;
}

static void check_law(struct random_state *r) {
  const struct lane_addresses lanes = random_lanes(r);
  struct gpu_spec spec = default_spec();
  const struct line_size line = line_size_make((uint32_t)spec.line_bytes);
  struct lane_addresses copy = lanes;
  uint32_t before = count_lines(&spec, lanes);
  assert_int_equal(before, coalesce_lines(&line, &copy, lines));
  spec.warp_size = 64;
  for (spec.access_part_bytes = 4096; spec.access_part_bytes > 0; spec.access_part_bytes /= 2) {
    const uint32_t n = count_lines(&spec, lanes);
    assert_true(n >= before);
    before = n;
  }
  before = count_lines(&spec, lanes);
  for (spec.access_piece_bytes = 64; spec.access_piece_bytes >= 4; spec.access_piece_bytes /= 2) {
    const uint32_t n = count_lines(&spec, lanes);
    assert_true(n >= before);
    before = n;
  }
}

static void test_narrower_is_never_fewer(void **state) {
  (void)state;
  struct random_state r = {5};
  for (int i = 0; i < 5000; i++)
    check_law(&r);
}

/* Lines of 32 bytes, four to a tag. */
static void test_parts_that_share_a_tag(void **state) {
  (void)state;
  struct gpu_spec spec = turing();
  spec.line_bytes = 32;
  spec.tag_lines = 4;
  assert_int_equal(transactions(&spec, 32, 4, 4), 4);
  assert_int_equal(runs, 1);
  spec.access_part_bytes = 64; /* a part has two of the lines */
  assert_int_equal(transactions(&spec, 32, 4, 4), 4);
  assert_int_equal(runs, 2);
  assert_true(begins[0] && !begins[1] && begins[2] && !begins[3]);
  assert_int_equal(transactions(&spec, 16, 8, 8), 4);
  assert_int_equal(runs, 2);
  spec.access_part_bytes = 16; /* a part has half a line */
  assert_int_equal(transactions(&spec, 32, 4, 4), 8);
  assert_int_equal(runs, 8);
}

/* Compares with the transactions of lines that are as large as tags, which are coalesced part by part. */
static void test_transactions_are_those_of_tags(void **state) {
  (void)state;
  struct random_state r = {6};
  uint32_t divided = 0;
  for (int i = 0; i < 5000; i++) {
    const struct lane_addresses lanes = random_lanes(&r);
    struct gpu_spec spec = default_spec();
    uint32_t tags[64 * 64], tag = 0;
    spec.warp_size = 64;
    spec.access_item_bytes = 4 << random_below(&r, 3);
    spec.access_part_bytes = 8 << random_below(&r, 6);
    spec.line_bytes = 128;
    const uint32_t expected = count_lines(&spec, lanes);
    memcpy(tags, lines, expected * sizeof *tags);
    spec.tag_lines = 2 << random_below(&r, 4);
    spec.line_bytes = 128 / spec.tag_lines;
    const uint32_t n = count_lines(&spec, lanes);
    assert_int_equal(runs, expected);
    for (uint32_t k = 0; k < n; k++) {
      tag += begins[k];
      assert_int_equal(lines[k] / spec.tag_lines, tags[tag - 1]);
    }
    assert_int_equal(tag, expected);
    divided += expected > 1;
  }
  assert_true(divided > 1000);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_parts_of_a_warp),          cmocka_unit_test(test_pieces_of_a_line),
      cmocka_unit_test(test_lanes_keep_their_numbers), cmocka_unit_test(test_narrower_is_never_fewer),
      cmocka_unit_test(test_parts_that_share_a_tag),   cmocka_unit_test(test_transactions_are_those_of_tags)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

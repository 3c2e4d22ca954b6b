/* Lines of a tag that are used together give what they give one by one: hits and victims of sectored caches under every
 * placement and replacement, lines of L2 that stores write in part, lines in flight, the rates of L2, and accesses of
 * which L2 holds all lines. The fully associative LRU kind of a sectored cache equals the general kind. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "model/cache/sectored.h"
#include "model/memory/memory_hierarchy.h"
#include "default_spec.h"
#include "rounds.h"

enum { CASES = 60, STEPS = 1500, TAGS = 24 };

/* Returns some lines of a tag, at least one. */
static uint32_t some_lines(struct random_state *r, uint32_t shift) {
  const uint32_t all = (uint32_t)((UINT64_C(1) << (1u << shift)) - 1);
  const uint32_t lines = random_below(r, UINT32_MAX) & all;
  return lines ? lines : all;
}

/* Uses lines one after another. Returns those that hit. */
static uint32_t one_by_one(struct cache *cache, uint32_t shift, uint32_t tag, uint32_t lines, bool touch) {
  uint32_t hits = 0;
  for (uint32_t i = 0; i < 1u << shift; i++)
    if (lines >> i & 1)
      hits |= (uint32_t)(touch ? cache_touch : cache_access)(cache, (tag << shift) + i) << i;
  return hits;
}

/* Uses the same lines of both caches, of `together` at once, and compares hits and victims. Destroys both. */
static void expect_equal_caches(struct random_state *r, struct cache *together, struct cache *alone, uint32_t shift) {
  assert_non_null(together);
  assert_non_null(alone);
  assert_int_equal(together->capacity, alone->capacity);
  for (int i = 0; i < STEPS; i++) {
    const uint32_t tag = random_below(r, TAGS), lines = some_lines(r, shift), other = random_below(r, TAGS << shift);
    const bool touch = random_below(r, 3) == 0;
    const uint32_t hits = (touch ? cache_touch_lines : cache_access_lines)(together, tag, lines);
    assert_int_equal(hits, one_by_one(alone, shift, tag, lines, touch));
    assert_int_equal(cache_victim(together, other), cache_victim(alone, other));
  }
  cache_destroy(together);
  cache_destroy(alone);
}

static void test_sectored_caches(void **state) {
  (void)state;
  struct random_state r = {1};
  for (uint32_t i = 0; i < rounds(CASES); i++)
    for (int policy = 0; policy < CHOICE_COUNT(REPLACEMENT_POLICIES); policy++) {
      const uint32_t shift = 1 + i % 4, ways = 1u << random_below(&r, 3), lines = ways << random_below(&r, 3);
      const enum cache_placement placement = i % 2 ? CACHE_EXACT_SETS : CACHE_REUSE_DISTANCE;
      struct cache *caches[2];
      for (int k = 0; k < 2; k++)
        caches[k] =
            sectored_create(cache_create(placement, (enum replacement_policy)policy, lines, ways, false), shift);
      expect_equal_caches(&r, caches[0], caches[1], shift);
    }
}

static void test_the_list_equals_the_table(void **state) {
  (void)state;
  struct random_state r = {2};
  for (uint32_t i = 0; i < rounds(CASES); i++) {
    const uint32_t shift = 1 + i % 4, tags = 1 + random_below(&r, 20);
    expect_equal_caches(&r, sectored_lru_create(tags, shift),
                        sectored_create(cache_create(CACHE_REUSE_DISTANCE, REPLACEMENT_LRU, tags, 1, false), shift),
                        shift);
  }
}

/* Returns a GPU whose L2 has few tags, of four lines of 32 bytes. */
static struct gpu_spec small_l2(struct random_state *r, bool partial) {
  struct gpu_spec spec = default_spec();
  spec.cores = 1;
  spec.line_bytes = 32;
  spec.tag_lines = 4;
  spec.l2_bytes = 128 * (1 + random_below(r, 12));
  spec.l2_model = CACHE_REUSE_DISTANCE;
  spec.partial_writes = partial;
  return spec;
}

/* Lines that lie in up to four tags, and the bytes that a store writes of each. */
struct some_access {
  uint32_t room[3 * 16];
  struct memory_access access;
};

static void make_access(struct random_state *r, struct some_access *some, uint32_t tags) {
  static const enum trace_op_class classes[] = {OP_LOAD, OP_LOAD, OP_STORE, OP_ATOMIC};
  uint32_t count = 0;
  for (uint32_t k = 1 + random_below(r, 4); k > 0; k--) {
    const uint32_t tag = random_below(r, tags), lines = some_lines(r, 2);
    for (uint32_t i = 0; i < 4; i++)
      if (lines >> i & 1)
        some->room[count++] = 4 * tag + i;
  }
  some->access = (struct memory_access){.transactions = count, .shared = count, .lines = some->room};
  some->access.op_class = (uint8_t)classes[random_below(r, 4)];
  for (uint32_t i = 0; i < count; i++)
    some->room[count + i] = random_below(r, 3) ? UINT32_MAX : 1 + random_below(r, UINT32_MAX - 1);
}

static enum l2_use use_of(const struct memory_access *access) {
  return access->op_class == OP_LOAD ? L2_READ : access->op_class == OP_STORE ? L2_WRITE : L2_UPDATE;
}

static void expect_equal_lines(struct random_state *r, bool partial) {
  struct gpu_spec spec = small_l2(r, partial);
  struct memory_system together, alone;
  struct some_access some;
  assert_int_equal(memory_init(&together, &spec, 16, NULL), 0);
  assert_int_equal(memory_init(&alone, &spec, 16, NULL), 0);
  for (int i = 0; i < STEPS; i++) {
    make_access(r, &some, TAGS);
    const struct sim_counters before = together.shared;
    uint64_t missed = 0, fills = 0;
    memory_finish(&together, &some.access);
    for (uint32_t k = 0; k < some.access.shared; k++) {
      const struct l2_outcome one =
          memory_use_l2(&alone, some.room[k], use_of(&some.access), some.room[some.access.transactions + k]);
      assert_int_equal(together.served[k].read, one.fetch);
      missed += !one.hit;
      for (uint32_t left = one.fills; left; left &= left - 1)
        fills++;
    }
    assert_int_equal(some.access.missed, missed);
    assert_int_equal(together.shared.l2_misses - before.l2_misses, missed);
    assert_int_equal(together.shared.l2_fills - before.l2_fills, fills);
    assert_int_equal(together.shared.dram_read_bytes - before.dram_read_bytes, missed + fills);
    assert_int_equal(together.partial.count, alone.partial.count);
  }
  memory_clear(&together);
  memory_clear(&alone);
}

static void test_accesses_at_l2(void **state) {
  (void)state;
  struct random_state r = {3};
  for (uint32_t i = 0; i < rounds(CASES); i++)
    expect_equal_lines(&r, i % 2);
}

/* Touches the lines of an access. Returns whether L2 holds all. */
static bool touch_all(struct memory_system *memory, const struct memory_access *access) {
  bool held = true;
  for (uint32_t i = 0; i < access->shared; i++)
    held &= cache_touch(memory->l2, access->lines[i]);
  return held;
}

static void test_accesses_that_l2_holds(void **state) {
  (void)state;
  struct random_state r = {4};
  uint32_t all_held = 0;
  for (uint32_t i = 0; i < rounds(CASES); i++) {
    struct gpu_spec spec = small_l2(&r, i % 2);
    spec.l2_model = i % 3 ? CACHE_EXACT_SETS : CACHE_REUSE_DISTANCE;
    spec.l2_ways = 1;
    spec.l2_replacement = (int)random_below(&r, CHOICE_COUNT(REPLACEMENT_POLICIES));
    struct memory_system shorter, full;
    struct some_access some;
    assert_int_equal(memory_init(&shorter, &spec, 16, NULL), 0);
    assert_int_equal(memory_init(&full, &spec, 16, NULL), 0);
    for (int step = 0; step < STEPS; step++) {
      make_access(&r, &some, 6);
      struct memory_access other = some.access;
      const bool held = touch_all(&shorter, &some.access);
      assert_int_equal(touch_all(&full, &other), held);
      if (held && memory_finish_held(&shorter, &some.access))
        all_held++;
      else
        memory_finish(&shorter, &some.access);
      memory_finish(&full, &other);
      assert_int_equal(some.access.missed, other.missed);
      assert_true(some.access.dram_ticks == other.dram_ticks);
      assert_memory_equal(&shorter.shared, &full.shared, sizeof full.shared);
    }
    memory_clear(&shorter);
    memory_clear(&full);
  }
  assert_true(all_held > 100);
}

/* A plain list of the lines in flight, in the order in which they were added. */
static struct {
  uint64_t comes;
  uint32_t line;
} flying[STEPS * 16];

/* Returns when the line comes that was added first of those from number `from` on that are still in flight, else 0. */
static uint64_t plain_comes(uint32_t from, uint32_t count, uint32_t line, uint64_t now) {
  for (uint32_t i = from; i < count; i++)
    if (flying[i].line == line && flying[i].comes > now)
      return flying[i].comes;
  return 0;
}

static uint32_t plain_add(uint32_t count, uint32_t first, uint32_t lines, uint64_t comes) {
  for (uint32_t k = 0; lines >> k; k++)
    if (lines >> k & 1) {
      flying[count].comes = comes;
      flying[count++].line = first + k;
    }
  return count;
}

static void test_lines_in_flight(void **state) {
  (void)state;
  struct random_state r = {5};
  for (uint32_t i = 0; i < rounds(5); i++) {
    const uint32_t shift = i % 5;
    struct mshr_file file;
    uint32_t count = 0;
    assert_true(mshr_file_init(&file, shift));
    for (uint64_t now = 0; now < STEPS; now++) {
      const uint32_t tag = random_below(&r, 8), lines = some_lines(&r, shift);
      const uint64_t comes = now + 1 + random_below(&r, 40);
      mshr_file_add_lines(&file, tag, lines, comes);
      count = plain_add(count, tag << shift, lines, comes);
      mshr_file_release(&file, now);
      const uint32_t from = count > 800 ? count - 800 : 0; /* all before it have come: 16 lines a step, 40 steps */
      for (uint32_t line = 0; line < 8u << shift; line++)
        assert_true(mshr_file_find(&file, line) == plain_comes(from, count, line, now));
    }
    assert_false(file.no_memory);
    mshr_file_clear(&file);
  }
}

static void test_rates_of_hits(void **state) {
  (void)state;
  struct random_state r = {6};
  struct gpu_spec spec = small_l2(&r, true);
  spec.l2_bytes_per_cycle = 100;
  struct l2_slices together, alone;
  assert_true(l2_slices_init(&together, &spec));
  assert_true(l2_slices_init(&alone, &spec));
  for (uint64_t now = 0; now < 200 * 1024; now += random_below(&r, 4096)) {
    const uint32_t lines = 1 + random_below(&r, 40);
    l2_take_rates_of_hits(&together, lines, now);
    for (uint32_t i = 0; i < lines; i++)
      l2_take_rates(&alone, 0, now, 0, true);
    assert_true(together.slices[0].free == alone.slices[0].free);
    assert_true(together.waited.l2 == alone.waited.l2);
  }
  l2_slices_clear(&together);
  l2_slices_clear(&alone);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_sectored_caches), cmocka_unit_test(test_the_list_equals_the_table),
      cmocka_unit_test(test_accesses_at_l2),  cmocka_unit_test(test_accesses_that_l2_holds),
      cmocka_unit_test(test_lines_in_flight), cmocka_unit_test(test_rates_of_hits)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Watched caches, whose accesses cores issue in any order and in pieces, have the hits and misses of one cache for
 * each L1 of a core and for each L2 behind it, which sees the accesses in order of time. Where fully associative
 * L1s of many sizes share a stream of lines to L2, L2s serve the misses of the smallest L1. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "model/retime/watch/cache_watch_streams.h"
#include "rounds.h"

enum { CASES = 150, ACCESSES = 1500, MOST_CORES = 3, MOST_SPECS = 14, MOST_LINES = 6 };

struct access {
  uint64_t time;
  uint32_t core, count, own_to_l2, own_missed;
  enum trace_op_class op_class;
  uint32_t lines[MOST_LINES];     /* ascending */
  uint32_t own_lines[MOST_LINES]; /* those that go on first */
  uint16_t misses[2 * MOST_SPECS];
  bool missing;
};

/* One cache for everything. */
struct plain {
  struct cache *l1[MOST_CORES][MOST_SPECS], *l2[MOST_SPECS];
};

struct test_case {
  struct cache_watch_variants variants;
  uint32_t cores;
  struct plain plain;
  struct access accesses[ACCESSES];
};

static void random_caches(struct random_state *r, struct gpu_spec *specs, uint32_t count, bool stores) {
  const bool sets = random_below(r, 2);
  for (uint32_t i = 0; i < count; i++) {
    const int model = sets && random_below(r, 2) ? CACHE_EXACT_SETS : CACHE_REUSE_DISTANCE;
    specs[i] = (struct gpu_spec){.line_bytes = 64,
                                 .l1_enabled = random_below(r, 8) > 0,
                                 .l2_enabled = random_below(r, 8) > 0,
                                 /* fully associative L1s see stores a little differently (multi_size_lru.h) */
                                 .l1_model = stores ? CACHE_EXACT_SETS : model,
                                 .l2_model = sets ? (int)random_below(r, 2) : CACHE_REUSE_DISTANCE,
                                 .l1_ways = 2,
                                 .l2_ways = 2};
    specs[i].l1_bytes = 64 * 2 * (1 + random_below(r, 6));
    specs[i].l2_bytes = 64 * 2 * (2 + random_below(r, 20));
  }
}

static void make_plain(struct test_case *c) {
  for (uint32_t core = 0; core < c->cores; core++)
    for (uint32_t i = 0; i < c->variants.l1_count; i++)
      assert_true(cache_geometry_create(&c->variants.l1[i], &c->plain.l1[core][i]));
  for (uint32_t i = 0; i < c->variants.l2_count; i++)
    assert_true(cache_geometry_create(&c->variants.l2[i].geometry, &c->plain.l2[i]));
}

static void clear_plain(struct test_case *c) {
  for (uint32_t core = 0; core < c->cores; core++)
    for (uint32_t i = 0; i < c->variants.l1_count; i++)
      cache_destroy(c->plain.l1[core][i]);
  for (uint32_t i = 0; i < c->variants.l2_count; i++)
    cache_destroy(c->plain.l2[i]);
}

static bool hits_l1(struct cache *l1, enum trace_op_class op_class, uint32_t line) {
  if (op_class == OP_STORE && l1)
    cache_touch(l1, line);
  return op_class == OP_LOAD && l1 && cache_access(l1, line);
}

static bool is_size(const struct cache_watch_variants *v, uint32_t l1) {
  return l1 > 0 && cache_geometry_is_lru(&v->l1[l1]);
}

/* The L1 whose misses are what the L2s behind `l1` are used by. */
static uint32_t user_of_l2(const struct cache_watch_variants *v, uint32_t l1) {
  uint32_t least = l1;
  for (uint32_t i = 1; i < v->l2_count; i++)
    if (is_size(v, v->l2[i].l1) && !cache_geometry_is_lru(&v->l2[i].geometry))
      return l1; /* nothing is shared */
  for (uint32_t i = 1; i < v->l1_count && is_size(v, l1); i++)
    if (is_size(v, i) && v->l1[i].lines < v->l1[least].lines)
      least = i;
  return least;
}

/* A line's way: which L1s it misses, then which L2s. */
static void expect_line(struct test_case *c, struct access *a, uint32_t line, bool *own_hit) {
  const struct cache_watch_variants *v = &c->variants;
  bool missed[MOST_SPECS];
  for (uint32_t i = 0; i < v->l1_count; i++) {
    missed[i] = !hits_l1(c->plain.l1[a->core][i], a->op_class, line);
    a->missing |= missed[i];
    a->misses[i] += a->op_class == OP_LOAD && missed[i];
  }
  for (uint32_t j = 0; j < v->l2_count; j++) {
    const uint32_t l1 = v->l2[j].l1;
    const bool used = missed[user_of_l2(v, l1)], hit = used && c->plain.l2[j] && cache_access(c->plain.l2[j], line);
    a->misses[v->l1_count + j] += missed[l1] && !hit;
  }
  *own_hit = !missed[0];
}

static void expect(struct test_case *c, struct access *a) {
  uint32_t hits[MOST_LINES], hit_count = 0;
  for (uint32_t k = 0; k < a->count; k++) {
    bool hit;
    expect_line(c, a, a->lines[k], &hit);
    if (hit)
      hits[hit_count++] = a->lines[k];
    else
      a->own_lines[a->own_to_l2++] = a->lines[k];
  }
  memcpy(a->own_lines + a->own_to_l2, hits, hit_count * sizeof *hits);
  a->own_missed = a->misses[c->variants.l1_count];
}

static void random_access(struct random_state *r, struct access *a, uint64_t time, uint32_t cores, bool stores,
                          uint32_t span) {
  *a = (struct access){.time = time, .core = random_below(r, cores), .count = 1 + random_below(r, MOST_LINES)};
  const uint32_t kind = random_below(r, 8);
  a->op_class = kind == 0 ? OP_ATOMIC : kind == 1 && stores ? OP_STORE : OP_LOAD;
  uint32_t line = random_below(r, span);
  for (uint32_t k = 0; k < a->count; k++) {
    a->lines[k] = line;
    line += 1 + random_below(r, 3);
  }
}

/* In order of (time, core); then what caches say. */
static void make_accesses(struct random_state *r, struct test_case *c, bool stores) {
  const uint32_t span = 1 + random_below(r, 100);
  uint64_t time = 0;
  for (uint32_t i = 0; i < ACCESSES; i++) {
    struct access *a = &c->accesses[i];
    random_access(r, a, time, c->cores, stores, span);
    if (i > 0 && a[-1].time == time && a->core < a[-1].core)
      a->time = ++time;
    expect(c, a);
    time += random_below(r, 3);
  }
}

static void log_core(struct test_case *c, struct cache_watch_log *log, uint32_t core, uint32_t from, uint32_t to) {
  for (uint32_t i = from; i < to; i++) {
    struct access *a = &c->accesses[i];
    const struct watched_access own = {a->op_class, a->own_lines, a->count, a->own_to_l2};
    bool missing;
    if (a->core != core)
      continue;
    assert_true(cache_watch_log_access(log, core, &own, a->time, i, &missing));
    assert_int_equal(missing, a->missing);
  }
  for (uint32_t i = from; i < to; i++)
    if (c->accesses[i].core == core && c->accesses[i].own_to_l2 > 0)
      cache_watch_log_served(log, core, c->accesses[i].own_missed);
}

static uint32_t check_order(struct test_case *c, struct cache_watch_log *log, struct cache_watch_streams *streams,
                            struct time_entry limit) {
  uint16_t misses[2 * MOST_SPECS];
  uint32_t count;
  assert_true(cache_watch_log_order(log, limit, &count));
  assert_true(cache_watch_streams_pass(streams, log, count));
  for (uint32_t i = 0; i < count; i++) {
    const struct access *a = &c->accesses[log->order[i]->note];
    cache_watch_streams_misses(streams, log->order[i]->node, misses);
    assert_memory_equal(misses, a->misses, (c->variants.l1_count + c->variants.l2_count) * sizeof *misses);
  }
  cache_watch_log_forget(log);
  return count;
}

static void check_case(struct random_state *r) {
  static struct test_case c;
  struct gpu_spec specs[MOST_SPECS];
  struct cache_watch_log log;
  struct cache_watch_streams streams;
  struct error error = ERROR_INIT;
  const bool stores = random_below(r, 3) == 0;
  const uint32_t count = 1 + random_below(r, MOST_SPECS);
  uint32_t found = 0, missing = 0;
  memset(&c, 0, sizeof c);
  c.cores = 1 + random_below(r, MOST_CORES);
  random_caches(r, specs, count, stores);
  assert_int_equal(cache_watch_variants_init(&c.variants, specs, count, &error), 0);
  make_plain(&c);
  make_accesses(r, &c, stores);
  assert_true(cache_watch_log_init(&log, &c.variants, c.cores));
  assert_true(cache_watch_streams_init(&streams, &c.variants, &log, MOST_LINES));
  for (uint32_t from = 0, to; from < ACCESSES; from = to) {
    to = from + 1 + random_below(r, ACCESSES - from);
    for (uint32_t core = c.cores; core-- > 0;)
      log_core(&c, &log, core, from, to);
    found += check_order(&c, &log, &streams, (struct time_entry){c.accesses[to - 1].time, c.accesses[to - 1].core});
  }
  found += check_order(&c, &log, &streams, (struct time_entry){UINT64_MAX, 0});
  for (uint32_t i = 0; i < ACCESSES; i++)
    missing += c.accesses[i].missing;
  assert_int_equal(found, missing);
  cache_watch_streams_clear(&streams);
  cache_watch_log_clear(&log);
  clear_plain(&c);
  cache_watch_variants_clear(&c.variants);
}

static void test_equals_one_each(void **state) {
  (void)state;
  struct random_state r = {6};
  for (uint32_t i = 0; i < rounds(CASES); i++)
    check_case(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_equals_one_each)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Accesses and misses of L1 and L2, on every launch of the workloads tagged `quick`, are those of an independent
 * simulator of the same stream: plain set-associative caches, lists of lines with the newest first, which know
 * nothing of the model but the lines that it asks its caches for, in its order. Exactly, so miss ratios too. */
#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/params/gpu.h"
#include "model/timeline/observer.h"
#include "model/simulate.h"
#include "rounds.h"
#include "trace/trace.h"

/* ---- the simulator ---- */

struct plain_cache {
  uint32_t sets, ways;
  uint32_t *lines; /* [sets][ways], of a set the one used last first */
  uint32_t *held;  /* [sets] */
};

struct plain_count {
  uint64_t accesses, misses, evictions;
};

static struct plain_cache plain_make(int model, int64_t bytes, int64_t ways, int64_t line_bytes) {
  const uint32_t lines = (uint32_t)(bytes / line_bytes);
  const uint32_t wide = model == CACHE_EXACT_SETS ? (uint32_t)ways : lines; /* else fully associative */
  return (struct plain_cache){.sets = lines / wide,
                              .ways = wide,
                              .lines = calloc(lines, sizeof(uint32_t)),
                              .held = calloc(lines / wide, sizeof(uint32_t))};
}

static void plain_clear(struct plain_cache *cache) {
  free(cache->lines);
  free(cache->held);
}

/* True: hit. A line that is not there comes in, for the last of a full set, unless this use allocates nothing. */
static bool plain_use(struct plain_cache *cache, uint32_t line, bool allocates, struct plain_count *count) {
  const uint32_t set = line % cache->sets;
  uint32_t *lines = &cache->lines[(size_t)set * cache->ways], *held = &cache->held[set], at = 0;
  while (at < *held && lines[at] != line)
    at++;
  const bool hit = at < *held;
  if (!hit && !allocates)
    return false;
  if (!hit && *held == cache->ways) {
    count->evictions++;
    at--;
  } else if (!hit) {
    ++*held;
  }
  memmove(lines + 1, lines, at * sizeof *lines);
  lines[0] = line;
  return hit;
}

struct plain_caches {
  struct plain_cache *l1; /* [cores] */
  uint32_t cores;
  struct plain_cache l2;
  struct plain_count l1_count, l2_count;
};

/* Stores are written through: they refresh what L1 holds and allocate nothing there. Atomics are L2's. L1 counts loads.
 */
static void plain_line(void *context, const struct observed_line *o) {
  struct plain_caches *caches = context;
  struct plain_count *count = o->level == 1 ? &caches->l1_count : &caches->l2_count;
  if (o->level == 1 && o->op_class == OP_ATOMIC)
    return;
  const bool store = o->level == 1 && o->op_class == OP_STORE;
  struct plain_cache *cache = o->level == 1 ? &caches->l1[o->core] : &caches->l2;
  const bool hit = plain_use(cache, o->line, !store, count);
  count->accesses += !store;
  count->misses += !store && !hit;
}

static void plain_start(struct plain_caches *caches, const struct gpu_spec *s) {
  *caches = (struct plain_caches){.l1 = calloc((size_t)s->cores, sizeof *caches->l1),
                                  .cores = (uint32_t)s->cores,
                                  .l2 = plain_make(s->l2_model, s->l2_bytes, s->l2_ways, s->line_bytes)};
  for (uint32_t i = 0; i < caches->cores; i++)
    caches->l1[i] = plain_make(s->l1_model, s->l1_bytes, s->l1_ways, s->line_bytes);
}

static void plain_finish(struct plain_caches *caches) {
  for (uint32_t i = 0; i < caches->cores; i++)
    plain_clear(&caches->l1[i]);
  free(caches->l1);
  plain_clear(&caches->l2);
}

/* ---- the suite ---- */

#ifdef REASSEMBLE_SANITIZED /* ten times slower */
#define WORKLOADS "*-256*.yaml"
#else
#define WORKLOADS "*.yaml"
#endif

static glob_t traces;

/* The smallest of workloads that differ in their sizes alone; all of them in a long run. */
static int load(void **state) {
  (void)state;
  char command[1024];
  snprintf(command, sizeof command,
           "rm -rf miss_ratios && "
           "\"$REASSEMBLE_PROGRAM\" trace --quiet --no-check --undefined-reads none -o miss_ratios "
           "$(grep -rlE '^tags:.*\\bquick\\b' --include='" WORKLOADS "' \"$REASSEMBLE_DATA/configs/workloads\" | %s) "
           ">miss_ratios.txt",
           rounds(1) > 1 ? "cat" : "sh \"$REASSEMBLE_DATA/tests/support/smallest_of_each.sh\"");
  return system(command) != 0 || glob("miss_ratios/*.rtrace", 0, NULL, &traces) != 0 ? -1 : 0;
}

static int unload(void **state) {
  (void)state;
  globfree(&traces);
  return system("rm -rf miss_ratios");
}

static void check_level(const char *path, const char *level, uint64_t accesses, uint64_t misses,
                        const struct plain_count *plain, struct plain_count *sum) {
  if (accesses != plain->accesses || misses != plain->misses)
    fail_msg("%s: %s: %llu of %llu miss, plain caches: %llu of %llu", path, level, (unsigned long long)misses,
             (unsigned long long)accesses, (unsigned long long)plain->misses, (unsigned long long)plain->accesses);
  sum->accesses += plain->accesses;
  sum->misses += plain->misses;
  sum->evictions += plain->evictions;
}

/* Levels that never evict would say nothing about what they evict. */
static void check_sum(const char *level, const struct plain_count *sum) {
  print_message("%s: %llu of %llu miss, %.4f %%; %llu evictions\n", level, (unsigned long long)sum->misses,
                (unsigned long long)sum->accesses, 100 * (double)sum->misses / (double)sum->accesses,
                (unsigned long long)sum->evictions);
  assert_true(sum->misses < sum->accesses && sum->evictions > 10000);
}

static void check_suite(const struct gpu_spec *spec, const struct isa_profile *isa) {
  struct plain_count l1 = {0}, l2 = {0};
  assert_true(spec->l1_enabled && spec->l2_enabled && !spec->l1_index_hash && !spec->l2_index_hash);
  for (size_t i = 0; i < traces.gl_pathc; i++) {
    struct error error = ERROR_INIT;
    struct plain_caches caches;
    struct observer observer = {.line = plain_line, .context = &caches};
    struct sim_result result;
    struct trace *trace;
    const char *path = traces.gl_pathv[i];
    if (trace_load(path, &trace, &error) != 0)
      fail_msg("%s", error.text);
    plain_start(&caches, spec);
    if (simulate_observed(trace, isa, spec, &observer, &result, &error) != 0)
      fail_msg("%s: %s", path, error.text);
    check_level(path, "L1", result.counters.l1_accesses, result.counters.l1_misses, &caches.l1_count, &l1);
    check_level(path, "L2", result.counters.l2_accesses, result.counters.l2_misses, &caches.l2_count, &l2);
    plain_finish(&caches);
    observer_clear(&observer);
    sim_result_clear(&result);
    trace_destroy(trace);
  }
  print_message("%zu launches\n", traces.gl_pathc);
  check_sum("L1", &l1);
  check_sum("L2", &l2);
}

static void check_gpu(const char *name, int l1_model, int l2_model) {
  struct error error = ERROR_INIT;
  struct gpu *gpu = NULL;
  struct isa_profile *isa = NULL;
  if (gpu_load(name, &gpu, &error) != 0 || isa_load(gpu->isa, &isa, &error) != 0)
    fail_msg("%s", error.text);
  gpu->spec.l1_model = l1_model;
  gpu->spec.l2_model = l2_model;
  gpu->spec.l1_write = L1_WRITE_THROUGH; /* the plain caches know no dirty lines */
  gpu->spec.l2_write = L2_WRITE_FREE;
  gpu->spec.l1_write_allocate = false;
  assert_int_equal(gpu_spec_check(&gpu->spec, &error), 0);
  check_suite(&gpu->spec, isa);
  isa_destroy(isa);
  gpu_destroy(gpu);
}

static void test_sets_and_one_set(void **state) {
  (void)state;
  check_gpu("mali-g71-mp8-thesis", CACHE_EXACT_SETS, CACHE_REUSE_DISTANCE); /* as it ships */
}

static void test_sets_in_both_levels(void **state) {
  (void)state;
  check_gpu("mali-g31-mp2", CACHE_EXACT_SETS, CACHE_EXACT_SETS);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_sets_and_one_set),
                                     cmocka_unit_test(test_sets_in_both_levels)};
  return cmocka_run_group_tests(tests, load, unload);
}

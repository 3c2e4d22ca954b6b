#include "model/memory/write_policy.h"

#include <stdlib.h>
#include <string.h>

#include "model/cache/exact_sets.h"
#include "model/memory/memory_hierarchy.h"

bool write_policy_is_on(const struct gpu_spec *spec) {
  return (spec->l1_enabled && (spec->l1_write == L1_WRITE_BACK || spec->l1_write_allocate)) ||
         spec->l2_write != L2_WRITE_FREE || !spec->l2_write_allocate;
}

bool write_policy_init(struct write_policy *policy, const struct gpu_spec *spec, struct cache *const *l1,
                       const struct cache *l2) {
  *policy = (struct write_policy){.l1_back = spec->l1_write == L1_WRITE_BACK && spec->l1_enabled,
                                  .l1_allocate = spec->l1_write_allocate && spec->l1_enabled,
                                  .l2_allocate =
                                      spec->l2_write_allocate && (spec->l2_enabled || spec->l2_write == L2_WRITE_FREE),
                                  .l2_write = (enum l2_write)spec->l2_write,
                                  .cores = (uint32_t)spec->cores};
  policy->l1_on = policy->l1_back || policy->l1_allocate;
  policy->l2_on = policy->l2_write != L2_WRITE_FREE || !spec->l2_write_allocate;
  bool done = true;
  if (policy->l1_back)
    done = (policy->l1_dirty = calloc(policy->cores, sizeof *policy->l1_dirty));
  for (uint32_t i = 0; i < policy->cores && policy->l1_back && done; i++)
    done = !l1[i] || dirty_lines_init(&policy->l1_dirty[i], l1[i]->capacity);
  if (policy->l2_write == L2_WRITE_BACK && l2 && done)
    done = dirty_lines_init(&policy->l2_dirty, l2->capacity);
  return done;
}

void write_policy_clear(struct write_policy *policy) {
  for (uint32_t i = 0; i < policy->cores && policy->l1_dirty; i++)
    dirty_lines_clear(&policy->l1_dirty[i]);
  free(policy->l1_dirty);
  dirty_lines_clear(&policy->l2_dirty);
}

/* Uses the line. Returns whether it hit; *left becomes the dirty line that leaves the cache, or CACHE_NO_LINE: the one
 * that is evicted, or (for a cache that decides by expectation, model/cache/binomial_sets.c) the missing line itself,
 * which must have left before. */
static bool use_line(struct cache *cache, struct dirty_lines *dirty, uint32_t line, bool allocate, uint32_t *left) {
  *left = CACHE_NO_LINE;
  if (cache->ops != &cache_binomial_sets && cache_touch_inline(cache, line))
    return true;
  uint32_t victim = allocate ? cache_victim(cache, line) : CACHE_NO_LINE;
  if (allocate ? cache_access(cache, line) : cache_touch(cache, line))
    return true;
  if (dirty->count == 0)
    return false;
  if (victim != CACHE_NO_LINE && dirty_lines_remove(dirty, victim))
    *left = victim;
  else if (dirty_lines_remove(dirty, line))
    *left = line;
  return false;
}

/* ---- L1: the lines of an access are sorted into those that go on (in front), fetched and evicted ones (behind)
 * ---- */

static bool use_l1(struct write_policy *policy, uint32_t core, struct cache *l1, uint32_t line, bool allocate,
                   struct memory_access *access) {
  uint32_t left;
  if (!policy->l1_back)
    return allocate ? cache_access(l1, line) : cache_touch(l1, line);
  bool hit = use_line(l1, &policy->l1_dirty[core], line, allocate, &left);
  if (left != CACHE_NO_LINE)
    access->lines[2 * access->transactions + access->evicted++] = left;
  return hit;
}

static void close_up(struct memory_access *access) {
  uint32_t *behind = access->lines + access->transactions;
  memmove(behind + access->fetched, behind + access->transactions, access->evicted * sizeof *behind);
  access->words = access->fetched + access->evicted;
}

void write_policy_load(struct write_policy *policy, uint32_t core, struct cache *l1, struct memory_access *access) {
  uint32_t missed = 0;
  for (uint32_t i = 0; i < access->transactions; i++) {
    uint32_t line = access->lines[i];
    if (use_l1(policy, core, l1, line, true, access))
      continue;
    access->lines[i] = access->lines[missed];
    access->lines[missed++] = line;
  }
  access->shared = missed;
  close_up(access);
}

void write_policy_store(struct write_policy *policy, uint32_t core, struct cache *l1, struct memory_access *access) {
  access->shared = 0;
  for (uint32_t i = 0; i < access->transactions; i++) {
    uint32_t line = access->lines[i];
    bool there = use_l1(policy, core, l1, line, policy->l1_allocate, access);
    if (!there && policy->l1_allocate) {
      access->lines[access->transactions + access->fetched++] = line;
      there = true;
    }
    if (there && policy->l1_back)
      dirty_lines_add(&policy->l1_dirty[core], line);
    else
      access->lines[access->shared++] = line;
  }
  close_up(access);
}

/* ---- L2 ---- */

struct l2_outcome write_policy_l2(struct write_policy *policy, struct cache *l2, uint32_t line, enum l2_use use) {
  struct l2_outcome outcome = {.left = CACHE_NO_LINE};
  const bool allocate = use != L2_WRITE || policy->l2_allocate;
  if (l2 && policy->l2_write == L2_WRITE_BACK)
    outcome.hit = use_line(l2, &policy->l2_dirty, line, allocate, &outcome.left);
  else if (l2)
    outcome.hit = allocate ? cache_access(l2, line) : cache_touch(l2, line);
  outcome.fetch = !outcome.hit && allocate;
  if (use == L2_READ || policy->l2_write == L2_WRITE_FREE)
    return outcome;
  outcome.written = policy->l2_write == L2_WRITE_THROUGH || !l2 || (!outcome.hit && !allocate);
  if (!outcome.written)
    dirty_lines_add(&policy->l2_dirty, line);
  return outcome;
}

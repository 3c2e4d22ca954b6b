/* An LRU distance that is corrected for associativity: the cache has the expected number of hits of a cache with so
 * many sets and ways.
 *
 * A line is used again after d distinct others. In a cache of S sets and A ways over which lines are spread at random,
 * the line is still held if and only if fewer than A of the d lines fell into its set. This has the binomial
 * probability P(d) = sum over k < A of C(d,k) (1/S)^k (1-1/S)^(d-k) (Smith, "A comparative study of set associative
 * memory mapping algorithms", IEEE TSE 1978; Hill and Smith, "Evaluating associativity in CPU caches", IEEE TC 1989; on
 * GPUs Nugteren et al., HPCA 2014). The cache is deterministic: P, rounded to 1/64 (halves down), is summed over
 * accesses; the access that brings the sum to a half hits and subtracts one. So expected and counted hits never differ
 * by more than a half. (A threshold at P = 1/2 would be a fully associative cache of another size.)
 *
 * The lines are a list in order of use (lru_list.h), up to the distance where P rounds to 0. Markers stand at the
 * distances where the rounded P changes; a line that moves to the front moves the markers before its old place by one.
 * Cost: O(1) where P rounds to 1, else O(steps of P before its distance), at most 64. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/cache/cache.h"
#include "model/cache/lru_list.h"

#define STEPS 64 /* P is rounded to 1 / STEPS */

struct zone {    /* distances of equal rounded P */
  uint32_t end;  /* the first distance behind the zone */
  int32_t steps; /* P * STEPS */
  uint32_t last; /* the entry at distance end - 1, LRU_NONE if the list is shorter */
};

struct binomial_cache {
  struct cache base;
  int32_t carry; /* sum of P in 1 / STEPS hits, in [-STEPS / 2, STEPS / 2) */
  struct zone zones[STEPS];
  uint32_t zone_count, full_zones;
  struct lru_list list; /* an entry's mark is its zone; its memory follows */
};

/* ---- the probability P ---- */

/* Returns P. Each term is computed from the one before, scaled by e^-offset so that none overflows. */
static double probability(uint32_t distance, uint32_t sets, uint32_t ways) {
  if (distance < ways || sets == 1)
    return distance < ways;
  double term = 1, sum = 1, offset = distance * log1p(-1.0 / sets);
  for (uint32_t k = 0; k + 1 < ways; k++) {
    term *= (double)(distance - k) / (k + 1.0) / (sets - 1.0);
    sum += term;
    if (sum > 1e200) {
      term *= 1e-200;
      sum *= 1e-200;
      offset += log(1e200);
    }
  }
  return exp(log(sum) + offset);
}

static int32_t rounded(uint32_t distance, uint32_t sets, uint32_t ways) {
  return (int32_t)floor(probability(distance, sets, ways) * STEPS + 0.5 - 1e-9);
}

/* Returns the first distance at or after `from` where P rounds to less than `steps`. P falls with the distance. */
static uint32_t end_of_steps(uint32_t from, int32_t steps, uint32_t sets, uint32_t ways) {
  uint32_t low = from, width = 1;
  if (rounded(low, sets, ways) < steps)
    return low;
  while (rounded(low + width, sets, ways) >= steps)
    width *= 2;
  uint32_t high = low + width;
  for (low += width / 2; high - low > 1;) {
    uint32_t middle = low + (high - low) / 2;
    *(rounded(middle, sets, ways) >= steps ? &low : &high) = middle;
  }
  return high;
}

static uint32_t make_zones(struct zone *zones, uint32_t sets, uint32_t ways) {
  uint32_t count = 0, begin = 0;
  for (int32_t steps = STEPS; steps > 0; steps--) {
    uint32_t end = end_of_steps(begin, steps, sets, ways);
    if (end > begin)
      zones[count++] = (struct zone){end, steps, LRU_NONE};
    begin = end;
  }
  return count;
}

static struct cache *binomial_create(uint32_t lines, uint32_t ways, bool hash) {
  (void)hash;
  struct zone zones[STEPS];
  const uint32_t zone_count = make_zones(zones, lines / ways, ways), capacity = zones[zone_count - 1].end;
  struct binomial_cache *c = calloc(1, sizeof *c + lru_list_bytes(capacity));
  if (!c)
    return NULL;
  *c = (struct binomial_cache){.base = {&cache_binomial_sets, capacity}, .zone_count = zone_count};
  memcpy(c->zones, zones, zone_count * sizeof *zones);
  lru_list_start(&c->list, c + 1, capacity);
  return &c->base;
}

/* Adjusts the zones after a line has come to the front from behind the first `zones` of them: the last entry of each is
 * now the first of the next. */
static void shift_zones(struct binomial_cache *c, uint32_t zones) {
  for (uint32_t z = 0; z < zones; z++) {
    struct lru_entry *last = &c->list.entries[c->zones[z].last];
    last->mark = z + 1;
    c->zones[z].last = last->newer;
  }
}

static void move_to_front(struct binomial_cache *c, uint32_t i) {
  struct lru_entry *entry = &c->list.entries[i];
  const uint32_t zone = entry->mark;
  if (c->list.newest == i)
    return;
  if (zone < c->full_zones && c->zones[zone].last == i)
    c->zones[zone].last = entry->newer;
  lru_list_use(&c->list, i);
  entry->mark = 0;
  shift_zones(c, zone);
}

/* Gives the oldest entry to the line, and moves it to the front as a use does. */
static void replace_oldest(struct binomial_cache *c, uint32_t line) {
  const uint32_t i = c->list.oldest;
  move_to_front(c, i);
  lru_list_rename(&c->list, i, line);
}

static void add_line(struct binomial_cache *c, uint32_t line) {
  if (lru_list_is_full(&c->list)) {
    replace_oldest(c, line);
    return;
  }
  lru_list_add(&c->list, line);
  shift_zones(c, c->full_zones);
  if (c->zones[c->full_zones].end == c->list.used)
    c->zones[c->full_zones++].last = c->list.oldest;
}

/* ---- accesses ---- */

static bool draw(struct binomial_cache *c, uint32_t i) {
  c->carry += c->zones[c->list.entries[i].mark].steps;
  if (c->carry < STEPS / 2)
    return false;
  c->carry -= STEPS;
  return true;
}

static bool binomial_access(struct cache *cache, uint32_t line) {
  struct binomial_cache *c = (struct binomial_cache *)cache;
  const uint32_t i = lru_list_find(&c->list, line);
  if (i == LRU_NONE) {
    add_line(c, line);
    return false;
  }
  bool hit = draw(c, i);
  move_to_front(c, i);
  return hit;
}

static bool binomial_touch(struct cache *cache, uint32_t line) {
  struct binomial_cache *c = (struct binomial_cache *)cache;
  const uint32_t i = lru_list_find(&c->list, line);
  if (i == LRU_NONE || !draw(c, i))
    return false;
  move_to_front(c, i);
  return true;
}

static uint32_t binomial_victim(const struct cache *cache, uint32_t line) {
  return lru_list_victim(&((const struct binomial_cache *)cache)->list, line, CACHE_NO_LINE);
}

const struct cache_model_ops cache_binomial_sets = {
    .create = binomial_create,
    .access = binomial_access,
    .touch = binomial_touch,
    .victim = binomial_victim,
};

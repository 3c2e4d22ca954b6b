/* Reuse distance corrected for associativity: the hits that a cache of so many sets and ways has to be expected to
 * have.
 *
 * A line is used again after d distinct others. In a cache of S sets and A ways that lines are spread over at random it
 * is still there iff fewer than A of the d fell into its set, which has the binomial probability P(d) = sum over k < A
 * of C(d,k) (1/S)^k (1-1/S)^(d-k) (Smith, "A comparative study of set associative memory mapping algorithms", IEEE TSE
 * 1978; Hill and Smith, "Evaluating associativity in CPU caches", IEEE TC 1989; on GPUs Nugteren et al., HPCA 2014).
 * Deterministic: P, rounded to 1/64 (halves down), is carried from access to access; the access that brings the sum to
 * a half hits and takes one away. So expected and counted hits never differ by more than a half. (A threshold at P =
 * 1/2 would be a fully associative cache of another size.)
 *
 * The lines are a list in order of use, as in lru_distance.c, as deep as P rounds to anything. Markers stand at the distances
 * where the rounded P changes; a line that moves to the front moves those before it by one. Cost: O(1) where P rounds
 * to 1, else O(steps of P before its distance), at most 64. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/cache/cache.h"

#define NONE  UINT32_MAX
#define STEPS 64 /* P is rounded to 1 / STEPS */

struct entry {
  uint32_t line;
  uint32_t newer, older; /* neighbours in order of use */
  uint32_t next;         /* next entry of the same bucket */
  uint32_t zone;
};

struct zone {    /* distances of equal rounded P */
  uint32_t end;  /* the first distance behind it */
  int32_t steps; /* P * STEPS */
  uint32_t last; /* the entry at distance end - 1, if there are so many */
};

struct binomial_cache {
  struct cache base;
  uint32_t used, newest, oldest;
  int32_t carry; /* 1 / STEPS hits, in [-STEPS / 2, STEPS / 2) */
  struct zone zones[STEPS];
  uint32_t zone_count, full_zones;
  unsigned hash_shift;
  uint32_t *buckets;      /* first entry of each, NONE: empty */
  struct entry entries[]; /* [capacity], then the buckets */
};

/* ---- P ---- */

/* Terms are built one from another, scaled by e^-offset so that none overflows. */
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

/* The first distance from `from` on where P rounds to less than `steps`: it falls with the distance. */
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
      zones[count++] = (struct zone){end, steps, NONE};
    begin = end;
  }
  return count;
}

static struct cache *binomial_create(uint32_t lines, uint32_t ways, bool hash) {
  (void)hash;
  struct zone zones[STEPS];
  uint32_t zone_count = make_zones(zones, lines / ways, ways), capacity = zones[zone_count - 1].end;
  unsigned bits = 1;
  while ((UINT64_C(1) << bits) < 2 * (uint64_t)capacity)
    bits++;
  size_t head = sizeof(struct binomial_cache) + capacity * sizeof(struct entry);
  struct binomial_cache *c = malloc(head + (sizeof(uint32_t) << bits));
  if (!c)
    return NULL;
  *c = (struct binomial_cache){.base = {&cache_binomial_sets, capacity},
                               .newest = NONE,
                               .oldest = NONE,
                               .zone_count = zone_count,
                               .hash_shift = 64 - bits};
  memcpy(c->zones, zones, zone_count * sizeof *zones);
  c->buckets = (uint32_t *)((char *)c + head);
  memset(c->buckets, 0xff, sizeof(uint32_t) << bits);
  return &c->base;
}

/* ---- the list ---- */

static uint32_t *bucket_of(const struct binomial_cache *c, uint32_t line) {
  return &c->buckets[(line * UINT64_C(0x9e3779b97f4a7c15)) >> c->hash_shift];
}

static uint32_t find(const struct binomial_cache *c, uint32_t line) {
  uint32_t i = *bucket_of(c, line);
  while (i != NONE && c->entries[i].line != line)
    i = c->entries[i].next;
  return i;
}

static void name_entry(struct binomial_cache *c, uint32_t i, uint32_t line) {
  uint32_t *bucket = bucket_of(c, line);
  c->entries[i].line = line;
  c->entries[i].next = *bucket;
  *bucket = i;
}

static void forget_entry(struct binomial_cache *c, uint32_t i) {
  uint32_t *link = bucket_of(c, c->entries[i].line);
  while (*link != i)
    link = &c->entries[*link].next;
  *link = c->entries[i].next;
}

static void list_remove(struct binomial_cache *c, uint32_t i) {
  struct entry *e = &c->entries[i];
  *(e->newer == NONE ? &c->newest : &c->entries[e->newer].older) = e->older;
  *(e->older == NONE ? &c->oldest : &c->entries[e->older].newer) = e->newer;
}

static void list_push(struct binomial_cache *c, uint32_t i) {
  struct entry *e = &c->entries[i];
  e->newer = NONE;
  e->older = c->newest;
  e->zone = 0;
  *(c->newest == NONE ? &c->oldest : &c->entries[c->newest].newer) = i;
  c->newest = i;
}

/* A line has come to the front from behind the first `zones` zones: the last of each is now the first of the next. */
static void shift_zones(struct binomial_cache *c, uint32_t zones) {
  for (uint32_t z = 0; z < zones; z++) {
    struct entry *last = &c->entries[c->zones[z].last];
    last->zone = z + 1;
    c->zones[z].last = last->newer;
  }
}

static void move_to_front(struct binomial_cache *c, uint32_t i) {
  uint32_t zone = c->entries[i].zone;
  if (c->newest == i)
    return;
  if (zone < c->full_zones && c->zones[zone].last == i)
    c->zones[zone].last = c->entries[i].newer;
  list_remove(c, i);
  list_push(c, i);
  shift_zones(c, zone);
}

static void add_line(struct binomial_cache *c, uint32_t line) {
  if (c->used == c->base.capacity) {
    uint32_t i = c->oldest;
    forget_entry(c, i);
    name_entry(c, i, line);
    move_to_front(c, i);
    return;
  }
  name_entry(c, c->used, line);
  list_push(c, c->used++);
  shift_zones(c, c->full_zones);
  if (c->zones[c->full_zones].end == c->used)
    c->zones[c->full_zones++].last = c->oldest;
}

/* ---- accesses ---- */

static bool draw(struct binomial_cache *c, uint32_t i) {
  c->carry += c->zones[c->entries[i].zone].steps;
  if (c->carry < STEPS / 2)
    return false;
  c->carry -= STEPS;
  return true;
}

static bool binomial_access(struct cache *cache, uint32_t line) {
  struct binomial_cache *c = (struct binomial_cache *)cache;
  uint32_t i = find(c, line);
  if (i == NONE) {
    add_line(c, line);
    return false;
  }
  bool hit = draw(c, i);
  move_to_front(c, i);
  return hit;
}

static bool binomial_touch(struct cache *cache, uint32_t line) {
  struct binomial_cache *c = (struct binomial_cache *)cache;
  uint32_t i = find(c, line);
  if (i == NONE || !draw(c, i))
    return false;
  move_to_front(c, i);
  return true;
}

static uint32_t binomial_victim(const struct cache *cache, uint32_t line) {
  const struct binomial_cache *c = (const struct binomial_cache *)cache;
  return c->used < c->base.capacity || find(c, line) != NONE ? CACHE_NO_LINE : c->entries[c->oldest].line;
}

const struct cache_model_ops cache_binomial_sets = {
    .create = binomial_create,
    .access = binomial_access,
    .touch = binomial_touch,
    .victim = binomial_victim,
};

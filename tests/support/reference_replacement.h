/* Slow and simple replacement policies: a set is an array of ways that remember when their line was fetched and when it
 * was used last, and a policy searches all of them. Every policy of REPLACEMENT_POLICIES needs one here. */
#ifndef SUPPORT_REFERENCE_REPLACEMENT_H
#define SUPPORT_REFERENCE_REPLACEMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/random.h"
#include "model/params/choices.h"

struct reference_place {
  uint64_t line;
  bool taken, dirty;
  uint64_t came, used; /* moments of the fetch and of the last use */
  int interval;        /* predicted interval until the next use: 0 near, 2 long, 3 distant */
};

struct reference_set {
  struct reference_place *places; /* [ways] */
  uint64_t ways, number, fills;
};

static inline uint64_t reference_victim_lru(const struct reference_set *set) {
  uint64_t victim = 0;
  for (uint64_t i = 1; i < set->ways; i++)
    if (set->places[i].used < set->places[victim].used)
      victim = i;
  return victim;
}

static inline uint64_t reference_victim_fifo(const struct reference_set *set) {
  uint64_t victim = 0;
  for (uint64_t i = 1; i < set->ways; i++)
    if (set->places[i].came < set->places[victim].came)
      victim = i;
  return victim;
}

/* Returns the moment of the last use of the ways from `first` on, or 0 if there are none. */
static inline uint64_t reference_last_use(const struct reference_set *set, uint64_t first, uint64_t count) {
  uint64_t last = 0;
  for (uint64_t i = first; i < first + count && i < set->ways; i++)
    last = set->places[i].used > last ? set->places[i].used : last;
  return last;
}

/* Returns a victim: takes repeatedly the half that was not used last, unless it has no ways. */
static inline uint64_t reference_victim_tree_plru(const struct reference_set *set) {
  uint64_t first = 0, half = 1;
  while (2 * half < set->ways)
    half *= 2;
  for (; half > 0; half /= 2) {
    const uint64_t left = reference_last_use(set, first, half), right = reference_last_use(set, first + half, half);
    first += first + half < set->ways && left > right ? half : 0;
  }
  return first;
}

/* Returns a victim: each set draws a number for each line that is fetched; the seed is the set's number. */
static inline uint64_t reference_victim_random(const struct reference_set *set) {
  struct random_state r = {set->number};
  for (uint64_t i = 0; i < set->fills; i++)
    random_next(&r);
  return random_below(&r, (uint32_t)set->ways);
}

/* Returns a victim: all intervals grow until one is distant; the first such line is evicted. */
static inline uint64_t reference_victim_srrip(const struct reference_set *set) {
  for (;;) {
    for (uint64_t i = 0; i < set->ways; i++)
      if (set->places[i].interval == 3)
        return i;
    for (uint64_t i = 0; i < set->ways; i++)
      set->places[i].interval++;
  }
}

/* The policies by constant. A policy that is missing here does not compile. */
typedef uint64_t reference_victim(const struct reference_set *set);

static inline uint64_t reference_victim_of(enum replacement_policy policy, const struct reference_set *set) {
#define X(constant, name, meaning) [constant] = reference_victim_##name,
  static reference_victim *const all[] = {REPLACEMENT_POLICIES(X)};
#undef X
  return all[policy](set);
}

/* Uses the line at a moment later than all before; one that the set does not hold is fetched if `allocate`. A line that
 * is then in the set becomes dirty if `dirty`. *left becomes the line that was evicted for it, if any (.taken
 * tells). */
static inline bool reference_set_use(struct reference_set *set, enum replacement_policy policy, uint64_t line,
                                     bool allocate, bool dirty, uint64_t now, struct reference_place *left) {
  uint64_t way = 0;
  *left = (struct reference_place){0};
  for (way = 0; way < set->ways; way++)
    if (set->places[way].taken && set->places[way].line == line) {
      set->places[way].used = now;
      set->places[way].interval = 0;
      set->places[way].dirty |= dirty;
      return true;
    }
  if (!allocate)
    return false;
  for (way = 0; way < set->ways && set->places[way].taken; way++)
    ;
  if (way == set->ways)
    way = reference_victim_of(policy, set);
  *left = set->places[way];
  set->places[way] = (struct reference_place){line, true, dirty, now, now, 2};
  set->fills++;
  return false;
}

#endif

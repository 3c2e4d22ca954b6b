/* Caches with a replacement policy other than LRU: sets of ways, or one set of all lines where a line may be anywhere.
 *
 * A line of a narrow set is searched for way by way, one of a wide set by an index. Cost of an access: O(ways) in
 * narrow sets, O(1) in wide ones, plus that of the policy. (LRU has caches of its own: exact_sets.c,
 * lru_distance.c.) */
#include "model/cache/policy_sets.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash_index.h"
#include "model/cache/set_placement.h"

enum { NARROW = 32 }; /* largest number of ways that are searched one by one: two cache lines of the host */

struct policy_sets {
  struct cache base;
  const struct replacement_ops *policy;
  struct set_placement placement;
  uint32_t ways, words;    /* words: state of the policy for each set */
  struct hash_index index; /* the places of lines; wide sets only */
  uint32_t *lines;         /* [sets][ways]; CACHE_NO_LINE: the way is empty */
  uint32_t *states;        /* [sets][words] */
  uint32_t memory[];       /* lines, states, index */
};

static const struct cache_model_ops policy_sets_ops;

struct cache *policy_sets_create(const struct replacement_ops *policy, uint32_t lines, uint32_t ways, bool hash) {
  const uint32_t sets = lines / ways, words = policy->words(ways);
  const size_t fixed = ((size_t)lines + (size_t)sets * words) * sizeof(uint32_t);
  struct policy_sets *c = malloc(sizeof *c + fixed + (ways > NARROW ? hash_index_bytes(lines) : 0));
  if (!c)
    return NULL;
  *c = (struct policy_sets){{&policy_sets_ops, lines}, policy, set_placement_make(sets, hash), ways, words, {0}, 0, 0};
  c->lines = memset(c->memory, 0xff, lines * sizeof *c->lines);
  c->states = memset(c->lines + lines, 0, (size_t)sets * words * sizeof *c->states);
  if (ways > NARROW)
    hash_index_start(&c->index, c->states + (size_t)sets * words, lines);
  for (uint32_t set = 0; set < sets && policy->start; set++)
    policy->start(c->states + (size_t)set * words, ways, set);
  return &c->base;
}

/* A set, and the way of a line in it. */
struct place {
  uint32_t *lines, *state; /* lines and policy state of the set */
  uint32_t first;          /* number of the set's first way in the whole cache */
  uint32_t way;            /* `ways`: the set does not hold the line */
};

static uint32_t way_of(const struct policy_sets *c, const struct place *set, uint32_t line) {
  uint32_t way = 0;
  if (c->ways > NARROW) {
    const uint32_t at = hash_index_find(&c->index, line);
    return at == HASH_INDEX_NONE ? c->ways : at - set->first;
  }
  while (way < c->ways && set->lines[way] != line)
    way++;
  return way;
}

static struct place find(const struct policy_sets *c, uint32_t line) {
  const uint32_t set = set_placement_of(&c->placement, line);
  struct place place = {.first = set * c->ways};
  place.lines = c->lines + place.first;
  place.state = c->states + (size_t)set * c->words;
  place.way = way_of(c, &place, line);
  return place;
}

/* Returns the way for a line that is fetched into the set: the first empty one, or the victim's. */
static uint32_t place_for_another(const struct policy_sets *c, const struct place *set) {
  if (set->lines[c->ways - 1] != CACHE_NO_LINE)
    return c->policy->victim(set->state, c->ways);
  uint32_t low = 0, high = c->ways - 1; /* bounds of the first empty way: ways are filled in order */
  while (low < high) {
    const uint32_t middle = (low + high) / 2;
    if (set->lines[middle] == CACHE_NO_LINE)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

static void put(struct policy_sets *c, const struct place *set, uint32_t way, uint32_t line) {
  if (c->ways > NARROW) {
    if (set->lines[way] != CACHE_NO_LINE)
      hash_index_remove(&c->index, set->lines[way]);
    hash_index_put(&c->index, line, set->first + way);
  }
  set->lines[way] = line;
  c->policy->fill(set->state, c->ways, way);
}

static bool use(struct policy_sets *c, uint32_t line, bool allocate) {
  const struct place place = find(c, line);
  if (place.way < c->ways) {
    if (c->policy->hit)
      c->policy->hit(place.state, c->ways, place.way);
    return true;
  }
  if (allocate)
    put(c, &place, place_for_another(c, &place), line);
  return false;
}

static bool policy_sets_access(struct cache *cache, uint32_t line) {
  return use((struct policy_sets *)cache, line, true);
}

static bool policy_sets_touch(struct cache *cache, uint32_t line) {
  return use((struct policy_sets *)cache, line, false);
}

static uint32_t policy_sets_victim(const struct cache *cache, uint32_t line) {
  const struct policy_sets *c = (const struct policy_sets *)cache;
  const struct place place = find(c, line);
  return place.way < c->ways ? CACHE_NO_LINE : place.lines[place_for_another(c, &place)];
}

static const struct cache_model_ops policy_sets_ops = {
    .access = policy_sets_access, .touch = policy_sets_touch, .victim = policy_sets_victim};

/* Set-associative LRU cache with exact sets: set = line modulo number of sets. Conflict misses included.
 * With the hash, all groups of bits of the line as long as the set number are combined by exclusive or, so that no
 * stride of a power of two meets few sets only (Gonzalez et al., "Eliminating cache conflict misses through XOR-based
 * placement functions", ICS 1997). Each set is an array of lines in order of use; a hit moves its line to the front. */
#include "model/cache.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct set_cache {
  struct cache base;
  uint32_t sets, ways;
  uint32_t mask;   /* sets - 1 when sets is a power of two */
  bool power;      /* it is */
  unsigned fold;   /* log2(sets) with the hash, else 0 */
  uint32_t tags[]; /* [sets][ways], newest first; CACHE_NO_LINE: empty */
};

static struct cache *sets_create(uint32_t lines, uint32_t ways, bool hash) {
  assert(lines % ways == 0);
  struct set_cache *c = malloc(sizeof *c + lines * sizeof(uint32_t));
  if (!c)
    return NULL;
  uint32_t sets = lines / ways;
  *c = (struct set_cache){.base = {&cache_exact_sets, lines},
                          .sets = sets,
                          .ways = ways,
                          .mask = sets - 1,
                          .power = (sets & (sets - 1)) == 0};
  assert(!hash || c->power);
  c->fold = hash ? (unsigned)__builtin_ctz(sets) : 0;
  memset(c->tags, 0xff, lines * sizeof(uint32_t));
  return &c->base;
}

static uint32_t folded(uint32_t line, unsigned bits) {
  uint32_t all = 0;
  for (; line; line >>= bits)
    all ^= line;
  return all;
}

/* Where the line's set begins. */
static size_t set_at(const struct set_cache *c, uint32_t line) {
  if (c->fold)
    return (size_t)(folded(line, c->fold) & c->mask) * c->ways;
  uint32_t set = c->power ? line & c->mask : line % c->sets;
  return (size_t)set * c->ways;
}

static uint32_t *set_of(struct set_cache *c, uint32_t line) {
  return c->tags + set_at(c, line);
}

static uint32_t way_of(const uint32_t *set, uint32_t ways, uint32_t line) {
  uint32_t way = 0;
  while (way < ways && set[way] != line)
    way++;
  return way;
}

/* The line of `way` (or, behind the last, a new one that pushes out the oldest) becomes the newest. */
static void move_to_front(uint32_t *set, uint32_t ways, uint32_t way, uint32_t line) {
  for (uint32_t i = way < ways ? way : ways - 1; i > 0; i--)
    set[i] = set[i - 1];
  set[0] = line;
}

static bool sets_access(struct cache *cache, uint32_t line) {
  struct set_cache *c = (struct set_cache *)cache;
  uint32_t *set = set_of(c, line);
  uint32_t way = way_of(set, c->ways, line);
  move_to_front(set, c->ways, way, line);
  return way < c->ways;
}

static bool sets_touch(struct cache *cache, uint32_t line) {
  struct set_cache *c = (struct set_cache *)cache;
  uint32_t *set = set_of(c, line);
  uint32_t way = way_of(set, c->ways, line);
  if (way < c->ways)
    move_to_front(set, c->ways, way, line);
  return way < c->ways;
}

static uint32_t sets_victim(const struct cache *cache, uint32_t line) {
  const struct set_cache *c = (const struct set_cache *)cache;
  const uint32_t *set = c->tags + set_at(c, line);
  return way_of(set, c->ways, line) < c->ways ? CACHE_NO_LINE : set[c->ways - 1];
}

const struct cache_model_ops cache_exact_sets = {
    .name = "exact_sets",
    .help = "set-associative LRU, set = line modulo number of sets",
    .create = sets_create,
    .access = sets_access,
    .touch = sets_touch,
    .victim = sets_victim,
};

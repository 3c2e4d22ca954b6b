#include "model/cache/sectored.h"

#include <assert.h>
#include <stdlib.h>

#include "base/hash_index.h"

struct sectored {
  struct cache base;
  struct cache *tags;
  uint32_t shift;
  struct hash_index held; /* tag -> set of the lines that it has, as bits */
  uint32_t memory[];
};

struct cache *sectored_create(struct cache *tags, uint32_t shift) {
  assert(1u << shift <= SECTORED_MOST_LINES);
  struct sectored *c = tags ? malloc(sizeof *c + hash_index_bytes(tags->capacity + 1)) : NULL;
  if (!c) {
    cache_destroy(tags);
    return NULL;
  }
  c->base = (struct cache){&cache_sectored, tags->capacity << shift};
  c->tags = tags;
  c->shift = shift;
  hash_index_start(&c->held, c->memory, tags->capacity + 1);
  return &c->base;
}

void sectored_clear(struct cache *cache) {
  cache_destroy(((struct sectored *)cache)->tags);
}

static uint32_t bit_of(const struct sectored *c, uint32_t line) {
  return 1u << (line & ((1u << c->shift) - 1));
}

static bool sectored_touch(struct cache *cache, uint32_t line) {
  struct sectored *c = (struct sectored *)cache;
  const uint32_t held = hash_index_find(&c->held, line >> c->shift);
  return held != HASH_INDEX_NONE && (held & bit_of(c, line)) && cache_touch(c->tags, line >> c->shift);
}

static bool sectored_access(struct cache *cache, uint32_t line) {
  struct sectored *c = (struct sectored *)cache;
  const uint32_t tag = line >> c->shift, bit = bit_of(c, line);
  struct hash_bucket *bucket = hash_index_bucket(&c->held, tag);
  if (bucket->value == HASH_INDEX_NONE) {
    const uint32_t victim = cache_victim(c->tags, tag);
    cache_access(c->tags, tag);
    if (victim != CACHE_NO_LINE)
      hash_index_remove(&c->held, victim);
    hash_index_put(&c->held, tag, bit);
    return false;
  }
  cache_access(c->tags, tag);
  if (bucket->value & bit)
    return true;
  bucket->value |= bit;
  return false;
}

static uint32_t sectored_victim(const struct cache *cache, uint32_t line) {
  const struct sectored *c = (const struct sectored *)cache;
  const uint32_t tag = cache_victim(c->tags, line >> c->shift);
  return tag == CACHE_NO_LINE ? CACHE_NO_LINE : tag << c->shift;
}

const struct cache_model_ops cache_sectored = {
    .access = sectored_access, .touch = sectored_touch, .victim = sectored_victim};

/* ---- L1 and L2 of a GPU ---- */

/* Returns log2 of the lines that share a tag in a level. Caches that write back, and those that decide by expectation,
 * have a tag for each line. */
static uint32_t tag_shift_of(const struct gpu_spec *spec, int64_t placement, bool writes_back) {
  return placement == CACHE_BINOMIAL_SETS || writes_back ? 0 : (uint32_t)__builtin_ctz((unsigned)spec->tag_lines);
}

struct cache *cache_create_l1(const struct gpu_spec *spec) {
  const uint32_t shift = tag_shift_of(spec, spec->l1_model, spec->l1_write == L1_WRITE_BACK);
  struct cache *tags = cache_create((enum cache_placement)spec->l1_model, (enum replacement_policy)spec->l1_replacement,
                                    (uint32_t)(spec->l1_bytes / spec->line_bytes) >> shift, (uint32_t)spec->l1_ways,
                                    spec->l1_index_hash);
  return shift > 0 ? sectored_create(tags, shift) : tags;
}

struct cache *cache_create_l2(const struct gpu_spec *spec) {
  const uint32_t shift = tag_shift_of(spec, spec->l2_model, spec->l2_write == L2_WRITE_BACK);
  struct cache *tags = cache_create((enum cache_placement)spec->l2_model, (enum replacement_policy)spec->l2_replacement,
                                    (uint32_t)(spec->l2_bytes / spec->line_bytes) >> shift, (uint32_t)spec->l2_ways,
                                    spec->l2_index_hash);
  return shift > 0 ? sectored_create(tags, shift) : tags;
}

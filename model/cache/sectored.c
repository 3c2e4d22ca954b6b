#include "model/cache/sectored.h"

#include <assert.h>
#include <stdlib.h>

#include "base/hash_index.h"
#include "model/cache/lru_list.h"

/* The beginning of both kinds. */
struct tagged {
  struct cache base;
  uint32_t shift; /* log2 of the lines of a tag */
};

struct sectored {
  struct tagged head;
  struct cache *tags;
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
  c->head = (struct tagged){{&cache_sectored, tags->capacity << shift}, shift};
  c->tags = tags;
  hash_index_start(&c->held, c->memory, tags->capacity + 1);
  return &c->head.base;
}

void sectored_clear(struct cache *cache) {
  cache_destroy(((struct sectored *)cache)->tags);
}

/* Returns the bit of a line among those of its tag. */
static uint32_t bit_of(uint32_t shift, uint32_t line) {
  return 1u << (line & ((1u << shift) - 1));
}

static bool touch_one(struct cache *cache, uint32_t line) {
  const uint32_t shift = ((const struct tagged *)cache)->shift;
  return cache_touch_lines(cache, line >> shift, bit_of(shift, line));
}

static bool access_one(struct cache *cache, uint32_t line) {
  const uint32_t shift = ((const struct tagged *)cache)->shift;
  return cache_access_lines(cache, line >> shift, bit_of(shift, line));
}

static uint32_t sectored_touch_lines(struct cache *cache, uint32_t tag, uint32_t lines) {
  struct sectored *c = (struct sectored *)cache;
  const uint32_t held = hash_index_find(&c->held, tag);
  if (held == HASH_INDEX_NONE || !(held & lines))
    return 0;
  cache_touch(c->tags, tag);
  return held & lines;
}

/* Uses the tag once: a tag that has just hit stays as it is when it is used again. One that has just come may change,
 * so that it is used a second time for a second line. */
static uint32_t sectored_access_lines(struct cache *cache, uint32_t tag, uint32_t lines) {
  struct sectored *c = (struct sectored *)cache;
  struct hash_bucket *bucket = hash_index_bucket(&c->held, tag);
  if (bucket->value == HASH_INDEX_NONE) {
    const uint32_t victim = cache_victim(c->tags, tag);
    cache_access(c->tags, tag);
    if (lines & (lines - 1))
      cache_access(c->tags, tag);
    if (victim != CACHE_NO_LINE)
      hash_index_remove(&c->held, victim);
    hash_index_put(&c->held, tag, lines);
    return 0;
  }
  cache_access(c->tags, tag);
  const uint32_t held = bucket->value & lines;
  bucket->value |= lines;
  return held;
}

static uint32_t sectored_victim(const struct cache *cache, uint32_t line) {
  const struct sectored *c = (const struct sectored *)cache;
  const uint32_t tag = cache_victim(c->tags, line >> c->head.shift);
  return tag == CACHE_NO_LINE ? CACHE_NO_LINE : tag << c->head.shift;
}

const struct cache_model_ops cache_sectored = {.access = access_one,
                                               .touch = touch_one,
                                               .victim = sectored_victim,
                                               .access_lines = sectored_access_lines,
                                               .touch_lines = sectored_touch_lines};

/* ---- tags in one list, in order of use ---- */

struct sectored_lru {
  struct tagged head;
  struct lru_list list; /* of tags, marked with the set of the lines that they have; its memory follows */
};

struct cache *sectored_lru_create(uint32_t tags, uint32_t shift) {
  assert(1u << shift <= SECTORED_MOST_LINES);
  struct sectored_lru *c = calloc(1, sizeof *c + lru_list_bytes(tags));
  if (!c)
    return NULL;
  c->head = (struct tagged){{&cache_sectored_lru, tags << shift}, shift};
  lru_list_start(&c->list, c + 1, tags);
  return &c->head.base;
}

/* Returns the entry of a tag, which is mostly the newest, or LRU_NONE. */
static inline uint32_t entry_of(const struct lru_list *list, uint32_t tag) {
  const bool newest = list->newest != LRU_NONE && list->entries[list->newest].line == tag;
  return newest ? list->newest : lru_list_find(list, tag);
}

static uint32_t lru_touch_lines(struct cache *cache, uint32_t tag, uint32_t lines) {
  struct lru_list *list = &((struct sectored_lru *)cache)->list;
  const uint32_t entry = entry_of(list, tag);
  if (entry == LRU_NONE || !(list->entries[entry].mark & lines))
    return 0;
  lru_list_use(list, entry);
  return list->entries[entry].mark & lines;
}

static uint32_t lru_access_lines(struct cache *cache, uint32_t tag, uint32_t lines) {
  struct lru_list *list = &((struct sectored_lru *)cache)->list;
  const uint32_t entry = entry_of(list, tag);
  if (entry == LRU_NONE) {
    list->entries[lru_list_add(list, tag)].mark = lines;
    return 0;
  }
  lru_list_use(list, entry);
  const uint32_t held = list->entries[entry].mark & lines;
  list->entries[entry].mark |= lines;
  return held;
}

static uint32_t lru_victim(const struct cache *cache, uint32_t line) {
  const struct sectored_lru *c = (const struct sectored_lru *)cache;
  const uint32_t tag = lru_list_victim(&c->list, line >> c->head.shift, CACHE_NO_LINE);
  return tag == CACHE_NO_LINE ? CACHE_NO_LINE : tag << c->head.shift;
}

const struct cache_model_ops cache_sectored_lru = {.access = access_one,
                                                   .touch = touch_one,
                                                   .victim = lru_victim,
                                                   .access_lines = lru_access_lines,
                                                   .touch_lines = lru_touch_lines};

/* ---- L1 and L2 of a GPU ---- */

/* Returns log2 of the lines that share a tag in a level. Caches that write back, and those that decide by expectation,
 * have a tag for each line. */
static uint32_t tag_shift_of(const struct gpu_spec *spec, int64_t placement, bool writes_back) {
  return placement == CACHE_BINOMIAL_SETS || writes_back ? 0 : (uint32_t)__builtin_ctz((unsigned)spec->tag_lines);
}

/* The size and the policies of a level. */
struct level {
  int placement, replacement;
  uint32_t lines, ways;
  bool hash;
};

static struct cache *create_level(const struct level *level, uint32_t shift) {
  const enum replacement_policy replacement = (enum replacement_policy)level->replacement;
  if (shift > 0 && level->placement == CACHE_REUSE_DISTANCE && replacement == REPLACEMENT_LRU)
    return sectored_lru_create(level->lines >> shift, shift);
  struct cache *tags = cache_create((enum cache_placement)level->placement, replacement, level->lines >> shift,
                                    level->ways, level->hash);
  return shift > 0 ? sectored_create(tags, shift) : tags;
}

struct cache *cache_create_l1(const struct gpu_spec *spec) {
  const struct level level = {(int)spec->l1_model, (int)spec->l1_replacement,
                              (uint32_t)(spec->l1_bytes / spec->line_bytes), (uint32_t)spec->l1_ways,
                              spec->l1_index_hash};
  return create_level(&level, tag_shift_of(spec, spec->l1_model, spec->l1_write == L1_WRITE_BACK));
}

struct cache *cache_create_l2(const struct gpu_spec *spec) {
  const struct level level = {(int)spec->l2_model, (int)spec->l2_replacement,
                              (uint32_t)(spec->l2_bytes / spec->line_bytes), (uint32_t)spec->l2_ways,
                              spec->l2_index_hash};
  return create_level(&level, tag_shift_of(spec, spec->l2_model, spec->l2_write == L2_WRITE_BACK));
}

#include "model/replay/recorded/recorded_patterns.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

bool recorded_patterns_init(struct recorded_patterns *p) {
  *p = (struct recorded_patterns){.count = 1};
  if (!array_room_u32(&p->patterns, &p->capacity, p->count, sizeof *p->patterns) ||
      !array_room_u32(&p->lines, &p->line_capacity, 1, sizeof *p->lines)) {
    recorded_patterns_clear(p);
    return false;
  }
  p->patterns[0] = (struct recorded_pattern){0};
  return true;
}

void recorded_patterns_clear(struct recorded_patterns *p) {
  free(p->patterns);
  free(p->lines);
  hash_table_clear(&p->by_hash);
  *p = (struct recorded_patterns){0};
}

static uint64_t hash_of(const struct recorded_pattern *pattern, const struct pattern_line *lines) {
  uint64_t hash = (uint64_t)pattern->own << 32 | (uint64_t)pattern->fetched << 16 | pattern->evicted;
  for (uint32_t i = 0; i < pattern_lines(pattern); i++) {
    hash = (hash ^ lines[i].use ^ (uint64_t)lines[i].operations << 16 ^ (uint64_t)lines[i].rounds << 32) *
           UINT64_C(0x9e3779b97f4a7c15);
    hash ^= hash >> 29;
  }
  return hash;
}

static bool same(const struct recorded_patterns *p, uint32_t number, const struct recorded_pattern *pattern,
                 const struct pattern_line *lines) {
  const struct recorded_pattern *known = &p->patterns[number];
  return known->own == pattern->own && known->fetched == pattern->fetched && known->evicted == pattern->evicted &&
         memcmp(p->lines + known->first, lines, pattern_lines(pattern) * sizeof *lines) == 0;
}

static void count_uses(struct recorded_pattern *pattern, const struct pattern_line *lines) {
  for (uint32_t i = 0; i < pattern_lines(pattern); i++) {
    const bool misses = lines[i].use & PATTERN_MISSES, out = lines[i].use & PATTERN_PUSHES_OUT;
    pattern->missed = (uint16_t)(pattern->missed + (misses && i < pattern->own));
    pattern->misses = (uint16_t)(pattern->misses + misses);
    pattern->reads = (uint16_t)(pattern->reads + (lines[i].use & PATTERN_FETCHES ? 1 : 0));
    pattern->pushed_out = (uint16_t)(pattern->pushed_out + out);
    pattern->writes = (uint16_t)(pattern->writes + out + (lines[i].use & PATTERN_WRITES ? 1 : 0));
  }
}

static uint16_t add(struct recorded_patterns *p, struct recorded_pattern *pattern, const struct pattern_line *lines,
                    uint64_t hash) {
  const uint32_t count = pattern_lines(pattern);
  if (p->count > UINT16_MAX ||
      !array_room_u32(&p->patterns, &p->capacity, p->count + UINT64_C(1), sizeof *p->patterns) ||
      !array_room_u32(&p->lines, &p->line_capacity, p->line_count + (uint64_t)count, sizeof *p->lines) ||
      !hash_table_add(&p->by_hash, hash, p->count))
    return 0;
  count_uses(pattern, lines);
  pattern->first = p->line_count;
  memcpy(p->lines + p->line_count, lines, count * sizeof *lines);
  p->line_count += count;
  p->patterns[p->count] = *pattern;
  return (uint16_t)p->count++;
}

uint16_t recorded_patterns_number(struct recorded_patterns *p, const struct pattern_line *lines, uint32_t own,
                                  uint32_t fetched, uint32_t evicted) {
  struct recorded_pattern pattern = {.own = (uint16_t)own, .fetched = (uint16_t)fetched, .evicted = (uint16_t)evicted};
  if (own + fetched + evicted == 0 || own > UINT16_MAX || fetched > UINT16_MAX || evicted > UINT16_MAX)
    return 0;
  const uint64_t hash = hash_of(&pattern, lines);
  for (uint32_t at = hash_table_first(&p->by_hash, hash), i;
       (i = hash_table_next(&p->by_hash, hash, &at)) != HASH_INDEX_NONE;)
    if (same(p, i, &pattern, lines))
      return (uint16_t)i;
  return add(p, &pattern, lines, hash);
}

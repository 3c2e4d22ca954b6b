#include "model/memory/partial_writes.h"

#include <stdlib.h>

#include "model/memory/memory_hierarchy.h"

#define LEAST_ROOM 1024 /* lines */

void partial_writes_init(struct partial_writes *partial, const struct gpu_spec *spec) {
  *partial = (struct partial_writes){.on = spec->partial_writes && !write_policy_is_on(spec) &&
                                           spec->l2_model != CACHE_BINOMIAL_SETS,
                                     .line = line_size_make((uint32_t)spec->line_bytes),
                                     .tag_lines = (uint32_t)spec->tag_lines,
                                     .by_line = !spec->coalesce || spec->tag_lines == 1};
  if (partial->on)
    partial->whole = UINT32_MAX >> (PARTIAL_WRITES_MOST_BYTES - partial->line.bytes);
}

void partial_writes_clear(struct partial_writes *partial) {
  free(partial->lines.buckets);
  *partial = (struct partial_writes){0};
}

/* ---- the bytes of a store ---- */

static uint64_t address_of(const struct lane_addresses *lanes, uint32_t lane) {
  return lanes->affine ? lanes->first + (uint64_t)(lanes->stride * lane) : lanes->address[lane];
}

/* Returns the bytes of the line that lie in [begin, end). */
static uint32_t bytes_between(const struct partial_writes *partial, uint64_t line, uint64_t begin, uint64_t end) {
  const uint64_t first = line * partial->line.bytes;
  const uint64_t from = begin > first ? begin - first : 0;
  const uint64_t to = end - first < partial->line.bytes ? end - first : partial->line.bytes;
  return (uint32_t)(((UINT64_C(1) << (to - from)) - 1) << from);
}

/* Returns the place of a line, which is mostly at or just behind `from`. */
static uint32_t place_of(const uint32_t *lines, uint32_t count, uint32_t from, uint32_t line) {
  while (lines[from] != line)
    from = from + 1 < count ? from + 1 : 0;
  return from;
}

/* Gives all transactions of a line what is written by any of them. */
static void share_bytes(const uint32_t *lines, uint32_t count, uint32_t *bytes) {
  bool ascend = true;
  for (uint32_t i = 1; i < count; i++)
    ascend &= lines[i] > lines[i - 1];
  for (uint32_t i = 1; i < count && !ascend; i++)
    for (uint32_t k = 0; k < i; k++)
      if (lines[k] == lines[i])
        bytes[k] = bytes[i] |= bytes[k];
}

/* Finds the bytes of each line of a store that its lanes write. */
static void find_bytes(const struct partial_writes *partial, const struct lane_addresses *lanes, const uint32_t *lines,
                       uint32_t count, uint32_t *bytes) {
  uint32_t at = 0;
  for (uint32_t i = 0; i < count; i++)
    bytes[i] = lanes->word_stride_bytes ? partial->whole : 0;
  for (uint32_t k = 0; k < lanes->count && !lanes->word_stride_bytes; k++) {
    const uint64_t begin = address_of(lanes, k), end = begin + lanes->bytes;
    for (uint32_t line = line_of(&partial->line, begin); line <= line_of(&partial->line, end - 1); line++) {
      at = place_of(lines, count, at, line);
      bytes[at] |= bytes_between(partial, line, begin, end);
    }
  }
  share_bytes(lines, count, bytes);
}

/* Finds the time that each of `count` lines of a store takes at L2. Returns their sum. */
static uint32_t find_times(const struct partial_writes *partial, const uint32_t *begins, uint32_t count,
                           const uint32_t *bytes, uint32_t *times) {
  uint32_t sum = 0, first = 0;
  for (uint32_t i = 0; i < count; i++) {
    times[i] = bytes[i] == partial->whole ? 1 : 2;
    if (i + 1 == count || partial->by_line || begins[i + 1]) {
      times[i] += partial->tag_lines - (i + 1 - first);
      first = i + 1;
    }
    sum += times[i];
  }
  return sum;
}

void partial_writes_begin(const struct partial_writes *partial, const struct lane_addresses *lanes,
                          const uint32_t *begins, struct memory_access *store) {
  const uint32_t count = store->transactions;
  uint32_t *bytes = store->lines + count;
  store->words = 2 * count;
  find_bytes(partial, lanes, store->lines, count, bytes);
  store->more_line_times = find_times(partial, begins, count, bytes, bytes + count) - count;
}

/* ---- at L2 ---- */

/* Forgets a line. Returns whether it was there in part. */
static bool take(struct partial_writes *partial, uint32_t line) {
  const bool there = partial->count > 0 && hash_index_remove(&partial->lines, line);
  partial->count -= there;
  return there;
}

/* Keeps a line that is there in part. */
static void put(struct partial_writes *partial, uint32_t line, uint32_t bytes) {
  if (partial->count == partial->most) {
    const uint32_t most = partial->most ? 2 * partial->most : LEAST_ROOM;
    if (!hash_index_grow(&partial->lines, most)) {
      partial->no_memory = true;
      return;
    }
    partial->most = most;
  }
  partial->count += hash_index_put(&partial->lines, line, bytes);
}

/* Notes what a store writes of a line. `held`: L2 held the line. */
static void note_store(struct partial_writes *partial, uint32_t line, uint32_t bytes, bool held) {
  const uint32_t before = partial->count > 0 ? hash_index_find(&partial->lines, line) : HASH_INDEX_NONE;
  if (held && before == HASH_INDEX_NONE)
    return; /* all of it is there */
  if (before != HASH_INDEX_NONE)
    bytes |= before;
  if (bytes != partial->whole)
    put(partial, line, bytes);
  else
    take(partial, line);
}

struct l2_outcome partial_writes_use(struct partial_writes *partial, struct cache *l2, uint32_t line, enum l2_use use,
                                     uint32_t bytes) {
  struct l2_outcome outcome = {.fetch = true, .left = CACHE_NO_LINE, .filled = line};
  if (!l2) {
    outcome.fills = use == L2_WRITE && bytes != partial->whole;
    return outcome;
  }
  const uint32_t victim = partial->count > 0 ? cache_victim(l2, line) : CACHE_NO_LINE;
  outcome.hit = cache_access(l2, line);
  for (uint32_t i = 0; i < partial->tag_lines && victim != CACHE_NO_LINE; i++)
    outcome.fills |= (uint32_t)take(partial, victim + i) << i;
  outcome.filled = victim;
  if (use == L2_WRITE)
    note_store(partial, line, bytes, outcome.hit);
  else if (take(partial, line))
    outcome.hit = false;
  outcome.fetch = !outcome.hit;
  return outcome;
}

uint32_t partial_writes_use_lines(struct partial_writes *partial, struct cache *l2, const struct tag_lines *lines,
                                  enum l2_use use, const uint32_t *bytes, uint32_t *fills) {
  const uint32_t first = lines->tag * partial->tag_lines;
  const uint32_t victim = partial->count > 0 ? cache_victim(l2, first) : CACHE_NO_LINE;
  const uint32_t held = cache_access_lines(l2, lines->tag, lines->lines);
  uint32_t hits = held, number = 0;
  *fills = 0;
  for (uint32_t i = 0; i < partial->tag_lines && victim != CACHE_NO_LINE; i++)
    *fills += take(partial, victim + i);
  if (use != L2_WRITE && partial->count == 0)
    return hits;
  for (uint32_t i = 0; i < partial->tag_lines; i++)
    if (lines->lines >> i & 1) {
      if (use == L2_WRITE)
        note_store(partial, first + i, bytes[number++], held >> i & 1);
      else if (take(partial, first + i))
        hits &= ~(1u << i);
    }
  return hits;
}

#include "trace/read/stream_runs.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

#define GROWTH_WORDS (16u << 20) /* words by which a file grows at most */
#define ADDED_WORDS  (4u << 20)  /* words that are added to a file before pages are released */

/* Moves the words to a file, or makes the file larger. Returns false if they have to stay in memory. */
static bool room_in_file(struct stream_runs *r, uint64_t need) {
  const uint64_t more = need < GROWTH_WORDS ? 2 * need : need + GROWTH_WORDS, bytes = more * sizeof *r->words;
  int32_t *words = r->in_file ? spill_file_grow(&r->file, r->words, bytes) : spill_file_map(&r->file, bytes);
  if (!words)
    return false;
  if (!r->in_file && r->words) {
    memcpy(words, r->words, r->count * sizeof *words);
    free(r->words);
  }
  r->in_file = true;
  r->words = words;
  r->capacity = (uint32_t)more;
  return true;
}

static bool take_back(struct stream_runs *r) {
  int32_t *words = malloc(r->capacity * sizeof *words);
  if (!words)
    return false;
  memcpy(words, r->words, r->count * sizeof *words);
  spill_file_unmap(r->words, r->file.bytes);
  spill_file_clear(&r->file);
  r->words = words;
  r->in_file = r->spills = false;
  return true;
}

/* Makes room for `more` words. */
static bool room_for_words(struct stream_runs *r, uint32_t more) {
  const uint64_t need = (uint64_t)r->count + more;
  if (r->in_file && (r->added += more) > ADDED_WORDS) {
    stream_runs_let_go(r);
    r->added = 0;
  }
  if (need <= r->capacity)
    return true;
  if (need > UINT32_MAX / 2)
    return false;
  if (r->spills && need > r->plain && room_in_file(r, need))
    return true;
  return (!r->in_file || take_back(r)) && array_room_u32(&r->words, &r->capacity, need, sizeof *r->words);
}

static const struct stream_run *known_run(const struct stream_runs *r, const int32_t *run, uint32_t count,
                                          uint64_t hash) {
  for (uint32_t at = hash_table_first(&r->by_hash, hash), i;
       (i = hash_table_next(&r->by_hash, hash, &at)) != HASH_INDEX_NONE;)
    if (r->runs[i].count == count && memcmp(r->words + r->runs[i].first, run, count * sizeof *run) == 0)
      return &r->runs[i];
  return NULL;
}

bool stream_runs_find(struct stream_runs *r, const int32_t *run, uint32_t count, uint32_t *first) {
  if (count == 0)
    return stream_runs_zeros(r, 0, first);
  const uint64_t hash = hash_bytes(run, count * sizeof *run);
  const struct stream_run *known = known_run(r, run, count, hash);
  if (known) {
    *first = known->first;
    return true;
  }
  if (!room_for_words(r, count) || !array_room_u32(&r->runs, &r->run_capacity, r->run_count + 1u, sizeof *r->runs) ||
      !hash_table_add(&r->by_hash, hash, r->run_count))
    return false;
  memcpy(r->words + r->count, run, count * sizeof *run);
  r->runs[r->run_count++] = (struct stream_run){r->count, count};
  *first = r->count;
  r->count += count;
  return true;
}

bool stream_runs_zeros(struct stream_runs *r, uint32_t count, uint32_t *first) {
  if (count > r->zeros_count || !r->words) {
    const uint32_t longer = count > 2 * r->zeros_count ? count : 2 * r->zeros_count;
    if (!room_for_words(r, longer + 1))
      return false;
    memset(r->words + r->count, 0, longer * sizeof *r->words);
    r->zeros_first = r->count;
    r->zeros_count = longer;
    r->count += longer;
  }
  *first = r->zeros_first;
  return true;
}

uint64_t stream_runs_bytes(const struct stream_runs *r) {
  return (uint64_t)r->capacity * sizeof *r->words + (uint64_t)r->run_capacity * sizeof *r->runs +
         hash_table_bytes(&r->by_hash);
}

void stream_runs_release(struct stream_runs *r) {
  free(r->runs);
  hash_table_clear(&r->by_hash);
  r->runs = NULL;
  r->run_count = r->run_capacity = r->zeros_first = r->zeros_count = 0;
}

void stream_runs_let_go(const struct stream_runs *r) {
  if (r->in_file)
    spill_file_let_go(r->words, r->file.bytes);
}

void stream_runs_clear(struct stream_runs *r) {
  stream_runs_release(r);
  if (r->in_file)
    spill_file_unmap(r->words, r->file.bytes);
  else
    free(r->words);
  spill_file_clear(&r->file);
  *r = (struct stream_runs){0};
}

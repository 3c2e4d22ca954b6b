#include "trace/read/stream_runs.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

static bool room(void *array, uint32_t *capacity, uint64_t need, size_t size) {
  size_t wide = *capacity;
  const bool ok = need <= UINT32_MAX / 2 && array_room(array, &wide, (size_t)need, size);
  *capacity = (uint32_t)wide;
  return ok;
}

/* Returns a hash of the run by multiplication and folding, as wyhash does. */
static uint32_t hash_of(const int32_t *run, uint32_t count) {
  uint64_t hash = count;
  for (uint32_t i = 0; i < count; i++) {
    hash = (hash ^ (uint32_t)run[i]) * UINT64_C(0x9e3779b97f4a7c15);
    hash ^= hash >> 32;
  }
  return (uint32_t)hash;
}

/* Returns the bucket of the run, or the free bucket where it belongs. */
static uint32_t *bucket_of(const struct stream_runs *r, const int32_t *run, uint32_t count, uint32_t hash) {
  uint32_t i = hash & (r->bucket_count - 1);
  for (; r->buckets[i] != 0; i = (i + 1) & (r->bucket_count - 1)) {
    const struct stream_run *other = &r->runs[r->buckets[i] - 1];
    if (other->hash == hash && other->count == count && memcmp(r->words + other->first, run, count * sizeof *run) == 0)
      break;
  }
  return &r->buckets[i];
}

static bool grow_buckets(struct stream_runs *r) {
  const uint32_t count = r->bucket_count ? 2 * r->bucket_count : 64;
  uint32_t *buckets = calloc(count, sizeof *buckets);
  if (!buckets)
    return false;
  free(r->buckets);
  r->buckets = buckets;
  r->bucket_count = count;
  for (uint32_t k = 0; k < r->run_count; k++) {
    uint32_t i = r->runs[k].hash & (count - 1);
    while (buckets[i] != 0)
      i = (i + 1) & (count - 1);
    buckets[i] = k + 1;
  }
  return true;
}

bool stream_runs_find(struct stream_runs *r, const int32_t *run, uint32_t count, uint32_t *first) {
  if (count == 0)
    return stream_runs_zeros(r, 0, first);
  if (2 * r->run_count >= r->bucket_count && !grow_buckets(r))
    return false;
  const uint32_t hash = hash_of(run, count);
  uint32_t *bucket = bucket_of(r, run, count, hash);
  if (*bucket == 0) {
    if (!room(&r->words, &r->capacity, (uint64_t)r->count + count, sizeof *r->words) ||
        !room(&r->runs, &r->run_capacity, (uint64_t)r->run_count + 1, sizeof *r->runs))
      return false;
    memcpy(r->words + r->count, run, count * sizeof *run);
    r->runs[r->run_count++] = (struct stream_run){r->count, count, hash};
    r->count += count;
    *bucket = r->run_count;
  }
  *first = r->runs[*bucket - 1].first;
  return true;
}

bool stream_runs_zeros(struct stream_runs *r, uint32_t count, uint32_t *first) {
  if (count > r->zeros_count || !r->words) {
    const uint32_t longer = count > 2 * r->zeros_count ? count : 2 * r->zeros_count;
    if (!room(&r->words, &r->capacity, (uint64_t)r->count + longer + 1, sizeof *r->words))
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
         (uint64_t)r->bucket_count * sizeof *r->buckets;
}

void stream_runs_release(struct stream_runs *r) {
  free(r->runs);
  free(r->buckets);
  *r = (struct stream_runs){.words = r->words, .count = r->count, .capacity = r->capacity};
}

void stream_runs_clear(struct stream_runs *r) {
  stream_runs_release(r);
  free(r->words);
  *r = (struct stream_runs){0};
}

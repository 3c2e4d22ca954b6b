#include "trace/path/fold.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/spill.h"
#include "trace/format/limits.h"

#define KEY_NODES  4                            /* nodes that one key stands for */
#define MULTIPLIER UINT64_C(0x9e3779b97f4a7c15) /* an odd number: 2^64 over the golden ratio, as in base/random.h */

static uint64_t mix(uint64_t z) {
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

static uint64_t prefix_before(const struct fold *f, size_t node) {
  return node ? f->nodes[node - 1].prefix : f->prefix_start;
}

/* Returns a key of the node and of the KEY_NODES - 1 nodes before it, or of fewer at the beginning. */
static uint32_t key_of(const struct fold *f, size_t node) {
  uint64_t key = 0;
  for (size_t i = 0; i < KEY_NODES && i <= node; i++)
    key = (key >> 11) ^ f->nodes[node - i].hash;
  return (uint32_t)key;
}

static void set_hash(struct fold *f, size_t node, uint64_t hash) {
  f->nodes[node].hash = hash;
  f->nodes[node].prefix = prefix_before(f, node) * MULTIPLIER + hash;
  f->keys[FOLD_SCANNED + node] = key_of(f, node);
}

/* Returns the hash of `count` nodes from number `first`. */
static uint64_t hash_of_run(const struct fold *f, size_t first, size_t count) {
  return f->nodes[first + count - 1].prefix - prefix_before(f, first) * f->power[count];
}

static void raise_powers(struct fold *f) {
  f->power[0] = 1;
  for (size_t i = 1; i <= FOLD_MAX_BODY; i++)
    f->power[i] = f->power[i - 1] * MULTIPLIER;
}

static bool room_for_step(struct fold *f) {
  if (f->step_count < f->step_capacity)
    return true;
  const size_t capacity = f->step_capacity ? 2 * f->step_capacity : 1024;
  struct trace_step *steps = f->step_count < LIMIT_STEPS
                                 ? spill_resize(f->steps, f->step_capacity * sizeof *steps, capacity * sizeof *steps)
                                 : NULL;
  if (!steps)
    return false;
  f->steps = steps;
  f->step_capacity = capacity;
  return true;
}

/* Removes all but the last quarter of the nodes. */
static void slide(struct fold *f) {
  const size_t keep = FOLD_WINDOW / 4, cut = f->node_count - keep;
  f->prefix_start = f->nodes[cut - 1].prefix;
  spill_touched(cut * sizeof *f->steps);
  memmove(f->nodes, f->nodes + cut, keep * sizeof f->nodes[0]);
  memmove(f->keys + FOLD_SCANNED, f->keys + FOLD_SCANNED + cut, keep * sizeof f->keys[0]);
  f->node_count = keep;
}

static bool push_block(struct fold *f, uint32_t block) {
  if (!room_for_step(f))
    return false;
  if (f->node_count == FOLD_WINDOW)
    slide(f);
  f->nodes[f->node_count] = (struct fold_node){.length = 1, .first_step = f->step_count};
  set_hash(f, f->node_count++, mix(block + UINT64_C(1)));
  f->steps[f->step_count++] = (struct trace_step){.block = block, .repeat = 1};
  return true;
}

/* A vector of 16 bytes. Every processor that this program supports has such vectors. */
typedef uint32_t key_lanes __attribute__((vector_size(16)));
typedef uint64_t wide_lanes __attribute__((vector_size(16)));

/* Returns whether one of FOLD_SCANNED keys is equal to `key`. */
static inline bool any_equal(const uint32_t *keys, uint32_t key) {
  const key_lanes wanted = {key, key, key, key};
  key_lanes lanes, equal = {0};
  for (size_t i = 0; i < FOLD_SCANNED; i += 4) {
    memcpy(&lanes, keys + i, sizeof lanes);
    equal |= (key_lanes)(lanes == wanted);
  }
  const wide_lanes halves = (wide_lanes)equal;
  return (halves[0] | halves[1]) != 0;
}

/* Returns the distance from the last node to the nearest equal key that is farther away than `beyond` and has as many
 * nodes before it; 0 if there is none. The last keys that are compared at a time may be too far away, or lie before the
 * first node's. */
static size_t next_equal(const struct fold *f, size_t beyond) {
  const size_t last = f->node_count - 1;
  const size_t farthest = f->node_count / 2 < FOLD_MAX_BODY ? f->node_count / 2 : FOLD_MAX_BODY;
  const uint32_t *keys = f->keys + FOLD_SCANNED, key = keys[last];
  for (size_t k = beyond + 1; k <= farthest; k += FOLD_SCANNED) {
    if (!any_equal(keys + last - k - (FOLD_SCANNED - 1), key))
      continue;
    for (size_t i = k; i < k + FOLD_SCANNED && i <= farthest; i++)
      if (keys[last - i] == key)
        return i;
  }
  return 0;
}

/* Returns whether the last k nodes equal the k before them and a loop of them is not nested too deeply. */
static bool repeats(const struct fold *f, size_t k) {
  const size_t n = f->node_count;
  if (hash_of_run(f, n - k, k) != hash_of_run(f, n - 2 * k, k))
    return false;
  uint32_t height = 0;
  for (size_t i = n - k; i < n; i++)
    height = f->nodes[i].height > height ? f->nodes[i].height : height;
  return height < TRACE_MAX_DEPTH;
}

/* Returns the smallest k for which the last k nodes repeat; 0: none. For k of KEY_NODES or more, equal keys show that
 * the last KEY_NODES nodes recur. */
static size_t find_repetition(const struct fold *f) {
  const size_t n = f->node_count;
  if (n >= 2 && f->nodes[n - 1].hash == f->nodes[n - 2].hash && f->nodes[n - 1].height < TRACE_MAX_DEPTH)
    return 1;
  for (size_t k = 2; k < KEY_NODES && n >= 2 * k; k++)
    if (f->nodes[n - 1].hash == f->nodes[n - 1 - k].hash && repeats(f, k))
      return k;
  for (size_t k = KEY_NODES - 1; n > 0 && (k = next_equal(f, k)) != 0;)
    if (repeats(f, k))
      return k;
  return 0;
}

/* Returns how many times the last `length` blocks before `at` follow at `at`. */
static size_t more_iterations(const uint16_t *blocks, size_t count, size_t at, size_t length) {
  size_t more = 0;
  while (count - at >= length && memcmp(blocks + at, blocks + at - length, length * sizeof *blocks) == 0) {
    at += length;
    more++;
  }
  return more;
}

/* Replaces the last 2k nodes by a loop over k nodes. The sequence has been read up to *at, which moves on behind the
 * iterations that follow. */
static bool make_loop(struct fold *f, size_t k, const uint16_t *blocks, size_t count, size_t *at) {
  const size_t first = f->node_count - 2 * k, second = f->node_count - k;
  uint64_t hash = MULTIPLIER;
  size_t length = 0;
  uint32_t height = 0;
  for (size_t i = first; i < second; i++) {
    hash = mix(hash * MULTIPLIER + f->nodes[i].hash);
    length += f->nodes[i].length;
    height = f->nodes[i].height > height ? f->nodes[i].height : height;
  }
  const size_t more = more_iterations(blocks, count, *at, length);
  *at += more * length;
  if (!room_for_step(f))
    return false;
  const size_t step = f->nodes[first].first_step, body = f->nodes[second].first_step - step;
  memmove(f->steps + step + 1, f->steps + step, body * sizeof *f->steps);
  f->steps[step] = (struct trace_step){.repeat = (uint32_t)(more + 2), .body = (uint32_t)body};
  f->step_count = step + 1 + body;
  f->nodes[first].length = (more + 2) * length;
  f->nodes[first].height = height + 1;
  f->node_count = first + 1;
  set_hash(f, first, mix(hash + (more + 2)));
  return true;
}

static int too_long(size_t count, struct error *error) {
  return error_set(error, ERROR_WORK, "a work-item ran %zu blocks, more than a trace holds", count);
}

static int no_memory(size_t count, struct error *error) {
  return error_set(error, ERROR_WORK, "out of memory for a path of %zu blocks", count);
}

int fold_blocks(struct fold *f, const uint16_t *blocks, size_t count, const struct trace_step **steps,
                uint32_t *step_count, struct error *error) {
  f->node_count = f->step_count = 0;
  f->prefix_start = 0;
  if (f->power[0] == 0)
    raise_powers(f);
  if (count > UINT32_MAX)
    return too_long(count, error);
  bool ok = true;
  for (size_t at = 0; ok && at < count;) {
    ok = push_block(f, blocks[at++]);
    size_t k;
    while (ok && (k = find_repetition(f)) != 0)
      ok = make_loop(f, k, blocks, count, &at);
  }
  if (ok && f->step_count > LIMIT_STEPS)
    return too_long(count, error);
  *steps = f->steps;
  *step_count = (uint32_t)f->step_count;
  return ok ? 0 : no_memory(count, error);
}

int fold_not(struct fold *f, const uint16_t *blocks, size_t count, const struct trace_step **steps,
             uint32_t *step_count, struct error *error) {
  if (count > LIMIT_STEPS)
    return too_long(count, error);
  f->node_count = f->step_count = 0;
  for (size_t i = 0; i < count; i++) {
    if (!room_for_step(f))
      return no_memory(count, error);
    f->steps[f->step_count++] = (struct trace_step){.block = blocks[i], .repeat = 1};
  }
  *steps = f->steps;
  *step_count = (uint32_t)count;
  return 0;
}

void fold_clear(struct fold *f) {
  spill_free(f->steps, f->step_capacity * sizeof *f->steps);
  f->steps = NULL;
  f->node_count = f->step_count = f->step_capacity = 0;
}

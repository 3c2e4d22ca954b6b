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

/* Returns the hash of the `count` nodes before `end`. */
static uint64_t hash_of_run(const struct fold *f, const struct fold_node *end, size_t count) {
  return end[-1].prefix - end[-1 - (ptrdiff_t)count].prefix * f->power[count];
}

static const struct fold_node *end_of(const struct fold *f) {
  return f->stack + FOLD_BEFORE + f->node_count;
}

static uint32_t *chain_of(struct fold *f, uint32_t key) {
  return &f->newest[key % FOLD_CHAINS];
}

/* Makes a node the newest of its chain. */
static void link_node(struct fold *f, size_t node) {
  uint32_t *newest = chain_of(f, f->links[node].key);
  f->links[node].before = *newest;
  *newest = f->first_serial + (uint32_t)node;
}

/* Returns a key of a node and of the KEY_NODES - 1 nodes before it. */
static uint32_t key_of(const struct fold_node *n) {
  return (uint32_t)(n->hash ^ n[-1].hash >> 11 ^ n[-2].hash >> 22 ^ n[-3].hash >> 32);
}

static inline void push_node(struct fold *f, uint64_t hash, uint32_t length, uint32_t first_step, uint32_t height) {
  const size_t at = f->node_count++;
  struct fold_node *n = f->stack + FOLD_BEFORE + at;
  n->hash = hash;
  n->prefix = n[-1].prefix * MULTIPLIER + hash;
  n->length = length;
  n->first_step = first_step;
  n->height = height;
  f->links[at].key = key_of(n);
  link_node(f, at);
}

/* Removes the last `count` nodes from the stack and their chains. */
static void pop_nodes(struct fold *f, size_t count) {
  for (const size_t left = f->node_count - count; f->node_count > left;) {
    const struct fold_link *link = &f->links[--f->node_count];
    *chain_of(f, link->key) = link->before;
  }
}

/* Numbers the nodes of the stack from `serial` on, or from 1 on if there might not be enough numbers otherwise. */
static void start_serials(struct fold *f, uint32_t serial) {
  const bool again = serial == 0 || serial > UINT32_MAX / 2;
  f->first_serial = again ? 1 : serial;
  if (!again)
    return;
  memset(f->newest, 0, sizeof f->newest);
  for (size_t i = 0; i < f->node_count; i++)
    link_node(f, i);
}

static void make_tables(struct fold *f) {
  f->power[0] = 1;
  for (size_t i = 1; i <= FOLD_MAX_BODY; i++)
    f->power[i] = f->power[i - 1] * MULTIPLIER;
  for (uint32_t i = 0; i < FOLD_BLOCKS; i++)
    f->block_hashes[i] = mix(i + UINT64_C(1));
}

/* Empties the stack. */
static void start(struct fold *f) {
  if (f->power[0] == 0)
    make_tables(f);
  if (f->slid)
    memset(f->stack, 0, FOLD_BEFORE * sizeof f->stack[0]);
  const uint32_t serial = f->first_serial + (uint32_t)f->node_count;
  f->node_count = f->step_count = 0;
  f->slid = false;
  start_serials(f, serial);
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
  spill_touched(cut * sizeof *f->steps);
  memmove(f->stack, f->stack + cut, (FOLD_BEFORE + keep) * sizeof f->stack[0]);
  memmove(f->links, f->links + cut, keep * sizeof f->links[0]);
  f->node_count = keep;
  f->slid = true;
  start_serials(f, f->first_serial + (uint32_t)cut);
}

static bool push_block(struct fold *f, uint32_t block) {
  if (!room_for_step(f))
    return false;
  if (f->node_count == FOLD_WINDOW)
    slide(f);
  const uint64_t hash = block < FOLD_BLOCKS ? f->block_hashes[block] : mix(block + UINT64_C(1));
  push_node(f, hash, 1, (uint32_t)f->step_count, 0);
  f->steps[f->step_count++] = (struct trace_step){.block = block, .repeat = 1};
  return true;
}

/* Returns whether the last k nodes equal the k before them and a loop of them is not nested too deeply. */
static bool repeats(const struct fold *f, size_t k) {
  const struct fold_node *end = end_of(f);
  if (hash_of_run(f, end, k) != hash_of_run(f, end - k, k))
    return false;
  uint32_t height = 0;
  for (const struct fold_node *n = end - k; n < end; n++)
    height = n->height > height ? n->height : height;
  return height < TRACE_MAX_DEPTH;
}

/* Returns the smallest k of KEY_NODES or more for which the last k nodes repeat; 0: none. The node k before the last
 * then has the last one's key, because the last KEY_NODES nodes recur. */
static size_t find_long_repetition(const struct fold *f) {
  const uint32_t last = (uint32_t)f->node_count - 1, key = f->links[last].key;
  const uint32_t half = (last + 1) / 2, farthest = half < FOLD_MAX_BODY ? half : FOLD_MAX_BODY;
  for (uint32_t serial = f->links[last].before; serial >= f->first_serial;) {
    const uint32_t node = serial - f->first_serial, k = last - node;
    if (k > farthest)
      return 0;
    if (k >= KEY_NODES && f->links[node].key == key && repeats(f, k))
      return k;
    serial = f->links[node].before;
  }
  return 0;
}

/* Returns the smallest k for which the last k nodes repeat; 0: none. The entries before the first node have a hash of
 * 0, which no node has. */
static size_t find_repetition(const struct fold *f) {
  const struct fold_node *n = end_of(f) - 1;
  const uint64_t last = n[0].hash;
  if (last == n[-1].hash && repeats(f, 1))
    return 1;
  if (last == n[-2].hash && n[-1].hash == n[-3].hash && repeats(f, 2))
    return 2;
  if (last == n[-3].hash && n[-1].hash == n[-4].hash && n[-2].hash == n[-5].hash && repeats(f, 3))
    return 3;
  return find_long_repetition(f);
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
  const struct fold_node *second = end_of(f) - k, *first = second - k;
  uint64_t hash = MULTIPLIER;
  size_t length = 0;
  uint32_t height = 0;
  for (const struct fold_node *n = first; n < second; n++) {
    hash = mix(hash * MULTIPLIER + n->hash);
    length += n->length;
    height = n->height > height ? n->height : height;
  }
  const size_t more = more_iterations(blocks, count, *at, length);
  *at += more * length;
  if (!room_for_step(f))
    return false;
  const uint32_t step = first->first_step, body = second->first_step - step;
  memmove(f->steps + step + 1, f->steps + step, body * sizeof *f->steps);
  f->steps[step] = (struct trace_step){.repeat = (uint32_t)(more + 2), .body = body};
  f->step_count = (size_t)step + 1 + body;
  pop_nodes(f, 2 * k);
  push_node(f, mix(hash + (more + 2)), (uint32_t)((more + 2) * length), step, height + 1);
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
  if (count > UINT32_MAX)
    return too_long(count, error);
  start(f);
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
  start(f);
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
  *f = (struct fold){0};
}

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

/* A sequence while it is folded: the place up to which it has been read, and the numbers of nodes and of steps so far,
 * which a processor then keeps in registers. */
struct folding {
  const uint16_t *blocks;
  size_t count, at;
  size_t node_count, step_count;
};

static inline const struct fold_node *end_of(const struct fold *f, const struct folding *s) {
  return f->stack + FOLD_BEFORE + s->node_count;
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

static inline void push_node(struct fold *f, struct folding *s, uint64_t hash, uint32_t begin, uint32_t first_step,
                             uint32_t height) {
  const size_t at = s->node_count++;
  struct fold_node *n = f->stack + FOLD_BEFORE + at;
  n->hash = hash;
  n->prefix = n[-1].prefix * MULTIPLIER + hash;
  n->begin = begin;
  n->first_step = first_step;
  n->height = height;
  f->links[at].key = key_of(n);
  link_node(f, at);
}

/* Removes the last `count` nodes from the stack and their chains. */
static inline void pop_nodes(struct fold *f, struct folding *s, size_t count) {
  for (; count > 0; count--) {
    const struct fold_link *link = &f->links[--s->node_count];
    *chain_of(f, link->key) = link->before;
  }
}

/* Numbers the nodes of the stack from `serial` on, or from 1 on if there might not be enough numbers otherwise. */
static void start_serials(struct fold *f, uint32_t serial, size_t node_count) {
  const bool again = serial == 0 || serial > UINT32_MAX / 2;
  f->first_serial = again ? 1 : serial;
  if (!again)
    return;
  memset(f->newest, 0, sizeof f->newest);
  for (size_t i = 0; i < node_count; i++)
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
  f->slid = false;
  start_serials(f, serial, 0);
}

static bool more_room(struct fold *f, size_t step_count) {
  const size_t capacity = f->step_capacity ? 2 * f->step_capacity : 1024;
  struct trace_step *steps = step_count < LIMIT_STEPS
                                 ? spill_resize(f->steps, f->step_capacity * sizeof *steps, capacity * sizeof *steps)
                                 : NULL;
  if (!steps)
    return false;
  f->steps = steps;
  f->step_capacity = capacity;
  return true;
}

static inline bool room_for_step(struct fold *f, size_t step_count) {
  return step_count < f->step_capacity || more_room(f, step_count);
}

enum { KEPT_NODES = FOLD_WINDOW / 4, CUT_NODES = FOLD_WINDOW - KEPT_NODES };

/* Removes all but the last KEPT_NODES nodes. Those before lose their hashes, so that no body begins there. */
static __attribute__((noinline)) void slide(struct fold *f) {
  spill_touched(CUT_NODES * sizeof *f->steps);
  memmove(f->stack, f->stack + CUT_NODES, (FOLD_BEFORE + KEPT_NODES) * sizeof f->stack[0]);
  memmove(f->links, f->links + CUT_NODES, KEPT_NODES * sizeof f->links[0]);
  for (size_t i = 0; i < FOLD_BEFORE; i++)
    f->stack[i].hash = 0;
  f->slid = true;
  start_serials(f, f->first_serial + CUT_NODES, KEPT_NODES);
}

/* Reads a block. */
static inline bool push_block(struct fold *f, struct folding *s) {
  const uint32_t block = s->blocks[s->at];
  if (!room_for_step(f, s->step_count))
    return false;
  if (s->node_count == FOLD_WINDOW) {
    slide(f);
    s->node_count = KEPT_NODES;
  }
  const uint64_t hash = block < FOLD_BLOCKS ? f->block_hashes[block] : mix(block + UINT64_C(1));
  push_node(f, s, hash, (uint32_t)s->at++, (uint32_t)s->step_count, 0);
  f->steps[s->step_count++] = (struct trace_step){.block = block, .repeat = 1};
  return true;
}

/* Returns the most loops that are nested in one of the last k nodes. */
static inline uint32_t height_of(const struct fold *f, const struct folding *s, size_t k) {
  const struct fold_node *end = end_of(f, s);
  uint32_t height = 0;
  for (const struct fold_node *n = end - k; n < end; n++)
    height = n->height > height ? n->height : height;
  return height;
}

/* Returns whether the last k nodes equal the k before them and a loop of them is not nested too deeply. */
static inline bool repeats(const struct fold *f, const struct folding *s, size_t k) {
  const struct fold_node *end = end_of(f, s);
  return hash_of_run(f, end, k) == hash_of_run(f, end - k, k) && height_of(f, s, k) < TRACE_MAX_DEPTH;
}

/* Returns the smallest k of KEY_NODES or more for which the last k nodes repeat; 0: none. The node k before the last
 * then has the last one's key, because the last KEY_NODES nodes recur. */
static inline size_t find_long_repetition(const struct fold *f, const struct folding *s) {
  const uint32_t last = (uint32_t)s->node_count - 1, key = f->links[last].key;
  const uint32_t half = (last + 1) / 2, farthest = half < FOLD_MAX_BODY ? half : FOLD_MAX_BODY;
  for (uint32_t serial = f->links[last].before; serial >= f->first_serial;) {
    const uint32_t node = serial - f->first_serial, k = last - node;
    if (k > farthest)
      return 0;
    if (k >= KEY_NODES && f->links[node].key == key && repeats(f, s, k))
      return k;
    serial = f->links[node].before;
  }
  return 0;
}

/* Returns how many of `count` blocks at `a` equal those at `b`, up to the first that does not. */
static inline size_t count_equal(const uint16_t *a, const uint16_t *b, size_t count) {
  size_t at = 0;
  for (uint64_t x, y; at + 4 <= count; at += 4) {
    memcpy(&x, a + at, sizeof x);
    memcpy(&y, b + at, sizeof y);
    if (x != y) { /* there is no branch here, because it could not be predicted */
      const bool first = a[at] == b[at], second = first & (a[at + 1] == b[at + 1]),
                 third = second & (a[at + 2] == b[at + 2]);
      return at + first + second + third;
    }
  }
  while (at < count && a[at] == b[at])
    at++;
  return at;
}

/* Returns how many times the last `length` blocks of the sequence that were read follow. */
static inline size_t more_iterations(const struct folding *s, size_t length) {
  const uint16_t *next = s->blocks + s->at;
  const size_t equal = count_equal(next, next - length, s->count - s->at);
  return equal < length ? 0 : equal / length;
}

/* Copies `count` steps to the place one behind theirs. */
static inline void move_steps(struct trace_step *steps, uint32_t count) {
  for (uint32_t i = count; i > 0; i--)
    steps[i] = steps[i - 1];
}

/* Replaces the last 2k nodes by a loop over k nodes, which takes in the iterations that follow in the sequence. The
 * loop has at most as many steps as the 2k nodes. Most bodies have 2 or 3 nodes: the function is inlined for each k
 * that is constant. */
static inline __attribute__((always_inline)) void make_loop(struct fold *f, size_t k, struct folding *s) {
  const struct fold_node *end = end_of(f, s), *second = end - k, *first = second - k;
  const uint64_t body_hash = hash_of_run(f, end, k);
  const uint32_t step = first->first_step, body = second->first_step - step, begin = first->begin;
  const uint32_t height = height_of(f, s, k);
  const size_t length = s->at - second->begin, more = more_iterations(s, length);
  s->at += more * length;
  move_steps(f->steps + step, body);
  f->steps[step] = (struct trace_step){.repeat = (uint32_t)(more + 2), .body = body};
  s->step_count = (size_t)step + 1 + body;
  pop_nodes(f, s, 2 * k);
  push_node(f, s, mix(body_hash + (more + 2) * MULTIPLIER), begin, step, height + 1);
}

/* Makes a loop of the smallest k for which the last k nodes repeat. Returns false where there is none. The entries
 * before the first node have a hash of 0, which no node has. */
static inline bool fold_last(struct fold *f, struct folding *s) {
  const struct fold_node *n = end_of(f, s) - 1;
  const uint64_t last = n[0].hash;
  size_t k;
  if (last == n[-1].hash && height_of(f, s, 1) < TRACE_MAX_DEPTH)
    make_loop(f, 1, s);
  else if (last == n[-2].hash && n[-1].hash == n[-3].hash && height_of(f, s, 2) < TRACE_MAX_DEPTH)
    make_loop(f, 2, s);
  else if (last == n[-3].hash && n[-1].hash == n[-4].hash && n[-2].hash == n[-5].hash &&
           height_of(f, s, 3) < TRACE_MAX_DEPTH)
    make_loop(f, 3, s);
  else if ((k = find_long_repetition(f, s)) != 0)
    make_loop(f, k, s);
  else
    return false;
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
  struct folding s = {.blocks = blocks, .count = count};
  bool ok = true;
  while (s.at < count && (ok = push_block(f, &s)))
    while (fold_last(f, &s))
      continue;
  f->node_count = s.node_count;
  if (ok && s.step_count > LIMIT_STEPS)
    return too_long(count, error);
  *steps = f->steps;
  *step_count = (uint32_t)s.step_count;
  return ok ? 0 : no_memory(count, error);
}

int fold_not(struct fold *f, const uint16_t *blocks, size_t count, const struct trace_step **steps,
             uint32_t *step_count, struct error *error) {
  if (count > LIMIT_STEPS)
    return too_long(count, error);
  for (size_t i = 0; i < count; i++) {
    if (!room_for_step(f, i))
      return no_memory(count, error);
    f->steps[i] = (struct trace_step){.block = blocks[i], .repeat = 1};
  }
  *steps = f->steps;
  *step_count = (uint32_t)count;
  return 0;
}

void fold_clear(struct fold *f) {
  spill_free(f->steps, f->step_capacity * sizeof *f->steps);
  *f = (struct fold){0};
}

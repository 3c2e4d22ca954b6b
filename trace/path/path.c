#include "trace/path/path.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/spill.h"
#include "trace/format/limits.h"

#define KNOWN_NESTS  64 /* entries; a power of two */
#define KNOWN_BLOCKS 32 /* entries */

/* The state of a walk through a path's steps, front to back. */
struct walk {
  const struct trace_code *code;
  struct trace_path *path;
  struct trace_nest around; /* the loops around a step at this place */
  uint32_t nest;            /* the number of this nest in path->nests */
  uint32_t
      known[KNOWN_NESTS]; /* numbers of some nests: irregular paths have many loops with the same few trip counts */
  struct {
    uint32_t number, ops;  /* number of the block from 1 on, 0: none; its operations without moves */
  } counted[KNOWN_BLOCKS]; /* some blocks: a path has few different ones, many times */
  struct error *error;
};

static int bad_path(const struct walk *w, uint32_t step, const char *what) {
  return error_set(w->error, ERROR_INPUT, "path: step %u: %s", step, what);
}

static bool may_follow(const struct trace_code *code, uint32_t from, uint32_t to) {
  const struct trace_block *b = &code->blocks[from];
  const uint32_t *successors = code->successors + b->first_successor, count = b->successor_count;
  if (count == 2)
    return (successors[0] == to) | (successors[1] == to);
  for (uint32_t i = 0; i < count; i++)
    if (successors[i] == to)
      return true;
  return false;
}

static int no_successor(const struct walk *w, uint32_t step, uint32_t from, uint32_t to) {
  return error_set(w->error, ERROR_INPUT, "path: step %u: block %u cannot follow block %u", step, to, from);
}

static void add_sites(struct walk *w, const struct trace_block *b) {
  struct trace_path *p = w->path;
  struct trace_site *sites = p->sites + p->site_count;
  const uint32_t *ops = w->code->mem_ops + b->first_mem;
  const uint32_t count = b->mem_count, nest = w->nest;
  for (uint32_t m = 0; m < count; m++)
    sites[m] = (struct trace_site){ops[m], nest};
  p->site_count += count;
}

/* Returns the entry that may hold the number of a nest with these trip counts. */
static uint32_t *known_nest(struct walk *w) {
  uint32_t hash = w->around.depth;
  for (uint32_t d = 0; d < w->around.depth; d++)
    hash = (hash ^ w->around.repeat[d]) * 0x9e3779b1u; /* multiplier: 2^32 over the golden ratio */
  return &w->known[hash / (UINT32_MAX / KNOWN_NESTS + 1)];
}

static void enter_nest(struct walk *w) {
  struct trace_path *p = w->path;
  uint32_t *known = known_nest(w);
  const struct trace_nest *nest = &p->nests[*known];
  if (*known >= p->nest_count || nest->depth != w->around.depth ||
      memcmp(nest->repeat, w->around.repeat, sizeof nest->repeat) != 0) {
    *known = p->nest_count;
    p->nests[p->nest_count++] = w->around;
  }
  w->nest = *known;
}

static uint32_t count_ops(const struct trace_code *code, const struct trace_block *b) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < b->op_count; i++)
    count += code->ops[b->first_op + i].op_class != OP_MOVE;
  return count;
}

/* Returns the number of the block's operations without moves. */
static uint64_t counted_ops(struct walk *w, uint32_t block) {
  const uint32_t place = block % KNOWN_BLOCKS;
  if (w->counted[place].number != block + 1) {
    w->counted[place].ops = count_ops(w->code, &w->code->blocks[block]);
    w->counted[place].number = block + 1;
  }
  return w->counted[place].ops;
}

static inline int walk_block(struct walk *w, uint32_t step, uint32_t block) {
  const struct trace_block *b = &w->code->blocks[block];
  struct trace_path *p = w->path;
  const uint64_t executions = w->around.executions;
  p->block_executions += executions;
  if (p->block_executions > LIMIT_BLOCK_EXECUTIONS)
    return bad_path(w, step, "more than 2^40 block executions by one work-item");
  p->access_executions += executions * b->mem_count;
  p->op_executions += executions * counted_ops(w, block);
  p->barrier_executions += executions * b->has_barrier;
  add_sites(w, b);
  return 0;
}

static int walk_steps(struct walk *w, uint32_t begin, uint32_t end, uint32_t *first, uint32_t *last);

static int walk_loop(struct walk *w, uint32_t step, uint32_t *first, uint32_t *last) {
  const struct trace_step *s = &w->path->steps[step];
  if (s->repeat < 2)
    return bad_path(w, step, "a loop repeats at least twice");
  if (w->around.depth == TRACE_MAX_DEPTH)
    return bad_path(w, step, "loops are nested too deeply");
  const uint64_t outside = w->around.executions;
  const uint32_t nest = w->nest;
  if (outside > LIMIT_BLOCK_EXECUTIONS / s->repeat)
    return bad_path(w, step, "more than 2^40 block executions by one work-item");
  w->around.repeat[w->around.depth++] = s->repeat;
  w->around.executions = outside * s->repeat;
  enter_nest(w);
  if (walk_steps(w, step + 1, step + 1 + s->body, first, last) != 0)
    return -1;
  w->around.repeat[--w->around.depth] = 0;
  w->around.executions = outside;
  w->nest = nest;
  return may_follow(w->code, *last, *first) ? 0 : no_successor(w, step, *last, *first);
}

static int walk_steps(struct walk *w, uint32_t begin, uint32_t end, uint32_t *first, uint32_t *last) {
  for (uint32_t i = begin; i < end;) {
    const struct trace_step s = w->path->steps[i];
    uint32_t head = s.block, tail = s.block;
    if (s.body >= end - i)
      return bad_path(w, i, "a loop's body ends behind the loop around it");
    if (s.body == 0 && s.block >= w->code->block_count)
      return bad_path(w, i, "no such block");
    if ((s.body ? walk_loop(w, i, &head, &tail) : walk_block(w, i, s.block)) != 0)
      return -1;
    if (i == begin)
      *first = head;
    else if (!may_follow(w->code, *last, head))
      return no_successor(w, i, *last, head);
    *last = tail;
    if (i / SPILL_ROUNDS != (i + 1 + s.body) / SPILL_ROUNDS)
      spill_touched(SPILL_ROUNDS * (sizeof s + sizeof *w->path->sites));
    i += 1 + s.body;
  }
  return 0;
}

static int walk_path(struct walk *w) {
  uint32_t first = 0, last = 0;
  enter_nest(w);
  if (walk_steps(w, 0, w->path->step_count, &first, &last) != 0)
    return -1;
  if (first != 0)
    return bad_path(w, 0, "a work-item starts in block 0");
  if (w->code->blocks[last].successor_count != 0)
    return bad_path(w, w->path->step_count - 1, "a work-item ends in a block without successors");
  return 0;
}

/* Counts sites and loops. */
static void count_parts(const struct trace_code *code, const struct trace_step *steps, uint32_t count, uint64_t *sites,
                        uint64_t *loops) {
  const struct trace_block *blocks = code->blocks;
  const uint32_t block_count = code->block_count;
  uint64_t all = 0, repeated = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (steps[i].body > 0)
      repeated++;
    else if (steps[i].block < block_count)
      all += blocks[steps[i].block].mem_count;
  }
  *sites = all;
  *loops = repeated;
}

/* Allocates a path, its sites, its steps and its nests, of which there are at most one more than loops. */
static struct trace_path *take_path(struct pool *pool, const struct trace_step *steps, uint32_t step_count,
                                    uint64_t sites, uint64_t nests) {
  const size_t nest_bytes = nests * sizeof(struct trace_nest), site_bytes = sites * sizeof(struct trace_site),
               step_bytes = step_count * sizeof *steps, padded = (step_bytes + 7) / 8 * 8;
  struct trace_path *path = pool_take(pool, sizeof *path + site_bytes + padded + nest_bytes);
  if (!path)
    return NULL;
  *path = (struct trace_path){.step_count = step_count, .sites = (struct trace_site *)(path + 1)};
  path->steps = (struct trace_step *)(path->sites + sites);
  spill_copy(path->steps, steps, step_bytes);
  path->nests = (struct trace_nest *)((char *)path->steps + padded);
  return path;
}

int path_build(const struct trace_code *code, const struct trace_step *steps, uint32_t step_count, size_t memory_limit,
               struct pool *pool, struct trace_path **out, struct error *error) {
  uint64_t sites, loops;
  count_parts(code, steps, step_count, &sites, &loops);
  const uint64_t nests = 1 + loops;
  if (step_count == 0)
    return error_set(error, ERROR_INPUT, "path: a work-item runs at least one block");
  if (sites > LIMIT_SITES ||
      sites * sizeof(struct trace_site) + nests * sizeof(struct trace_nest) + step_count * sizeof *steps > memory_limit)
    return error_set(
        error, ERROR_WORK,
        "paths of work-items need too much memory (%u steps, %llu streams in this one): trace a smaller launch",
        step_count, (unsigned long long)sites);
  struct trace_path *path = take_path(pool, steps, step_count, sites, nests);
  if (!path)
    return error_set(error, ERROR_WORK, "out of memory for a path of %u steps", step_count);
  struct walk walk = {.code = code, .path = path, .around.executions = 1, .error = error};
  *out = path;
  const int result = walk_path(&walk);
  pool_give_back(pool, (nests - path->nest_count) * sizeof *path->nests);
  return result;
}

/* Writes a step at `to` and returns the place behind it. The numbers of most steps take a byte each; those are written
 * without a branch between blocks and loops, which a processor cannot predict. */
static inline unsigned char *put_step(unsigned char *to, const struct trace_step *s) {
  const bool is_loop = s->body > 0;
  const uint64_t head = is_loop ? (uint64_t)s->body << 1 | 1 : (uint64_t)s->block << 1;
  const uint32_t more = is_loop ? s->repeat - 2 : 0;
  if ((head | more) < 0x80) {
    to[0] = (unsigned char)head;
    to[1] = (unsigned char)more;
    return to + 1 + is_loop;
  }
  to = varint_put(to, head);
  return is_loop ? varint_put(to, more) : to;
}

void path_encode(const struct trace_path *path, struct bytes *out) {
  if (!bytes_reserve(out, (2 * (size_t)path->step_count + 1) * BYTES_VARINT_MAX))
    return;
  unsigned char *to = varint_put(out->data + out->length, path->step_count);
  for (uint32_t i = 0; i < path->step_count; i++) {
    const struct trace_step *s = &path->steps[i];
    if (i % SPILL_ROUNDS == 0)
      spill_touched(SPILL_ROUNDS * 2 * sizeof *s);
    to = put_step(to, s);
  }
  out->length = (size_t)(to - out->data);
}

size_t path_memory(const struct trace_path *path) {
  return sizeof *path + path->step_count * sizeof *path->steps + path->site_count * sizeof *path->sites +
         path->nest_count * sizeof *path->nests;
}

/* Returns whether `blocks` begins with the expansion of steps [at, end), and writes its length to *used. The first
 * iteration of a loop is compared step by step, each other one with the iteration before. */
static bool match(const struct trace_step *at, const struct trace_step *end, const uint16_t *blocks, size_t count,
                  size_t *used) {
  size_t place = 0;
  while (at < end) {
    if (at->body == 0) {
      if (place == count || blocks[place] != at->block)
        return false;
      place++;
    } else {
      size_t length;
      if (!match(at + 1, at + 1 + at->body, blocks + place, count - place, &length))
        return false;
      const size_t left = count - place - length;
      if (left / length < at->repeat - 1)
        return false;
      const size_t more = length * (at->repeat - 1);
      if (memcmp(blocks + place, blocks + place + length, more * sizeof *blocks) != 0)
        return false;
      place += length + more;
    }
    at += 1 + at->body;
  }
  *used = place;
  return true;
}

bool path_matches(const struct trace_path *path, const uint16_t *blocks, size_t count) {
  size_t used = 0;
  return path->block_executions == count && match(path->steps, path->steps + path->step_count, blocks, count, &used) &&
         used == count;
}

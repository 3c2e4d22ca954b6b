#include "model/isa/merged_accesses.h"

#include <stdlib.h>
#include <string.h>

#define MOST_CHAINS 64 /* number of chains of neighbours that are followed at the same time in a block */
#define NONE        UINT32_MAX

/* State of the pass over a code table. Memory operations are numbered as in the arranged code. */
struct merging {
  struct arranged_code *arranged;
  const struct trace *trace;
  struct merged_bytes most;
  uint32_t *next; /* [mem_count]: the access that begins where this one ends, or NONE */
  bool *follows;  /* [mem_count]: whether it is the next access of another one */
};

static struct trace_op *op_of(const struct merging *m, uint32_t mem) {
  return &m->arranged->code.ops[m->arranged->code.mem_ops[mem]];
}

static uint32_t most_bytes(const struct merging *m, const struct trace_op *op) {
  return op->op_class == OP_LOAD ? m->most.load : op->op_class == OP_STORE ? m->most.store : 0;
}

static bool can_merge(const struct merging *m, const struct trace_op *op) {
  return op->space == SPACE_LOCAL && op->bytes > 0 && (op->bytes & (op->bytes - 1)) == 0 &&
         op->bytes < most_bytes(m, op);
}

/* ---- addresses ---- */

/* Returns whether two sites of a cohort have affine addresses with the same strides. */
static bool same_strides(const struct trace *trace, const struct trace_cohort *cohort, uint32_t a, uint32_t b) {
  const uint32_t depth = trace_nest_of(trace->paths[cohort->path], a)->depth;
  const struct trace_stream x = trace_stream_of(trace, cohort, a), y = trace_stream_of(trace, cohort, b);
  return x.kind == STREAM_AFFINE && y.kind == STREAM_AFFINE &&
         memcmp(x.item_stride, y.item_stride, 3 * sizeof *x.item_stride) == 0 &&
         memcmp(x.loop_stride, y.loop_stride, depth * sizeof *x.loop_stride) == 0;
}

/* Returns whether stream `b` begins `bytes` bytes behind stream `a` in all work-groups of the shape. */
static bool always_behind(const struct trace *trace, uint32_t shape, uint32_t a, uint32_t b, uint32_t bytes) {
  for (uint32_t i = 0; i < trace->group_count; i++) {
    const struct trace_group *group = &trace->groups[i];
    if (group->shape == shape && group->base[b] - group->base[a] != bytes)
      return false;
  }
  return true;
}

/* Returns whether access `b` begins where access `a` of the same block ends, in all executions. */
static bool are_neighbours(const struct merging *m, uint32_t a, uint32_t b) {
  const struct trace *trace = m->trace;
  const uint32_t bytes = op_of(m, a)->bytes, from = m->arranged->addresses_of[a], to = m->arranged->addresses_of[b];
  bool found = false;
  for (uint32_t s = 0; s < trace->shape_count; s++) {
    trace_shape_read(trace, s);
    for (uint32_t c = 0; c < trace->shapes[s]->cohort_count; c++) {
      const struct trace_cohort *cohort = &trace->shapes[s]->cohorts[c];
      const struct trace_path *path = trace->paths[cohort->path];
      for (uint32_t site = 0; site < path->site_count; site++)
        if (path->sites[site].op == trace->code.mem_ops[from]) {
          const uint32_t other = site + (to - from), first = cohort->first_stream;
          if (!same_strides(trace, cohort, site, other) || !always_behind(trace, s, first + site, first + other, bytes))
            return false;
          found = true;
        }
    }
  }
  return found;
}

static uint32_t stream_bits(const struct trace *trace, uint32_t shape, const struct trace_cohort *cohort,
                            uint32_t site) {
  const struct trace_stream stream = trace_stream_of(trace, cohort, site);
  const uint32_t depth = trace_nest_of(trace->paths[cohort->path], site)->depth;
  uint32_t bits = 0;
  for (int d = 0; d < 3; d++)
    bits |= (uint32_t)stream.item_stride[d];
  for (uint32_t d = 0; d < depth; d++)
    bits |= (uint32_t)stream.loop_stride[d];
  for (uint32_t i = 0; i < trace->group_count; i++)
    if (trace->groups[i].shape == shape)
      bits |= trace->groups[i].base[cohort->first_stream + site];
  return bits;
}

/* Returns the bits that are set in any address or stride of an access with affine addresses. */
static uint32_t address_bits(const struct merging *m, uint32_t mem) {
  const struct trace *trace = m->trace;
  const uint32_t op = trace->code.mem_ops[m->arranged->addresses_of[mem]];
  uint32_t bits = 0;
  for (uint32_t s = 0; s < trace->shape_count; s++) {
    trace_shape_read(trace, s);
    for (uint32_t c = 0; c < trace->shapes[s]->cohort_count; c++) {
      const struct trace_cohort *cohort = &trace->shapes[s]->cohorts[c];
      const struct trace_path *path = trace->paths[cohort->path];
      for (uint32_t site = 0; site < path->site_count; site++)
        if (path->sites[site].op == op)
          bits |= stream_bits(trace, s, cohort, site);
    }
  }
  return bits;
}

/* ---- chains of neighbours ---- */

/* Links an access to the last one of a chain that ends where it begins. */
static bool join(struct merging *m, uint32_t mem, uint32_t *last, uint32_t count) {
  for (uint32_t chain = 0; chain < count; chain++) {
    const struct trace_op *before = op_of(m, last[chain]), *op = op_of(m, mem);
    if (before->op_class == op->op_class && before->type == op->type && before->bytes == op->bytes &&
        are_neighbours(m, last[chain], mem)) {
      m->next[last[chain]] = mem;
      m->follows[mem] = true;
      last[chain] = mem;
      return true;
    }
  }
  return false;
}

static void find_rows(struct merging *m, const struct trace_block *block) {
  uint32_t last[MOST_CHAINS], count = 0;
  uint8_t before = OP_CLASS_COUNT;
  for (uint32_t mem = block->first_mem; mem < block->first_mem + block->mem_count; mem++) {
    const struct trace_op *op = op_of(m, mem);
    if (op->space != SPACE_LOCAL)
      continue;
    if (op->op_class != before)
      count = 0;
    before = op->op_class;
    if (can_merge(m, op) && join(m, mem, last, count))
      continue;
    if (op->op_class != OP_LOAD)
      count = 0; /* this store is between those before and behind it */
    if (can_merge(m, op) && count < MOST_CHAINS)
      last[count++] = mem;
  }
}

/* ---- merging ---- */

/* Returns the earlier of two first uses of values that are loaded in a block from operation `at` on. */
static uint32_t earlier(uint32_t a, uint32_t b, uint32_t at) {
  const bool a_follows = a > at, b_follows = b > at; /* true for TRACE_NO_OP, too */
  if (a_follows != b_follows)
    return a == TRACE_NO_OP ? b : b == TRACE_NO_OP ? a : a_follows ? a : b;
  return a < b ? a : b;
}

/* Returns how many accesses of a chain, from `mem` on, one instruction can do: a power of two. */
static uint32_t together(const struct merging *m, uint32_t mem) {
  const uint32_t bytes = op_of(m, mem)->bytes, bits = m->next[mem] == NONE ? 0 : address_bits(m, mem);
  const uint32_t most = most_bytes(m, op_of(m, mem));
  uint32_t count = 1, there = 1;
  for (uint32_t i = m->next[mem]; i != NONE && there < most / bytes; i = m->next[i])
    there++;
  while (2 * count <= there && 2 * count * bytes <= most && bits % (2 * count * bytes) == 0)
    count *= 2;
  return count;
}

static void widen(struct trace_op *op, uint32_t count) {
  op->bytes = (uint16_t)(op->bytes * count);
  op->width = (uint16_t)(op->width * count);
}

/* Lets the first of `count` loads from `mem` on do all. */
static void merge_loads(struct merging *m, uint32_t mem, uint32_t count) {
  struct trace_op *first = op_of(m, mem);
  const uint32_t at = m->arranged->code.mem_ops[mem];
  widen(first, count);
  for (uint32_t i = 1, next = m->next[mem]; i < count; i++, next = m->next[next]) {
    struct trace_op *op = op_of(m, next);
    first->first_use = earlier(first->first_use, op->first_use, at);
    op->first_use = TRACE_NO_OP;
    m->arranged->merged[m->arranged->code.mem_ops[next]] = true;
  }
}

/* Makes `store` the first use of the values that were first used by the store `merged`. */
static void move_uses(struct merging *m, uint32_t merged, uint32_t store) {
  for (uint32_t mem = 0; mem < m->arranged->code.mem_count; mem++)
    if (op_of(m, mem)->first_use == merged)
      op_of(m, mem)->first_use = store;
}

/* Lets the last of `count` stores from `mem` on do all. */
static void merge_stores(struct merging *m, uint32_t mem, uint32_t count) {
  const uint32_t *mem_ops = m->arranged->code.mem_ops;
  uint32_t last = mem;
  for (uint32_t i = 1; i < count; i++)
    last = m->next[last];
  widen(op_of(m, last), count);
  m->arranged->addresses_of[last] = m->arranged->addresses_of[mem];
  for (uint32_t i = mem; i != last; i = m->next[i]) {
    m->arranged->merged[mem_ops[i]] = true;
    move_uses(m, mem_ops[i], mem_ops[last]);
  }
}

/* Merges what can be merged of the chain from `mem` on. */
static void merge_chain(struct merging *m, uint32_t mem) {
  while (mem != NONE) {
    const uint32_t count = together(m, mem);
    uint32_t behind = mem;
    for (uint32_t i = 0; i < count; i++)
      behind = m->next[behind];
    if (count > 1 && op_of(m, mem)->op_class == OP_LOAD)
      merge_loads(m, mem, count);
    else if (count > 1)
      merge_stores(m, mem, count);
    mem = behind;
  }
}

static void merge_all(struct merging *m) {
  const struct trace_code *code = &m->arranged->code;
  for (uint32_t b = 0; b < code->block_count; b++)
    find_rows(m, &code->blocks[b]);
  for (uint32_t mem = 0; mem < code->mem_count; mem++)
    if (m->next[mem] != NONE && !m->follows[mem])
      merge_chain(m, mem);
}

/* Returns the bytes to which local memory is known to be aligned: the size of the widest access to it. */
static uint32_t known_alignment(const struct trace_code *code) {
  uint32_t most = 0;
  for (uint32_t i = 0; i < code->mem_count; i++) {
    const struct trace_op *op = &code->ops[code->mem_ops[i]];
    if (op->space == SPACE_LOCAL && op->bytes > most && (op->bytes & (op->bytes - 1)) == 0)
      most = op->bytes;
  }
  return most;
}

static uint32_t least(uint32_t a, uint32_t b) {
  return a < b ? a : b;
}

int merged_accesses_find(struct arranged_code *arranged, const struct trace *trace, struct merged_bytes most) {
  const uint32_t count = arranged->code.mem_count, aligned = known_alignment(&arranged->code);
  most = (struct merged_bytes){least(most.load, aligned), least(most.store, aligned)};
  if (most.load == 0 && most.store == 0)
    return 0;
  struct merging m = {arranged, trace, most, malloc((count + 1u) * sizeof *m.next),
                      calloc(count + 1u, sizeof *m.follows)};
  const bool done = m.next && m.follows;
  if (done) {
    memset(m.next, 0xff, count * sizeof *m.next);
    merge_all(&m);
  }
  free(m.next);
  free(m.follows);
  return done ? 0 : -1;
}

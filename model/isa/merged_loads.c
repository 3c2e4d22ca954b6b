#include "model/isa/merged_loads.h"

#include <stdlib.h>
#include <string.h>

#define MOST_CHAINS 64 /* number of chains of neighbours that are followed at the same time in a block */
#define NONE        UINT32_MAX

/* State of the pass over a code table. Memory operations are numbered as in trace_code.mem_ops. */
struct merging {
  struct merged_loads *loads;
  const struct trace *trace;
  uint32_t most_bytes;
  uint32_t *next; /* [mem_count]: the load that begins where this one ends, or NONE */
  bool *follows;  /* [mem_count]: whether it is the next load of another one */
};

static struct trace_op *op_of(const struct merging *m, uint32_t mem) {
  return &m->loads->code.ops[m->loads->code.mem_ops[mem]];
}

static bool can_merge(const struct trace_op *op, uint32_t most_bytes) {
  return op->op_class == OP_LOAD && op->space == SPACE_LOCAL && op->bytes > 0 && (op->bytes & (op->bytes - 1)) == 0 &&
         op->bytes < most_bytes;
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

/* Returns whether load `b` begins where load `a` of the same block ends, in all executions. */
static bool are_neighbours(const struct merging *m, uint32_t a, uint32_t b) {
  const struct trace *trace = m->trace;
  const uint32_t bytes = op_of(m, a)->bytes;
  bool found = false;
  for (uint32_t s = 0; s < trace->shape_count; s++) {
    trace_shape_read(trace, s);
    for (uint32_t c = 0; c < trace->shapes[s]->cohort_count; c++) {
      const struct trace_cohort *cohort = &trace->shapes[s]->cohorts[c];
      const struct trace_path *path = trace->paths[cohort->path];
      for (uint32_t site = 0; site < path->site_count; site++)
        if (path->sites[site].op == trace->code.mem_ops[a]) {
          const uint32_t other = site + (b - a), first = cohort->first_stream;
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

/* Returns the bits that are set in any address or stride of a load with affine addresses. */
static uint32_t address_bits(const struct merging *m, uint32_t mem) {
  const struct trace *trace = m->trace;
  uint32_t bits = 0;
  for (uint32_t s = 0; s < trace->shape_count; s++) {
    trace_shape_read(trace, s);
    for (uint32_t c = 0; c < trace->shapes[s]->cohort_count; c++) {
      const struct trace_cohort *cohort = &trace->shapes[s]->cohorts[c];
      const struct trace_path *path = trace->paths[cohort->path];
      for (uint32_t site = 0; site < path->site_count; site++)
        if (path->sites[site].op == trace->code.mem_ops[mem])
          bits |= stream_bits(trace, s, cohort, site);
    }
  }
  return bits;
}

/* ---- chains of neighbours ---- */

/* Links a load to the last load of a chain that ends where this load begins. */
static void join(struct merging *m, uint32_t mem, uint32_t *last, uint32_t *count) {
  for (uint32_t chain = 0; chain < *count; chain++) {
    const struct trace_op *before = op_of(m, last[chain]), *op = op_of(m, mem);
    if (before->type == op->type && before->bytes == op->bytes && are_neighbours(m, last[chain], mem)) {
      m->next[last[chain]] = mem;
      m->follows[mem] = true;
      last[chain] = mem;
      return;
    }
  }
  if (*count < MOST_CHAINS)
    last[(*count)++] = mem;
}

static void find_rows(struct merging *m, const struct trace_block *block) {
  uint32_t last[MOST_CHAINS], count = 0;
  for (uint32_t mem = block->first_mem; mem < block->first_mem + block->mem_count; mem++) {
    const struct trace_op *op = op_of(m, mem);
    if (op->space == SPACE_LOCAL && op->op_class != OP_LOAD)
      count = 0;
    else if (can_merge(op, m->most_bytes))
      join(m, mem, last, &count);
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

/* Returns how many loads of a chain, from `mem` on, one instruction can do: a power of two. */
static uint32_t loads_together(const struct merging *m, uint32_t mem) {
  const uint32_t bytes = op_of(m, mem)->bytes, bits = m->next[mem] == NONE ? 0 : address_bits(m, mem);
  uint32_t count = 1, there = 1;
  for (uint32_t i = m->next[mem]; i != NONE && there < m->most_bytes / bytes; i = m->next[i])
    there++;
  while (2 * count <= there && 2 * count * bytes <= m->most_bytes && bits % (2 * count * bytes) == 0)
    count *= 2;
  return count;
}

/* Merges `count` loads from `mem` on into one. Returns the next load of the chain behind them, or NONE. */
static uint32_t merge(struct merging *m, uint32_t mem, uint32_t count) {
  struct trace_op *first = op_of(m, mem);
  const uint32_t at = m->loads->code.mem_ops[mem];
  uint32_t next = m->next[mem];
  first->bytes = (uint16_t)(first->bytes * count);
  first->width = (uint16_t)(first->width * count);
  for (uint32_t i = 1; i < count; i++, next = m->next[next]) {
    struct trace_op *op = op_of(m, next);
    first->first_use = earlier(first->first_use, op->first_use, at);
    op->first_use = TRACE_NO_OP;
    m->loads->merged[m->loads->code.mem_ops[next]] = true;
  }
  return next;
}

static void merge_all(struct merging *m) {
  const struct trace_code *code = &m->loads->code;
  for (uint32_t b = 0; b < code->block_count; b++)
    find_rows(m, &code->blocks[b]);
  for (uint32_t mem = 0; mem < code->mem_count; mem++)
    for (uint32_t i = m->follows[mem] ? NONE : mem; i != NONE && can_merge(op_of(m, i), m->most_bytes);)
      i = merge(m, i, loads_together(m, i));
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

static bool any_can_merge(const struct trace_code *code, uint32_t most_bytes) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < code->mem_count; i++)
    count += can_merge(&code->ops[code->mem_ops[i]], most_bytes);
  return count > 1;
}

int merged_loads_init(struct merged_loads *loads, const struct trace *trace, uint32_t most_bytes, struct error *error) {
  const struct trace_code *code = &trace->code;
  const uint32_t aligned = known_alignment(code);
  *loads = (struct merged_loads){.code = *code};
  most_bytes = aligned < most_bytes ? aligned : most_bytes;
  if (!any_can_merge(code, most_bytes))
    return 0;
  struct merging m = {loads, trace, most_bytes, malloc(code->mem_count * sizeof *m.next),
                      calloc(code->mem_count, sizeof *m.follows)};
  loads->merged = calloc(code->op_count, sizeof *loads->merged);
  struct trace_op *ops = malloc(code->op_count * sizeof *ops);
  const bool done = m.next && m.follows && loads->merged && ops;
  if (done) {
    loads->code.ops = memcpy(ops, code->ops, code->op_count * sizeof *ops);
    memset(m.next, 0xff, code->mem_count * sizeof *m.next);
    merge_all(&m);
  } else {
    free(ops);
    free(loads->merged);
    loads->merged = NULL;
  }
  free(m.next);
  free(m.follows);
  return done ? 0 : error_set(error, ERROR_WORK, "out of memory");
}

void merged_loads_clear(struct merged_loads *loads) {
  if (loads->merged)
    free(loads->code.ops);
  free(loads->merged);
  *loads = (struct merged_loads){0};
}

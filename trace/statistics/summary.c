#include "trace/statistics/summary.h"

#include <assert.h>
#include <stdlib.h>

enum { WORD_BYTES = 4, SUMMARY_MAX_DEPTH = 64 /* depth of loops, as in struct trace_cursor */ };

struct footprint {
  uint64_t *touched; /* one bit for each word of the arena */
  uint64_t words;
};

static void touch(struct footprint *f, uint32_t address, uint32_t bytes) {
  const uint64_t last = ((uint64_t)address + bytes - 1) / WORD_BYTES;
  for (uint64_t word = address / WORD_BYTES; word <= last && word < f->words; word++)
    f->touched[word / 64] |= UINT64_C(1) << (word % 64);
}

static uint64_t words_between(const struct footprint *f, uint64_t from, uint64_t to) {
  uint64_t count = 0;
  for (uint64_t word = from; word < to && word < f->words; word++)
    count += f->touched[word / 64] >> (word % 64) & 1;
  return count;
}

static uint64_t pages_touched(const struct footprint *f) {
  enum { MASKS = SUMMARY_PAGE_BYTES / WORD_BYTES / 64 };
  uint64_t count = 0;
  for (uint64_t mask = 0; mask < f->words / 64 + 1; mask += MASKS) {
    uint64_t any = 0;
    for (uint64_t m = mask; m < mask + MASKS && m < f->words / 64 + 1; m++)
      any |= f->touched[m];
    count += any != 0;
  }
  return count;
}

/* An open loop while the executions of blocks and edges of one path are counted. The steps are read once. A step runs
 * as often as the trip counts of the open loops around it say, times the work-items. The edge from a block to the next
 * one in the list is taken as often as the sequence that both belong to; the edge from the end of a loop's body to its
 * start in all iterations but the last. */
struct open_loop {
  uint32_t end; /* the step behind the loop's body */
  uint32_t first_block, repeat;
  uint64_t times; /* executions of the loop as a whole */
};

struct flow {
  const struct trace_code *code;
  struct trace_summary *out;
  struct open_loop loops[SUMMARY_MAX_DEPTH];
  uint32_t depth;
  uint64_t times;
};

static void count_way(struct flow *flow, uint32_t from, uint32_t to, uint64_t times) {
  const struct trace_block *block = &flow->code->blocks[from];
  for (uint32_t s = block->first_successor; s < block->first_successor + block->successor_count; s++)
    if (flow->code->successors[s] == to) {
      flow->out->edges[s] += times;
      return;
    }
}

static void open_loop(struct flow *flow, const struct trace_step *step, uint32_t index) {
  const struct trace_step *first = step + 1;
  while (first->body > 0)
    first++;
  assert(flow->depth < SUMMARY_MAX_DEPTH);
  flow->loops[flow->depth++] = (struct open_loop){index + 1 + step->body, first->block, step->repeat, flow->times};
  flow->times *= step->repeat;
}

static void close_loop(struct flow *flow, uint32_t last_block) {
  const struct open_loop *loop = &flow->loops[--flow->depth];
  flow->times = loop->times;
  count_way(flow, last_block, loop->first_block, loop->times * (loop->repeat - 1));
}

static void count_flow(const struct trace *trace, const struct trace_path *path, uint64_t items,
                       struct trace_summary *out) {
  struct flow flow = {.code = &trace->code, .out = out, .times = items};
  uint32_t last = TRACE_NO_BLOCK;
  uint64_t together = 0; /* executions of the sequence that holds the last block and the next one */
  bool just_ran = false;
  for (uint32_t s = 0; s < path->step_count; s++) {
    const struct trace_step *step = &path->steps[s];
    while (flow.depth > 0 && flow.loops[flow.depth - 1].end == s)
      close_loop(&flow, last);
    if (just_ran)
      together = flow.times;
    just_ran = step->body == 0;
    if (step->body > 0) {
      open_loop(&flow, step, s);
      continue;
    }
    if (last != TRACE_NO_BLOCK)
      count_way(&flow, last, step->block, together);
    out->blocks[step->block] += flow.times;
    last = step->block;
  }
  while (flow.depth > 0)
    close_loop(&flow, last);
}

static void count_operations(const struct trace_code *code, struct trace_summary *out) {
  for (uint32_t b = 0; b < code->block_count; b++)
    for (uint32_t o = 0; o < code->blocks[b].op_count; o++)
      out->operations[code->ops[code->blocks[b].first_op + o].op_class] += out->blocks[b];
}

static enum trace_direction direction_of(const struct trace_op *op) {
  return op->op_class == OP_LOAD ? DIRECTION_LOAD : op->op_class == OP_STORE ? DIRECTION_STORE : DIRECTION_ATOMIC;
}

static void count_traffic(const struct trace *trace, const struct trace_cohort *cohort, uint64_t groups,
                          struct trace_summary *out) {
  const struct trace_path *path = trace->paths[cohort->path];
  for (uint32_t l = 0; l < path->site_count; l++) {
    const struct trace_op *op = &trace->code.ops[path->sites[l].op];
    const uint64_t accesses = trace_nest_of(path, l)->executions * cohort->item_count * groups;
    struct trace_traffic *traffic = &out->traffic[op->space][direction_of(op)];
    traffic->accesses += accesses;
    traffic->bytes += accesses * op->bytes;
    out->streams[trace_stream_of(trace, cohort, l).kind] += accesses;
  }
}

/* Marks every address that one work-item touches at a site. Loops that do not change an affine address are walked
 * once. */
static void touch_item(const struct trace *trace, const struct trace_group *group, uint32_t item,
                       const struct trace_nest *nest, uint32_t site, const struct trace_stream *stream, uint32_t bytes,
                       struct footprint *footprint) {
  uint32_t counters[TRACE_MAX_DEPTH] = {0}, limits[TRACE_MAX_DEPTH];
  for (uint32_t d = 0; d < nest->depth; d++)
    limits[d] = stream->kind != STREAM_RAW && stream->loop_stride[d] == 0 ? 1 : nest->repeat[d];
  for (;;) {
    touch(footprint, trace_address(trace, group, item, site, counters), bytes);
    uint32_t d = nest->depth;
    while (d > 0 && ++counters[d - 1] == limits[d - 1])
      counters[--d] = 0;
    if (d == 0)
      return;
  }
}

static bool moves_nothing(const struct trace_stream *stream, const uint32_t *local, uint32_t item) {
  const uint32_t lid[3] = {item % local[0], item / local[0] % local[1], item / local[0] / local[1]};
  for (uint32_t d = 0; d < 3; d++)
    if (stream->item_stride[d] == 0 && lid[d] > 0)
      return true;
  return false;
}

/* Marks every address of a work-group. If all work-items ran one path, a work-item is skipped when one of its
 * coordinates, which is not 0, does not change the address: its addresses are those of another work-item. */
static void touch_group(const struct trace *trace, const struct trace_group *group, struct footprint *footprint) {
  const struct trace_shape *shape = trace->shapes[group->shape];
  const uint32_t items = trace_local_size(&trace->header);
  for (uint32_t item = 0; item < items; item++) {
    const struct trace_cohort *cohort = &shape->cohorts[shape->cohort_of_item[item]];
    const struct trace_path *path = trace->paths[cohort->path];
    for (uint32_t l = 0; l < path->site_count; l++) {
      const struct trace_op *op = &trace->code.ops[path->sites[l].op];
      const struct trace_stream stream = trace_stream_of(trace, cohort, l);
      const bool repeats = stream.kind == STREAM_AFFINE && cohort->item_count == items &&
                           moves_nothing(&stream, trace->header.local, item);
      if (!repeats && (op->space == SPACE_GLOBAL || op->space == SPACE_CONSTANT))
        touch_item(trace, group, item, trace_nest_of(path, l), l, &stream, op->bytes, footprint);
    }
  }
}

static uint64_t arena_bytes(const struct trace_header *header) {
  uint64_t end = 0;
  for (uint32_t b = 0; b < header->buffer_count; b++) {
    const uint64_t stop = (uint64_t)header->buffers[b].base + header->buffers[b].bytes;
    end = stop > end ? stop : end;
  }
  return end;
}

static int compute_footprint(const struct trace *trace, struct trace_summary *out, struct error *error) {
  struct footprint f = {.words = (arena_bytes(&trace->header) + WORD_BYTES - 1) / WORD_BYTES};
  f.touched = calloc(f.words / 64 + 1, sizeof *f.touched);
  out->footprint = calloc(trace->header.buffer_count + 1, sizeof *out->footprint);
  if (!f.touched || !out->footprint) {
    free(f.touched);
    return error_no_memory(error);
  }
  for (uint32_t g = 0; g < trace->group_count; g++) {
    trace_group_read(trace, &trace->groups[g]);
    touch_group(trace, &trace->groups[g], &f);
  }
  for (uint32_t b = 0; b < trace->header.buffer_count; b++) {
    const struct trace_buffer *buffer = &trace->header.buffers[b];
    const uint64_t first = buffer->base / WORD_BYTES, end = (uint64_t)buffer->base + buffer->bytes;
    out->footprint[b] = WORD_BYTES * words_between(&f, first, (end + WORD_BYTES - 1) / WORD_BYTES);
  }
  out->pages = pages_touched(&f);
  free(f.touched);
  return 0;
}

static void count_shape(const struct trace *trace, uint32_t index, struct trace_summary *out) {
  const struct trace_shape *shape = trace->shapes[index];
  const uint64_t groups = out->groups_of_shape[index];
  out->uniform_groups += shape->cohort_count == 1 ? groups : 0;
  for (uint32_t c = 0; c < shape->cohort_count; c++) {
    const struct trace_cohort *cohort = &shape->cohorts[c];
    count_flow(trace, trace->paths[cohort->path], groups * cohort->item_count, out);
    count_traffic(trace, cohort, groups, out);
  }
}

int trace_summary_compute(const struct trace *trace, struct trace_summary *out, struct error *error) {
  *out = (struct trace_summary){0};
  out->groups_of_shape = calloc(trace->shape_count + 1, sizeof *out->groups_of_shape);
  out->blocks = calloc(trace->code.block_count + 1u, sizeof *out->blocks);
  out->edges = calloc(trace->code.successor_count + 1u, sizeof *out->edges);
  if (!out->groups_of_shape || !out->blocks || !out->edges)
    return error_no_memory(error);
  for (uint32_t g = 0; g < trace->group_count; g++)
    out->groups_of_shape[trace->groups[g].shape]++;
  for (uint32_t s = 0; s < trace->shape_count; s++) {
    trace_shape_read(trace, s);
    count_shape(trace, s, out);
  }
  count_operations(&trace->code, out);
  return compute_footprint(trace, out, error);
}

void trace_summary_clear(struct trace_summary *summary) {
  free(summary->footprint);
  free(summary->blocks);
  free(summary->edges);
  free(summary->groups_of_shape);
  *summary = (struct trace_summary){0};
}

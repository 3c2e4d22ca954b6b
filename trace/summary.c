#include "trace/summary.h"

#include <stdlib.h>
#include <string.h>

enum { WORD_BYTES = 4 };

struct footprint {
  uint64_t *touched; /* one bit per word of the arena */
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

/* Times that each step of the path runs: the product of the loops around it. */
static int count_operations(const struct trace *trace, const struct trace_path *path, uint64_t items,
                            struct trace_summary *out) {
  uint64_t *times = malloc((path->step_count + 1) * sizeof *times);
  if (times == NULL)
    return -1;
  for (uint32_t s = 0; s < path->step_count; s++)
    times[s] = items;
  for (uint32_t s = 0; s < path->step_count; s++) {
    const struct trace_step *step = &path->steps[s];
    for (uint32_t b = 1; step->body > 0 && b <= step->body; b++)
      times[s + b] *= step->repeat;
    if (step->body > 0)
      continue;
    const struct trace_block *block = &trace->code.blocks[step->block];
    for (uint32_t o = 0; o < block->op_count; o++)
      out->operations[trace->code.ops[block->first_op + o].op_class] += times[s];
  }
  free(times);
  return 0;
}

static enum trace_direction direction_of(const struct trace_op *op) {
  return op->op_class == OP_LOAD ? DIRECTION_LOAD : op->op_class == OP_STORE ? DIRECTION_STORE : DIRECTION_ATOMIC;
}

static void count_traffic(const struct trace *trace, const struct trace_shape *shape, const struct trace_cohort *cohort,
                          uint64_t groups, struct trace_summary *out) {
  const struct trace_path *path = trace->paths[cohort->path];
  for (uint32_t l = 0; l < path->leaf_count; l++) {
    const struct trace_op *op = &trace->code.ops[path->leaves[l].op];
    const uint64_t accesses = path->leaves[l].executions * cohort->item_count * groups;
    struct trace_traffic *traffic = &out->traffic[op->space][direction_of(op)];
    traffic->accesses += accesses;
    traffic->bytes += accesses * op->bytes;
    out->streams[shape->streams[cohort->first_stream + l].kind] += accesses;
  }
}

/* Every address that one work-item's leaf touches; loops that do not move an affine address are walked once. */
static void touch_item(const struct trace *trace, const struct trace_group *group, uint32_t item,
                       const struct trace_leaf *leaf, uint32_t index, const struct trace_stream *stream,
                       struct footprint *footprint) {
  uint32_t counters[TRACE_MAX_DEPTH] = {0}, limits[TRACE_MAX_DEPTH];
  for (uint32_t d = 0; d < leaf->depth; d++)
    limits[d] = stream->kind != STREAM_RAW && stream->loop_stride[d] == 0 ? 1 : leaf->repeat[d];
  for (;;) {
    touch(footprint, trace_address(trace, group, item, index, counters), trace->code.ops[leaf->op].bytes);
    uint32_t d = leaf->depth;
    while (d > 0 && ++counters[d - 1] == limits[d - 1])
      counters[--d] = 0;
    if (d == 0)
      return;
  }
}

static bool moves_nothing(const struct trace_stream *stream, const uint32_t *local, uint32_t item) {
  const uint32_t lid[3] = {item % local[0], item / local[0] % local[1], item / local[0] / local[1]};
  for (int d = 0; d < 3; d++)
    if (stream->item_stride[d] == 0 && lid[d] > 0)
      return true;
  return false;
}

/* In a group whose items all ran one path, an item with a coordinate that does not move the address repeats another
 * one. */
static void touch_group(const struct trace *trace, const struct trace_group *group, struct footprint *footprint) {
  const struct trace_shape *shape = trace->shapes[group->shape];
  const uint32_t items = trace_local_size(&trace->header);
  for (uint32_t item = 0; item < items; item++) {
    const struct trace_cohort *cohort = &shape->cohorts[shape->cohort_of_item[item]];
    const struct trace_path *path = trace->paths[cohort->path];
    for (uint32_t l = 0; l < path->leaf_count; l++) {
      const struct trace_op *op = &trace->code.ops[path->leaves[l].op];
      const struct trace_stream *stream = &shape->streams[cohort->first_stream + l];
      const bool repeats = stream->kind == STREAM_AFFINE && cohort->item_count == items &&
                           moves_nothing(stream, trace->header.local, item);
      if (!repeats && (op->space == SPACE_GLOBAL || op->space == SPACE_CONSTANT))
        touch_item(trace, group, item, &path->leaves[l], l, stream, footprint);
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
  if (f.touched == NULL || out->footprint == NULL) {
    free(f.touched);
    return error_set(error, ERROR_WORK, "out of memory");
  }
  for (uint32_t g = 0; g < trace->group_count; g++)
    touch_group(trace, &trace->groups[g], &f);
  for (uint32_t b = 0; b < trace->header.buffer_count; b++) {
    const struct trace_buffer *buffer = &trace->header.buffers[b];
    const uint64_t first = buffer->base / WORD_BYTES, end = (uint64_t)buffer->base + buffer->bytes;
    out->footprint[b] = WORD_BYTES * words_between(&f, first, (end + WORD_BYTES - 1) / WORD_BYTES);
  }
  free(f.touched);
  return 0;
}

int trace_summary_compute(const struct trace *trace, struct trace_summary *out, struct error *error) {
  *out = (struct trace_summary){0};
  uint64_t *groups_of_shape = calloc(trace->shape_count + 1, sizeof *groups_of_shape);
  if (groups_of_shape == NULL)
    return error_set(error, ERROR_WORK, "out of memory");
  for (uint32_t g = 0; g < trace->group_count; g++)
    groups_of_shape[trace->groups[g].shape]++;
  int status = 0;
  for (uint32_t s = 0; s < trace->shape_count && status == 0; s++) {
    const struct trace_shape *shape = trace->shapes[s];
    out->uniform_groups += shape->cohort_count == 1 ? groups_of_shape[s] : 0;
    for (uint32_t c = 0; c < shape->cohort_count && status == 0; c++) {
      const struct trace_cohort *cohort = &shape->cohorts[c];
      status = count_operations(trace, trace->paths[cohort->path], groups_of_shape[s] * cohort->item_count, out);
      count_traffic(trace, shape, cohort, groups_of_shape[s], out);
    }
  }
  free(groups_of_shape);
  return status == 0 ? compute_footprint(trace, out, error) : error_set(error, ERROR_WORK, "out of memory");
}

void trace_summary_clear(struct trace_summary *summary) {
  free(summary->footprint);
  *summary = (struct trace_summary){0};
}

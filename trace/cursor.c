/* This file reads single addresses and walks through one work-item's execution (trace/trace.h). */
#include <assert.h>

#include "trace/trace.h"

static uint32_t affine_address(const struct trace *trace, const struct trace_stream *stream, uint32_t base,
                               uint32_t item) {
  const uint32_t *local = trace->header.local;
  const uint32_t place[3] = {item % local[0], item / local[0] % local[1], item / local[0] / local[1]};
  for (uint32_t d = 0; d < 3; d++)
    base += (uint32_t)stream->item_stride[d] * place[d];
  return base;
}

uint32_t trace_address(const struct trace *trace, const struct trace_group *group, uint32_t item, uint32_t site_index,
                       const uint32_t *counters) {
  const struct trace_shape *shape = trace->shapes[group->shape];
  const struct trace_cohort *cohort = &shape->cohorts[shape->cohort_of_item[item]];
  const uint32_t stream_index = cohort->first_stream + site_index;
  const struct trace_stream stream = trace_stream_of(trace, cohort, site_index);
  const struct trace_nest *nest = trace_nest_of(trace->paths[cohort->path], site_index);
  const uint64_t k = shape->index_in_cohort[item];
  const uint32_t base = group->base[stream_index];
  if (stream.kind == STREAM_RAW) {
    uint64_t execution = 0;
    for (uint32_t d = 0; d < nest->depth; d++)
      execution = execution * nest->repeat[d] + counters[d];
    return group->values[base + k * nest->executions + execution];
  }
  uint32_t address = stream.kind == STREAM_ITEM ? group->values[base + k] : affine_address(trace, &stream, base, item);
  for (uint32_t d = 0; d < nest->depth; d++)
    address += (uint32_t)stream.loop_stride[d] * counters[d];
  return address;
}

void trace_cursor_init(struct trace_cursor *cursor, const struct trace *trace, const struct trace_group *group,
                       uint32_t item) {
  const struct trace_shape *shape = trace->shapes[group->shape];
  *cursor = (struct trace_cursor){.trace = trace, .group = group, .item = item};
  cursor->path = trace->paths[shape->cohorts[shape->cohort_of_item[item]].path];
}

/* Closes loops that are finished, and goes back to the start of the innermost one that is not. */
static void close_loops(struct trace_cursor *c) {
  const struct trace_step *steps = c->path->steps;
  while (c->depth > 0) {
    const uint32_t loop = c->loop_step[c->depth - 1];
    if (c->step <= loop + steps[loop].body)
      break;
    if (++c->counter[c->depth - 1] < steps[loop].repeat) {
      c->step = loop + 1;
      c->site = c->loop_site[c->depth - 1];
      break;
    }
    c->depth--;
  }
}

/* Opens the loop that starts at the next step, or skips it. */
static void open_loop(struct trace_cursor *c) {
  if (c->passed && c->passed[c->step] > 0) {
    c->site += c->passed[c->step] - 1;
    c->step += c->path->steps[c->step].body + 1;
    close_loops(c);
    return;
  }
  assert(c->depth < TRACE_MAX_DEPTH);
  c->loop_step[c->depth] = c->step++;
  c->loop_site[c->depth] = c->site;
  c->counter[c->depth++] = 0;
}

static void move_to_block(struct trace_cursor *c) {
  close_loops(c);
  while (c->step < c->path->step_count && c->path->steps[c->step].body != 0)
    open_loop(c);
}

bool trace_cursor_next(struct trace_cursor *c, uint32_t *block, uint32_t *addresses) {
  move_to_block(c);
  if (c->step == c->path->step_count)
    return false;
  *block = c->path->steps[c->step++].block;
  const uint32_t accesses = c->trace->code.blocks[*block].mem_count;
  for (uint32_t m = 0; m < accesses; m++)
    addresses[m] = trace_address(c->trace, c->group, c->item, c->site++, c->counter);
  return true;
}

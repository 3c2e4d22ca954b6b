#include "model/warp/warp.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "model/warp/stream.h"
#include "model/warp/warp_divergent.h"
#include "model/warp/warp_uniform.h"

/* Walks as uniform_walk does, and adds up the uses of pipes. */
static enum warp_event walk_with_uses(struct warp *warp, const struct warp_context *context,
                                      const struct instr *instr) {
  const struct warp_program *program = &context->programs[warp->path_index];
  uint64_t slots = instr->slots;
  *warp->uses = program->uses[instr - program->instrs];
  while (instr->kind > INSTR_FINISH) {
    instr = uniform_cross(warp, instr);
    slots += instr->slots;
    pipe_uses_add(warp->uses, &program->uses[instr - program->instrs]);
  }
  warp->at = instr;
  warp->slots = slots;
  if (slots == 0)
    return uniform_tell(warp, instr);
  warp->moved = WARP_RUN_TOLD;
  return WARP_RUN;
}

enum warp_event warp_after_with_uses(struct warp *warp, const struct warp_context *context, enum warp_event told) {
  return told == WARP_RUN ? uniform_tell(warp, warp->at) : walk_with_uses(warp, context, warp->at + 1);
}

enum warp_event warp_next(struct warp *warp, const struct warp_context *context) {
  if (!warp->at)
    return divergent_next(warp, context);
  if (!warp->uses)
    return uniform_next(warp);
  if (warp->moved == WARP_WALK)
    return walk_with_uses(warp, context, warp->at);
  return warp_after_with_uses(warp, context, warp->moved == WARP_RUN_TOLD ? WARP_RUN : WARP_ACCESS);
}

static void number_execution(struct stream_place *place, const struct trace_nest *nest) {
  place->executions = nest->executions;
  for (uint32_t d = 0; d < nest->depth; d++)
    place->number = place->number * nest->repeat[d] + place->counters[d];
}

static void uniform_addresses(const struct warp *warp, const struct warp_context *context, struct lane_addresses *out) {
  const struct trace_op *op = &context->trace->code.ops[warp->op];
  uint32_t site = warp->at->site;
  struct stream_place place = {.trace = context->trace,
                               .warp = warp,
                               .stream = warp->narrow ? trace_stream_narrow(warp->streams, site)
                                                      : trace_stream_in(warp->streams, site),
                               .base = warp->base[site],
                               .index = warp->shape->index_in_cohort[warp->first_item],
                               .depth = warp->open_loops,
                               .counters = warp->counters};
  out->bytes = op->bytes ? op->bytes : 1;
  if (warp->at->ahead)
    warp->counters[warp->open_loops - 1] += warp->at->ahead;
  if (place.stream.kind == STREAM_RAW)
    number_execution(&place, trace_nest_of(warp->path, site));
  stream_lanes(&place, op->space, out);
  if (warp->at->ahead)
    warp->counters[warp->open_loops - 1] -= warp->at->ahead;
}

void warp_addresses(const struct warp *warp, const struct warp_context *context, struct lane_addresses *out) {
  if (!warp->at)
    divergent_addresses(warp, context, out);
  else
    uniform_addresses(warp, context, out);
}

static bool one_cohort(const struct trace_shape *shape, uint32_t first, uint32_t count) {
  if (shape->cohort_count == 1)
    return true;
  for (uint32_t i = first + 1; i < first + count; i++)
    if (shape->cohort_of_item[i] != shape->cohort_of_item[first])
      return false;
  return true;
}

static void start_uniform(struct warp *warp, const struct warp_context *context) {
  const struct trace_cohort *cohort = &warp->shape->cohorts[warp->shape->cohort_of_item[warp->first_item]];
  warp->at = context->programs[cohort->path].instrs;
  warp->streams = context->trace->streams + cohort->streams;
  warp->narrow = cohort->narrow;
  warp->one_segment &= !warp->narrow; /* so that all functions read it item by item */
  warp->base = warp->group->base + cohort->first_stream;
  warp->path = context->trace->paths[cohort->path];
  warp->path_index = cohort->path;
  if (context->counts) {
    context->counts->path_warps[cohort->path]++;
    context->counts->path_items[cohort->path] += warp->count;
  }
}

/* Returns the number of work-items of a span that no warp crosses: a segment, or the whole work-group. */
static uint32_t span_items(const struct trace_header *header, const struct gpu_spec *spec) {
  return spec->warp_formation == WARPS_PER_ROW ? header->local[0] : trace_local_size(header);
}

static uint32_t warps_in_span(uint32_t items, const struct gpu_spec *spec) {
  return (uint32_t)((items + spec->warp_size - 1) / spec->warp_size);
}

uint32_t warp_count_in_group(const struct trace_header *header, const struct gpu_spec *spec) {
  uint32_t span = span_items(header, spec);
  return trace_local_size(header) / span * warps_in_span(span, spec);
}

void warp_place(struct warp *warp, const struct trace_header *header, const struct gpu_spec *spec, uint32_t index) {
  uint32_t span = span_items(header, spec), warps = warps_in_span(span, spec), warp_size = (uint32_t)spec->warp_size;
  uint32_t before = index % warps * warp_size;
  warp->first_item = index / warps * span + before;
  warp->count = (uint8_t)(span - before < warp_size ? span - before : warp_size);
  warp->place[0] = (uint16_t)(warp->first_item % header->local[0]);
  warp->place[1] = (uint16_t)(warp->first_item / header->local[0] % header->local[1]);
  warp->place[2] = (uint16_t)(warp->first_item / header->local[0] / header->local[1]);
  warp->one_segment = (uint32_t)warp->place[0] + warp->count <= header->local[0];
}

void warp_walked_paths(const struct trace *trace, const struct gpu_spec *spec, bool *walked) {
  const uint32_t warps = warp_count_in_group(&trace->header, spec);
  for (uint32_t i = 0; i < trace->shape_count; i++) {
    trace_shape_read(trace, i);
    const struct trace_shape *shape = trace->shapes[i];
    for (uint32_t w = 0; w < (shape->cohort_count == 1 ? 1 : warps); w++) {
      struct warp warp = {.shape = shape};
      warp_place(&warp, &trace->header, spec, w);
      if (one_cohort(shape, warp.first_item, warp.count))
        walked[uniform_path(&warp)] = true;
    }
  }
}

void warp_start(struct warp *warp, const struct warp_context *context, const struct trace_group *group, void *memory) {
  warp->group = group;
  warp->shape = context->trace->shapes[group->shape];
  warp->open_loops = 0;
  warp->moved = WARP_WALK;
  warp->slots = warp->item_slots = 0;
  if (one_cohort(warp->shape, warp->first_item, warp->count))
    start_uniform(warp, context);
  else
    divergent_start(warp, context, memory);
}

int warp_counts_init(struct warp_counts *counts, const struct trace *trace, struct error *error) {
  counts->path_warps = calloc(trace->path_count + 1u, sizeof *counts->path_warps);
  counts->path_items = calloc(trace->path_count + 1u, sizeof *counts->path_items);
  counts->block_warps = calloc(trace->code.block_count + 1u, sizeof *counts->block_warps);
  counts->block_waiting = calloc(trace->code.block_count + 1u, sizeof *counts->block_waiting);
  if (counts->path_warps && counts->path_items && counts->block_warps && counts->block_waiting)
    return 0;
  warp_counts_clear(counts);
  return error_no_memory(error);
}

void warp_counts_add(struct warp_counts *counts, const struct warp_counts *more, const struct trace *trace) {
  for (uint32_t i = 0; i < trace->path_count; i++) {
    counts->path_warps[i] += more->path_warps[i];
    counts->path_items[i] += more->path_items[i];
  }
  for (uint32_t i = 0; i < trace->code.block_count; i++) {
    counts->block_warps[i] += more->block_warps[i];
    counts->block_waiting[i] += more->block_waiting[i];
  }
}

void warp_counts_clear(struct warp_counts *counts) {
  free(counts->path_warps);
  free(counts->path_items);
  free(counts->block_warps);
  free(counts->block_waiting);
  *counts = (struct warp_counts){0};
}

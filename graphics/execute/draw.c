/* One draw: vertices, primitives, quads, fragments, targets. */
#include <stdlib.h>
#include <string.h>
#include <vulkan/vulkan_core.h>

#include "base/array.h"

#include "graphics/execute/agreement.h"
#include "graphics/execute/draw_quads.h"
#include "graphics/raster/samples.h"

#define MOST_KEPT_QUADS ((size_t)1 << 20) /* whose memory is kept for the next draw */

enum { LAYER = 9, VIEWPORT_INDEX = 10 }; /* SpvBuiltIn */

struct drawing {
  struct execution *e;
  struct frame_draw_result *result;
  struct stage vertex, fragment;
  struct draw_vertices vertices;
  struct stage_words varyings;
  struct tessellation tessellation;
  bool has_geometry;
  struct geometry geometry;
  struct vertex_stream last; /* of the stages that have run */
  struct raster raster;
  struct raster_state state;
};

static uint32_t fill_vertices(void *user, uint32_t first, struct stage_words *inputs) {
  const struct drawing *d = user;
  const struct stage_words *from = &d->vertices.inputs;
  const uint32_t count = from->count - first < inputs->count ? from->count - first : inputs->count;
  if (from->slots > 0)
    memcpy(inputs->words, stage_word(from, first, 0), (size_t)count * from->slots * sizeof *from->words);
  return count;
}

static int take_varyings(void *user, const struct stage_words *outputs, struct error *error) {
  struct drawing *d = user;
  const size_t bytes = (size_t)outputs->count * outputs->slots * sizeof *outputs->words;
  d->varyings = *outputs;
  d->varyings.words = malloc(bytes);
  if (!d->varyings.words)
    return error_no_memory(error);
  memcpy(d->varyings.words, outputs->words, bytes);
  return 0;
}

static int run_vertices(struct drawing *d, const struct frame_draw *draw, struct error *error) {
  struct frame_draw_result *r = d->result;
  char name[64];
  snprintf(name, sizeof name, "%s.vertex", r->directory_name);
  if (stage_translate(d->e, VK_SHADER_STAGE_VERTEX_BIT, &d->vertex, error) ||
      vertices_fetch(d->e, draw, &d->vertex, &d->vertices, error))
    return -1;
  r->vertices = d->vertices.corner_count;
  r->distinct_vertices = d->vertices.distinct;
  if (d->vertices.distinct == 0)
    return 0;
  const struct stage_exchange exchange = {d, fill_vertices, take_varyings};
  const int status = stage_run(d->e, &d->vertex, name, d->vertices.inputs.count, &exchange, error);
  r->vertex_instructions = d->vertex.instructions;
  r->vertex_run_s = d->vertex.run_s;
  r->targets.varying_words = d->varyings.slots;
  r->trace_bytes += d->vertex.trace_bytes;
  return status;
}

static bool last_writes(const struct drawing *d, uint32_t builtin) {
  const struct shader_slot slot = {.location = SPIRV_NONE, .builtin = builtin};
  return stage_output_slot(&d->last.stage->source, &slot) >= 0;
}

static int run_tessellation(struct drawing *d, struct error *error) {
  struct frame_draw_result *r = d->result;
  struct tessellation *t = &d->tessellation;
  if (d->last.topology != VK_PRIMITIVE_TOPOLOGY_PATCH_LIST)
    return 0;
  const int status = tessellation_run(d->e, &d->last, r->directory_name, t, error);
  r->patches = t->patches;
  r->patch_vertices = t->control.source.patch_vertices;
  r->patch_points = t->words.count;
  r->control_instructions = t->control.instructions;
  r->evaluation_instructions = t->evaluation.instructions;
  r->targets.varying_words = t->words.slots;
  r->trace_bytes += t->control.trace_bytes + t->evaluation.trace_bytes;
  d->last = (struct vertex_stream){&t->evaluation, &t->words, &t->vertices, t->vertices.corner_count, 1, t->topology};
  return status;
}

static int run_geometry(struct drawing *d, struct error *error) {
  struct frame_draw_result *r = d->result;
  struct geometry *g = &d->geometry;
  char name[64];
  if (!stage_is_there(d->e->bound->pipeline, VK_SHADER_STAGE_GEOMETRY_BIT))
    return 0;
  snprintf(name, sizeof name, "%s.geometry", r->directory_name);
  d->has_geometry = true;
  const int status = geometry_run(d->e, &d->last, name, g, error);
  r->geometry_primitives = g->primitives;
  r->geometry_vertices = g->words.count;
  r->geometry_invocations = g->stage.source.invocations;
  r->geometry_instructions = g->stage.instructions;
  r->targets.varying_words = g->words.slots;
  r->trace_bytes += g->stage.trace_bytes;
  d->last =
      (struct vertex_stream){&g->stage, &g->words, &g->vertices, g->vertices.corner_count, 1, g->stage.source.topology};
  return status;
}

/* Runs the shaders between those of vertices and the rasteriser. */
static int run_primitives(struct drawing *d, const struct frame_draw *draw, struct error *error) {
  d->last = (struct vertex_stream){&d->vertex,  &d->varyings,    &d->vertices,
                                   draw->count, draw->instances, d->e->bound->pipeline->topology};
  if (run_tessellation(d, error) || (d->last.words->count > 0 && run_geometry(d, error)))
    return -1;
  return 0;
}

static int assemble(struct drawing *d, struct error *error) {
  const int status = assembly_run(d->e->bound->pipeline, &d->last, &d->state, &d->raster, error);
  d->result->primitives = d->raster.counts;
  d->raster.primitives_of_instance = d->has_geometry ? 0 : d->raster.counts.primitives / d->last.instances;
  d->result->quads = d->raster.quad_count;
  return status;
}

static uint32_t fill_fragments(void *user, uint32_t first, struct stage_words *inputs) {
  const struct drawing *d = user;
  struct raster part = d->raster;
  part.quads += first / 4;
  part.quad_count -= first / 4;
  part.quad_count = part.quad_count < inputs->count / 4 ? part.quad_count : inputs->count / 4;
  fragments_inputs(&part, d->last.stage, d->last.words, &d->fragment, d->state.samples, inputs);
  return (uint32_t)part.quad_count * 4;
}

static int merge_fragments(void *user, const struct stage_words *outputs, struct error *error) {
  struct drawing *d = user;
  (void)error;
  fragments_merge(d->e, &d->raster, &d->fragment, outputs, d->result);
  return 0;
}

/* Where samples are shaded one by one, each has quads of its own. */
static int split_samples(struct drawing *d, struct error *error) {
  const struct frame_pipeline *p = d->e->bound->pipeline;
  if (p->samples <= 1 || !(p->multisampling & FRAME_SAMPLE_SHADING || d->fragment.source.of_samples))
    return 0;
  if (!raster_split_samples(&d->raster, p->samples, d->state.most_quads))
    return error_set(error, ERROR_INPUT, "more than %llu quads of samples, or no memory for them",
                     (unsigned long long)d->state.most_quads);
  d->result->quads = d->raster.quad_count;
  return 0;
}

static int run_fragments(struct drawing *d, struct error *error) {
  const struct stage_exchange exchange = {d, fill_fragments, merge_fragments};
  char name[64];
  snprintf(name, sizeof name, "%s.fragment", d->result->directory_name);
  if (stage_translate(d->e, VK_SHADER_STAGE_FRAGMENT_BIT, &d->fragment, error) || split_samples(d, error))
    return -1;
  if (d->fragment.source.early_tests)
    fragments_test(d->e, &d->raster, &d->fragment, d->result);
  if (stage_run(d->e, &d->fragment, name, stage_round(&d->fragment, (uint64_t)d->raster.quad_count * 4), &exchange,
                error))
    return -1;
  d->result->has_halves = d->fragment.source.has_halves;
  d->result->fragment_instructions = d->fragment.instructions;
  d->result->fragment_run_s = d->fragment.run_s;
  d->result->trace_bytes += d->fragment.trace_bytes;
  if (!d->e->options->traces)
    return 0;
  if (execution_add_heat(d->e, &d->raster, d->result->directory_name, error))
    return -1;
  return draw_quads_write(d->e->options->folder, d->result->directory_name, &d->raster, &d->fragment.source, &d->state,
                          error);
}

/* Makes the map of the pixels that the draw writes, if the draw will be compared. */
static int begin_comparison(struct drawing *d, struct error *error) {
  struct execution *e = d->e;
  e->compares = agreement_follows(e);
  free(e->covered);
  e->covered = NULL;
  if (!e->compares)
    return 0;
  const bool empty = d->state.right <= d->state.left || d->state.bottom <= d->state.top;
  e->covered_width = empty ? 0 : (uint32_t)d->state.right;
  e->covered_height = empty ? 0 : (uint32_t)d->state.bottom;
  e->covered = calloc((size_t)e->covered_width * e->covered_height + 1, 1);
  return e->covered ? 0 : error_no_memory(error);
}

static int run(struct drawing *d, const struct frame_draw *draw, struct error *error) {
  if (execution_check_state(d->e, error) || execution_check_samples(d->e, error))
    return -1;
  execution_note_targets(d->e, d->result);
  d->state = execution_raster_state(d->e);
  if (begin_comparison(d, error) || run_vertices(d, draw, error))
    return -1;
  if (d->vertices.distinct == 0 || d->e->bound->pipeline->discards_all)
    return 0;
  if (run_primitives(d, draw, error))
    return -1;
  if (d->last.words->count == 0)
    return 0;
  if (execution_check_choices(d->e, last_writes(d, LAYER), last_writes(d, VIEWPORT_INDEX), error) || assemble(d, error))
    return -1;
  return d->raster.quad_count ? run_fragments(d, error) : 0;
}

static void clear(struct drawing *d) {
  shader_source_clear(&d->vertex.source);
  tessellation_clear(&d->tessellation);
  geometry_clear(&d->geometry);
  shader_source_clear(&d->fragment.source);
  vertices_clear(&d->vertices);
  if (d->raster.quad_room > MOST_KEPT_QUADS)
    raster_clear(&d->raster);
  raster_empty(&d->raster);
  d->e->raster = d->raster;
  free(d->varyings.words);
}

int execution_draw(struct execution *e, const struct frame_draw *draw, struct error *error) {
  struct frame_execution *out = e->out;
  struct error failure = ERROR_INIT;
  if (!array_room_for_one(&out->draws, out->draw_count, sizeof *out->draws))
    return error_no_memory(error);
  struct frame_draw_result *r = &out->draws[out->draw_count];
  *r = (struct frame_draw_result){.record = e->record,
                                  .pass = e->pass_count ? e->pass_count - 1 : 0,
                                  .pipeline = e->bound->pipeline ? e->bound->pipeline->id : 0};
  r->targets = (struct pass_draw){.number = (uint32_t)out->draw_count, .pass = r->pass};
  snprintf(r->directory_name, sizeof r->directory_name, "draw-%zu", out->draw_count++);
  struct drawing d = {.e = e, .result = r, .raster = e->raster};
  e->stage_stopped = false;
  e->compares = false;
  if (run(&d, draw, &failure)) {
    snprintf(r->missing, sizeof r->missing, "%.199s", failure.text);
    e->compares = false;
  }
  r->stopped = e->stage_stopped || failure.kind == ERROR_WORK;
  r->agreement.reason = agreement_reason(e, &d.fragment.source);
  r->agreement.not_compared =
      e->is_one_of_many ? "one of several draws of a command" : "the capture does not hold the targets behind it";
  clear(&d);
  return 0;
}

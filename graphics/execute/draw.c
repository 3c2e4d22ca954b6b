/* One draw: vertices, primitives, quads, fragments, targets. */
#include <stdlib.h>
#include <string.h>
#include <vulkan/vulkan_core.h>

#include "base/array.h"

#include "graphics/execute/agreement.h"
#include "graphics/execute/draw_quads.h"
#include "graphics/pixel/depth.h"
#include "graphics/raster/samples.h"

#define MOST_QUADS      (UINT64_C(1) << 22)
#define MOST_KEPT_QUADS ((size_t)1 << 20) /* whose memory is kept for the next draw */

enum { LAYER = 9, VIEWPORT_INDEX = 10 }; /* SpvBuiltIn */

struct drawing {
  struct execution *e;
  struct frame_draw_result *result;
  struct stage vertex, fragment;
  struct draw_vertices vertices;
  struct stage_words varyings;
  bool has_geometry;
  struct geometry geometry;
  struct raster raster;
  struct raster_state state;
};

/* Returns the first stage of a pipeline that is not executed; NULL: there is none. */
static const char *stage_left_out(const struct frame_pipeline *p) {
  for (uint32_t i = 0; i < p->stage_count; i++)
    switch (frame_stages(p)[i].stage) {
    case VK_SHADER_STAGE_VERTEX_BIT:
    case VK_SHADER_STAGE_GEOMETRY_BIT:
    case VK_SHADER_STAGE_FRAGMENT_BIT:
      break;
    case VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT:
    case VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT:
      return "a tessellation shader";
    default:
      return "a stage beside those for vertices and fragments";
    }
  return NULL;
}

int execution_check_state(const struct execution *e, struct error *error) {
  const struct frame_pipeline *p = e->bound->pipeline;
  if (!e->pass || !p || p->is_compute)
    return error_set(error, ERROR_INPUT, "a draw outside of a pass, or without a pipeline");
  if (stage_left_out(p))
    return error_set(error, ERROR_INPUT, "%s is not supported", stage_left_out(p));
  if (p->topology > VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY)
    return error_set(error, ERROR_INPUT, "primitives of topology %u are not supported", p->topology);
  if (!sample_places(p->samples))
    return error_set(error, ERROR_INPUT, "%u samples a pixel have no standard locations", p->samples);
  const bool biases_edges =
      p->polygon_mode != VK_POLYGON_MODE_FILL && p->biases_depth && (e->depth_bias[0] != 0 || e->depth_bias[2] != 0);
  if (biases_edges || p->polygon_mode > VK_POLYGON_MODE_POINT || p->logic_op != UINT32_MAX || p->depth_bounds)
    return error_set(error, ERROR_INPUT, "%s is not supported",
                     biases_edges                              ? "a depth bias of a polygon's edges or corners"
                     : p->polygon_mode > VK_POLYGON_MODE_POINT ? "a polygon mode beyond fill, line and point"
                     : p->depth_bounds                         ? "a test of depth bounds"
                                                               : "a logic operation");
  return 0;
}

#define MOST_VIEWS (FRAME_MAX_COLORS + 2)

static uint32_t list_views(const struct execution *e, uint32_t views[MOST_VIEWS]) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < e->pass->color_count; i++)
    views[count++] = e->pass->colors[i].view;
  views[count++] = e->pass->depth.view;
  views[count++] = e->pass->stencil.view;
  return count;
}

static int check_samples(const struct execution *e, struct error *error) {
  uint32_t views[MOST_VIEWS], level, layer;
  const uint32_t count = list_views(e, views);
  for (uint32_t i = 0; i < count; i++) {
    const struct storage_image *image = execution_target(e, views[i], &level, &layer);
    if (image && image->info->samples != e->bound->pipeline->samples)
      return error_set(error, ERROR_INPUT, "a target has %u samples a pixel and the pipeline %u", image->info->samples,
                       e->bound->pipeline->samples);
  }
  return 0;
}

/* The part of the targets inside of the scissor. */
static void find_area(const struct execution *e, struct raster_state *s) {
  const struct frame_scissor *c = &e->scissor;
  uint32_t views[MOST_VIEWS];
  const uint32_t count = list_views(e, views);
  s->left = c->x < 0 ? 0 : c->x;
  s->top = c->y < 0 ? 0 : c->y;
  s->right = (int32_t)(c->x + (int64_t)c->width < FRAME_MAX_SIDE ? c->x + (int64_t)c->width : FRAME_MAX_SIDE);
  s->bottom = (int32_t)(c->y + (int64_t)c->height < FRAME_MAX_SIDE ? c->y + (int64_t)c->height : FRAME_MAX_SIDE);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t level, layer;
    const struct storage_image *image = execution_target(e, views[i], &level, &layer);
    const int32_t width = image ? (int32_t)frame_level_side(image->info->width, level) : s->right;
    const int32_t height = image ? (int32_t)frame_level_side(image->info->height, level) : s->bottom;
    s->right = width < s->right ? width : s->right;
    s->bottom = height < s->bottom ? height : s->bottom;
  }
  s->right = s->right < s->left ? s->left : s->right;
  s->bottom = s->bottom < s->top ? s->top : s->bottom;
}

static struct raster_state raster_state_of(const struct execution *e) {
  const struct frame_pipeline *p = e->bound->pipeline;
  const struct frame_view *depth = frame_object(e->capture, FRAME_VIEW, e->pass->depth.view);
  struct raster_state s = {.viewport = e->viewport,
                           .cull = p->cull,
                           .clockwise_is_front = p->front_face == VK_FRONT_FACE_CLOCKWISE,
                           .clamps_depth = p->depth_clamp,
                           .last_provokes = p->last_provokes,
                           .polygon_mode = p->polygon_mode,
                           .point_size = 1,
                           .samples = p->samples,
                           .bresenham = p->samples == 1 && p->line_mode == VK_LINE_RASTERIZATION_MODE_BRESENHAM_EXT,
                           .smooth = p->line_mode == VK_LINE_RASTERIZATION_MODE_RECTANGULAR_SMOOTH_EXT,
                           .line_width = e->line_width,
                           .biases_depth = p->biases_depth,
                           .bias_constant = e->depth_bias[0],
                           .bias_clamp = e->depth_bias[1],
                           .bias_slope = e->depth_bias[2],
                           .depth_unit = depth_unit(depth ? depth->format : 0),
                           .most_quads = e->options->most_quads ? e->options->most_quads : MOST_QUADS};
  find_area(e, &s);
  return s;
}

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

/* Returns the stage before the rasteriser, and its outputs. */
static const struct stage *last_stage(const struct drawing *d, const struct stage_words **outputs) {
  *outputs = d->has_geometry ? &d->geometry.words : &d->varyings;
  return d->has_geometry ? &d->geometry.stage : &d->vertex;
}

static bool last_writes(const struct drawing *d, uint32_t builtin) {
  const struct shader_slot slot = {.location = SPIRV_NONE, .builtin = builtin};
  const struct stage_words *outputs;
  return stage_output_slot(&last_stage(d, &outputs)->source, &slot) >= 0;
}

/* A target without layers has no choice of them; a capture holds the first viewport only. */
static int check_choices(const struct drawing *d, struct error *error) {
  if (d->e->pass->layers > 1 && last_writes(d, LAYER))
    return error_set(error, ERROR_INPUT, "a shader's choice of a target's layer (gl_Layer) is not supported");
  if (last_writes(d, VIEWPORT_INDEX))
    return error_set(error, ERROR_INPUT, "a shader's choice of a viewport (gl_ViewportIndex) is not supported");
  return 0;
}

static int run_geometry(struct drawing *d, const struct frame_draw *draw, struct error *error) {
  struct frame_draw_result *r = d->result;
  const struct geometry_request request = {.vertex = &d->vertex,
                                           .varyings = &d->varyings,
                                           .vertices = &d->vertices,
                                           .corners = draw->count,
                                           .instances = draw->instances};
  char name[64];
  if (!stage_is_there(d->e->bound->pipeline, VK_SHADER_STAGE_GEOMETRY_BIT))
    return 0;
  snprintf(name, sizeof name, "%s.geometry", r->directory_name);
  d->has_geometry = true;
  const int status = geometry_run(d->e, &request, name, &d->geometry, error);
  r->geometry_primitives = d->geometry.primitives;
  r->geometry_vertices = d->geometry.words.count;
  r->geometry_invocations = d->geometry.stage.source.invocations;
  r->geometry_instructions = d->geometry.stage.instructions;
  r->targets.varying_words = d->geometry.words.slots;
  r->trace_bytes += d->geometry.stage.trace_bytes;
  return status;
}

static int assemble(struct drawing *d, const struct frame_draw *draw, struct error *error) {
  const bool emitted = d->has_geometry;
  const struct assembly_request request = {.pipeline = d->e->bound->pipeline,
                                           .vertex = emitted ? &d->geometry.stage : &d->vertex,
                                           .varyings = emitted ? &d->geometry.words : &d->varyings,
                                           .vertices = emitted ? &d->geometry.vertices : &d->vertices,
                                           .topology = emitted ? d->geometry.stage.source.topology
                                                               : d->e->bound->pipeline->topology,
                                           .corners = emitted ? d->geometry.vertices.corner_count : draw->count,
                                           .state = &d->state};
  const int status = assembly_run(&request, &d->raster, error);
  d->result->primitives = d->raster.counts;
  d->raster.primitives_of_instance = d->has_geometry ? 0 : d->raster.counts.primitives / draw->instances;
  d->result->quads = d->raster.quad_count;
  return status;
}

static uint32_t fill_fragments(void *user, uint32_t first, struct stage_words *inputs) {
  const struct drawing *d = user;
  struct raster part = d->raster;
  part.quads += first / 4;
  part.quad_count -= first / 4;
  part.quad_count = part.quad_count < inputs->count / 4 ? part.quad_count : inputs->count / 4;
  const struct stage_words *outputs;
  const struct stage *last = last_stage(d, &outputs);
  fragments_inputs(&part, last, outputs, &d->fragment, d->state.samples, inputs);
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
  if (execution_check_state(d->e, error) || check_samples(d->e, error))
    return -1;
  execution_note_targets(d->e, d->result);
  d->state = raster_state_of(d->e);
  if (begin_comparison(d, error) || run_vertices(d, draw, error))
    return -1;
  if (d->vertices.distinct == 0 || d->e->bound->pipeline->discards_all)
    return 0;
  if (run_geometry(d, draw, error))
    return -1;
  if (d->has_geometry && d->geometry.words.count == 0)
    return 0;
  if (check_choices(d, error) || assemble(d, draw, error))
    return -1;
  return d->raster.quad_count ? run_fragments(d, error) : 0;
}

static void clear(struct drawing *d) {
  shader_source_clear(&d->vertex.source);
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
  if (run(&d, draw, &failure))
    snprintf(r->missing, sizeof r->missing, "%.199s", failure.text);
  r->stopped = e->stage_stopped || failure.kind == ERROR_WORK;
  r->agreement.reason = agreement_reason(e, &d.fragment.source);
  r->agreement.not_compared =
      e->is_one_of_many ? "one of several draws of a command" : "the capture does not hold the targets behind it";
  clear(&d);
  return 0;
}

/* The state of a draw: what is supported of it, and what the rasteriser takes. */
#include <vulkan/vulkan_core.h>

#include "graphics/execute/execution.h"
#include "graphics/pixel/depth.h"
#include "graphics/raster/samples.h"

#define MOST_QUADS (UINT64_C(1) << 22)

/* Returns the first stage of a pipeline that is not executed; NULL: there is none. */
static const char *stage_left_out(const struct frame_pipeline *p) {
  for (uint32_t i = 0; i < p->stage_count; i++)
    switch (frame_stages(p)[i].stage) {
    case VK_SHADER_STAGE_VERTEX_BIT:
    case VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT:
    case VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT:
    case VK_SHADER_STAGE_GEOMETRY_BIT:
    case VK_SHADER_STAGE_FRAGMENT_BIT:
      break;
    default:
      return "a stage beside those of vertices, patches, primitives and fragments";
    }
  return NULL;
}

int execution_check_state(const struct execution *e, struct error *error) {
  const struct frame_pipeline *p = e->bound->pipeline;
  if (!e->pass || !p || p->is_compute)
    return error_set(error, ERROR_INPUT, "a draw outside of a pass, or without a pipeline");
  if (stage_left_out(p))
    return error_set(error, ERROR_INPUT, "%s is not supported", stage_left_out(p));
  const bool has_patches = p->topology == VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
  if (p->topology > VK_PRIMITIVE_TOPOLOGY_PATCH_LIST ||
      has_patches != stage_is_there(p, VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT))
    return error_set(error, ERROR_INPUT, "primitives of topology %u with these shaders are not supported", p->topology);
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

/* A target without layers has no choice of them; a capture holds the first viewport only. */
int execution_check_choices(const struct execution *e, bool of_layer, bool of_viewport, struct error *error) {
  if (e->pass->layers > 1 && of_layer)
    return error_set(error, ERROR_INPUT, "a shader's choice of a target's layer (gl_Layer) is not supported");
  if (of_viewport)
    return error_set(error, ERROR_INPUT, "a shader's choice of a viewport (gl_ViewportIndex) is not supported");
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

int execution_check_samples(const struct execution *e, struct error *error) {
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

struct raster_state execution_raster_state(const struct execution *e) {
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

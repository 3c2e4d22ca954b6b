/* Fragments of a draw: what goes into their shader, and how their colors and depths get into the targets. */
#include <stdlib.h>
#include <string.h>
#include <vulkan/vulkan_core.h>

#include "graphics/execute/execution.h"
#include "graphics/execute/planes.h"
#include "graphics/pixel/blend.h"
#include "graphics/pixel/depth.h"

enum { FRAG_COORD = 15, POINT_COORD = 16, FRONT_FACING = 17, FRAG_DEPTH = 22 }; /* SpvBuiltIn */

/* Inputs. */

struct input {
  const struct shader_slot *slot;
  const struct stage_words *vertices;
  int from; /* the slot of the vertices' outputs; -1: the vertex shader does not write it */
};

static uint32_t value_of(const struct input *in, uint32_t vertex) {
  return *stage_word(in->vertices, vertex, (uint32_t)in->from);
}

static uint32_t word_of(float f) {
  uint32_t word;
  memcpy(&word, &f, sizeof word);
  return word;
}

static float float_of(uint32_t word) {
  float f;
  memcpy(&f, &word, sizeof f);
  return f;
}

/* A triangle's values as planes: those of inputs that are interpolated. */
struct lane_planes {
  const struct raster_triangle *triangle;
  struct plane_setup setup;
  struct plane planes[SHADER_MAX_SLOTS];
};

static bool is_interpolated(const struct input *in) {
  return in->slot->builtin == SPIRV_NONE && in->from >= 0 && !in->slot->flat && in->slot->is_float;
}

/* Makes the plane of an input. A corner's value is a mixture of the primitive's vertices. */
static struct plane make_plane(const struct lane_planes *p, const struct input *in) {
  float corners[3];
  for (int c = 0; c < 3; c++) {
    double sum = 0;
    for (int v = 0; v < 3; v++)
      if (p->triangle->weights[c][v] != 0)
        sum += p->triangle->weights[c][v] * (double)float_of(value_of(in, p->triangle->vertices[v]));
    corners[c] = in->slot->no_perspective ? (float)sum : (float)sum * p->setup.inverse_w[c];
  }
  return plane_of(&p->setup, corners);
}

static void begin_triangle(struct lane_planes *p, const struct raster_triangle *t, const struct input *inputs,
                           uint32_t count) {
  p->triangle = t;
  p->setup = plane_setup_of(t);
  for (uint32_t i = 0; i < count; i++)
    if (is_interpolated(&inputs[i]))
      p->planes[i] = make_plane(p, &inputs[i]);
}

static uint32_t interpolate(const struct lane_planes *p, uint32_t index, const struct input *in, float x, float y,
                            float w) {
  if (in->from < 0)
    return 0;
  if (in->slot->flat || !in->slot->is_float)
    return value_of(in, p->triangle->provoking);
  const float value = plane_at(&p->planes[index], x, y);
  return word_of(in->slot->no_perspective ? value : value * w);
}

static uint32_t built_in(const struct raster_triangle *t, const struct shader_slot *s, int x, int y,
                         const double screen[3]) {
  switch (s->builtin) {
  case FRAG_COORD:
    switch (s->component) {
    case 0:
      return word_of((float)x + 0.5f);
    case 1:
      return word_of((float)y + 0.5f);
    case 2:
      return word_of((float)raster_depth(t, screen));
    default:
      return word_of((float)raster_inverse_w(t, screen));
    }
  case POINT_COORD:
    return word_of((float)(0.5 + screen[1 + (s->component & 1)]));
  case FRONT_FACING:
    return t->is_front;
  default:
    return 0;
  }
}

static void fill_lane(const struct lane_planes *p, const struct input *inputs, uint32_t count, int x, int y,
                      uint32_t *words) {
  double screen[3];
  const float w = 1 / plane_at(&p->setup.w, (float)x, (float)y);
  raster_screen_shares(p->triangle, x, y, screen);
  for (uint32_t i = 0; i < count; i++)
    words[i] = inputs[i].slot->builtin == SPIRV_NONE ? interpolate(p, i, &inputs[i], (float)x, (float)y, w)
                                                     : built_in(p->triangle, inputs[i].slot, x, y, screen);
}

int fragments_inputs(const struct raster *r, const struct stage *vertex, const struct stage_words *vertices,
                     const struct stage *fragment, struct stage_words *out, struct error *error) {
  const struct shader_source *s = &fragment->source;
  struct input inputs[SHADER_MAX_SLOTS];
  struct lane_planes planes = {.triangle = NULL};
  if (stage_words_create(out, stage_round(fragment, (uint64_t)r->quad_count * 4), s->input_count, error))
    return -1;
  for (uint32_t i = 0; i < s->input_count; i++) {
    const int slot = stage_output_slot(&vertex->source, &s->inputs[i]);
    inputs[i] = (struct input){&s->inputs[i], vertices, slot};
  }
  for (size_t q = 0; q < r->quad_count; q++) {
    const struct raster_triangle *t = &r->triangles[r->quads[q].triangle];
    if (t != planes.triangle)
      begin_triangle(&planes, t, inputs, s->input_count);
    for (int lane = 0; lane < 4; lane++)
      fill_lane(&planes, inputs, s->input_count, r->quads[q].x + (lane & 1), r->quads[q].y + (lane >> 1),
                stage_word(out, 4 * q + (size_t)lane, 0));
  }
  return 0;
}

/* Targets. */

struct target {
  struct storage_image *image;
  uint32_t level, layer;
  const struct texel_format *format;
  int slots[4]; /* of the shader's outputs; -1: not written */
  const struct frame_blend *blend;
};

struct merge {
  struct execution *e;
  struct target colors[FRAME_MAX_COLORS], depth, stencil;
  const struct stage_words *words;
  int depth_slot, discard_slot;
  struct frame_draw_result *result;
};

static uint32_t output(const struct merge *m, int slot, size_t item) {
  return *stage_word(m->words, item, (uint32_t)slot);
}

static void find_targets(struct merge *m, const struct shader_source *s) {
  const struct frame_begin_pass *p = m->e->pass;
  for (uint32_t i = 0; i < p->color_count; i++) {
    struct target *t = &m->colors[i];
    const struct frame_view *v = frame_object(m->e->capture, FRAME_VIEW, p->colors[i].view);
    t->image = execution_target(m->e, p->colors[i].view, &t->level, &t->layer);
    t->format = v ? texel_format_find(v->format) : NULL;
    if (t->image && (!t->format || t->format->bytes != storage_texel_bytes(t->image, PLANE_COLOR)))
      t->image = NULL;
    t->blend = i < m->e->pipeline->blend_count ? &frame_blends(m->e->pipeline)[i] : NULL;
    for (uint32_t c = 0; c < 4; c++)
      t->slots[c] = stage_output_slot(s, &(struct shader_slot){.location = i, .component = c, .builtin = SPIRV_NONE});
  }
  m->depth.image = execution_target(m->e, p->depth.view, &m->depth.level, &m->depth.layer);
  m->stencil.image = execution_target(m->e, p->stencil.view, &m->stencil.level, &m->stencil.layer);
  m->depth_slot =
      stage_output_slot(s, &(struct shader_slot){.location = SPIRV_NONE, .component = 0, .builtin = FRAG_DEPTH});
  m->discard_slot = s->may_discard ? (int)s->output_count : -1;
}

static void write_color(const struct merge *m, const struct target *t, size_t item, uint32_t x, uint32_t y) {
  const uint32_t mask = t->blend ? t->blend->mask : 15;
  uint8_t *texel = t->image && t->format ? storage_texel(t->image, PLANE_COLOR, t->level, t->layer, x, y, 0) : NULL;
  union color c = {.f = {0, 0, 0, 1}};
  if (!texel || t->slots[0] < 0)
    return;
  for (unsigned k = 0; k < 4; k++)
    if (t->slots[k] >= 0)
      c.u[k] = output(m, t->slots[k], item);
  const union color before = color_load(t->format, texel);
  for (unsigned k = 0; k < 4 && t->format->numbers == TEXEL_UNORM; k++)
    c.f[k] = c.f[k] > 0 ? (c.f[k] < 1 ? c.f[k] : 1) : 0;
  if (t->blend && t->blend->enabled && !color_is_integer(t->format))
    c = blend_colors(t->blend, m->e->blend_constants, &c, &before);
  for (unsigned k = 0; k < 4; k++)
    if (!(mask & 1u << k))
      c.u[k] = before.u[k];
  color_store(t->format, &c, texel);
}

/* The stencil's state of a face: masks and reference may be set by commands. */
static struct frame_stencil stencil_of(const struct execution *e, bool front) {
  const struct frame_pipeline *p = e->pipeline;
  const struct frame_stencil *set = &e->stencil[front ? 0 : 1];
  struct frame_stencil s = front ? p->front : p->back;
  if (p->dynamic & FRAME_DYNAMIC_STENCIL_READ)
    s.read_mask = set->read_mask;
  if (p->dynamic & FRAME_DYNAMIC_STENCIL_WRITE)
    s.write_mask = set->write_mask;
  if (p->dynamic & FRAME_DYNAMIC_STENCIL_REFERENCE)
    s.reference = set->reference;
  return s;
}

static bool test_depth(const struct merge *m, float depth, uint32_t x, uint32_t y) {
  const struct frame_pipeline *p = m->e->pipeline;
  const struct target *t = &m->depth;
  uint8_t *texel = p->depth_test && t->image ? storage_texel(t->image, PLANE_DEPTH, t->level, t->layer, x, y, 0) : NULL;
  if (!texel)
    return true;
  const uint32_t format = t->image->info->format;
  if (!depth_compare(p->depth_compare, (double)depth_round(format, depth), (double)depth_load(format, texel)))
    return false;
  if (p->depth_write)
    depth_store(format, depth, texel);
  return true;
}

/* Both tests; a stencil operation follows whether they pass. */
static bool test(const struct merge *m, bool front, float depth, uint32_t x, uint32_t y) {
  const struct target *t = &m->stencil;
  uint8_t *texel = m->e->pipeline->stencil_test && t->image
                       ? storage_texel(t->image, PLANE_STENCIL, t->level, t->layer, x, y, 0)
                       : NULL;
  if (!texel)
    return test_depth(m, depth, x, y);
  const struct frame_stencil s = stencil_of(m->e, front);
  const bool stencil_passes = depth_compare(s.compare, s.reference & s.read_mask, *texel & s.read_mask);
  const bool depth_passes = stencil_passes && test_depth(m, depth, x, y);
  const uint32_t operation = !stencil_passes ? s.fail : !depth_passes ? s.depth_fail : s.pass;
  const uint8_t value = stencil_apply(operation, *texel, (uint8_t)s.reference);
  *texel = (uint8_t)((*texel & ~s.write_mask) | (value & s.write_mask));
  return depth_passes;
}

static float depth_of(const struct merge *m, const struct raster_triangle *t, size_t item, int x, int y) {
  double screen[3];
  if (m->depth_slot >= 0)
    return float_of(output(m, m->depth_slot, item));
  raster_screen_shares(t, x, y, screen);
  const float depth = (float)raster_depth(t, screen);
  const float least = m->e->viewport.least_depth, most = m->e->viewport.most_depth;
  return depth < least ? least : depth > most ? most : depth;
}

static void count_overdraw(const struct merge *m, uint32_t x, uint32_t y) {
  struct frame_execution *out = m->e->out;
  if (out->overdraw && x < out->width && y < out->height && out->overdraw[(size_t)y * out->width + x] < UINT16_MAX)
    out->overdraw[(size_t)y * out->width + x]++;
}

/* Returns whether the fragment passed the tests. */
static bool merge_lane(const struct merge *m, const struct raster_triangle *t, size_t item, int x, int y) {
  m->result->fragments++;
  count_overdraw(m, (uint32_t)x, (uint32_t)y);
  if (m->discard_slot >= 0 && output(m, m->discard_slot, item)) {
    m->result->discarded++;
    return false;
  }
  if (!test(m, t->is_front, depth_of(m, t, item, x, y), (uint32_t)x, (uint32_t)y))
    return false;
  m->result->passed++;
  if (m->e->covered)
    m->e->covered[(size_t)y * m->e->covered_width + (size_t)x] = 1;
  for (uint32_t i = 0; i < m->e->pass->color_count; i++)
    write_color(m, &m->colors[i], item, (uint32_t)x, (uint32_t)y);
  return true;
}

void fragments_merge(struct execution *e, struct raster *r, const struct stage *fragment,
                     const struct stage_words *words, struct frame_draw_result *result) {
  struct merge m = {.e = e, .words = words, .result = result};
  find_targets(&m, &fragment->source);
  for (size_t q = 0; q < r->quad_count; q++)
    for (int lane = 0; lane < 4; lane++)
      if ((r->quads[q].coverage & 1 << lane) &&
          merge_lane(&m, &r->triangles[r->quads[q].triangle], 4 * q + (size_t)lane, r->quads[q].x + (lane & 1),
                     r->quads[q].y + (lane >> 1)))
        r->quads[q].passed |= (uint8_t)(1 << lane);
}

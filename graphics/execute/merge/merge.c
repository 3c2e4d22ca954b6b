/* Merges the colors and depths of a draw's fragments into the targets: masks, tests, blending, sample by sample. */
#include "graphics/execute/merge/merge.h"

#include <string.h>
#include <vulkan/vulkan_core.h>

#include "graphics/pixel/blend.h"
#include "graphics/pixel/depth.h"
#include "graphics/raster/samples.h"

enum { SAMPLE_MASK = 20, FRAG_DEPTH = 22 }; /* SpvBuiltIn */

/* A sample of a pixel. */
struct place {
  uint32_t x, y, sample;
};

/* Once a draw, so that a sample's place is three products. */
static void find_texels(struct target *t, enum storage_plane plane) {
  if (!t->image)
    return;
  t->texels = storage_texel(t->image, plane, t->level, t->layer, 0, 0, 0);
  t->sample_bytes = storage_texel_bytes(t->image, plane);
  t->texel_bytes = t->sample_bytes * t->image->info->samples;
  t->row_bytes = t->texel_bytes * frame_level_side(t->image->info->width, t->level);
}

static inline uint8_t *sample_at(const struct target *t, const struct place *at) {
  return t->texels ? t->texels + at->y * t->row_bytes + at->x * t->texel_bytes + at->sample * t->sample_bytes : NULL;
}

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
    find_texels(t, PLANE_COLOR);
    t->blend = i < m->e->bound->pipeline->blend_count ? &frame_blends(m->e->bound->pipeline)[i] : NULL;
    for (uint32_t c = 0; c < 4; c++) {
      struct shader_slot slot = {.location = i, .component = c, .builtin = SPIRV_NONE};
      t->slots[c] = stage_output_slot(s, &slot);
      slot.is_second = true;
      t->second_slots[c] = stage_output_slot(s, &slot);
    }
  }
  m->depth.image = execution_target(m->e, p->depth.view, &m->depth.level, &m->depth.layer);
  m->stencil.image = execution_target(m->e, p->stencil.view, &m->stencil.level, &m->stencil.layer);
  find_texels(&m->depth, PLANE_DEPTH);
  find_texels(&m->stencil, PLANE_STENCIL);
  m->depth_slot =
      stage_output_slot(s, &(struct shader_slot){.location = SPIRV_NONE, .component = 0, .builtin = FRAG_DEPTH});
  m->mask_slot =
      stage_output_slot(s, &(struct shader_slot){.location = SPIRV_NONE, .component = 0, .builtin = SAMPLE_MASK});
  m->discard_slot = s->may_discard ? (int)s->output_count : -1;
}

/* Returns the share of the pixel that the present triangle, a part of a smooth line, covers. */
static float share_of(const struct merge *m, const struct place *at) {
  const float x = (float)at->x, y = (float)at->y;
  const float w = 1 / plane_at(&m->inverse_w, x, y);
  return raster_smooth_share(&m->triangle->smooth, plane_at(&m->across, x, y) * w, plane_at(&m->along, x, y) * w);
}

static union color color_of(const struct merge *m, const int slots[4], size_t item) {
  union color c = {.f = {0, 0, 0, 1}};
  for (unsigned k = 0; k < 4; k++)
    if (slots[k] >= 0)
      c.u[k] = output(m, slots[k], item);
  if (m->e->bound->pipeline->multisampling & FRAME_ALPHA_TO_ONE)
    c.f[3] = 1;
  return c;
}

static void clamp_color(union color *c) {
  for (unsigned k = 0; k < 4; k++)
    c->f[k] = c->f[k] > 0 ? (c->f[k] < 1 ? c->f[k] : 1) : 0;
}

static void write_color(const struct merge *m, const struct target *t, size_t item, const struct place *at) {
  const uint32_t mask = t->blend ? t->blend->mask : 15;
  uint8_t *texel = t->image && t->format ? sample_at(t, at) : NULL;
  if (!texel || t->slots[0] < 0)
    return;
  union color colors[2] = {color_of(m, t->slots, item)};
  if (t->blend && blend_takes_second(t->blend))
    colors[1] = color_of(m, t->second_slots, item);
  if (m->triangle->smooth.half_width > 0)
    colors[0].f[3] *= share_of(m, at);
  const bool blends = t->blend && t->blend->enabled && !color_is_integer(t->format);
  if (blends && color_has_bytes(t->format)) {
    blend_bytes(t->blend, m->e->blend_constants, colors, t->format, texel);
    return;
  }
  const union color before = blends || mask != 15 ? color_load(t->format, texel) : (union color){.f = {0, 0, 0, 1}};
  for (unsigned k = 0; k < 2 && t->format->numbers == TEXEL_UNORM; k++)
    clamp_color(&colors[k]);
  union color c = blends ? blend_colors(t->blend, m->e->blend_constants, colors, &before) : colors[0];
  for (unsigned k = 0; k < 4; k++)
    if (!(mask & 1u << k))
      c.u[k] = before.u[k];
  color_store(t->format, &c, texel);
}

/* The stencil's state of a face: masks and reference may be set by commands. */
static struct frame_stencil stencil_of(const struct execution *e, bool front) {
  const struct frame_pipeline *p = e->bound->pipeline;
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

static bool test_depth(const struct merge *m, float depth, const struct place *at) {
  const struct frame_pipeline *p = m->e->bound->pipeline;
  const struct target *t = &m->depth;
  uint8_t *texel = m->tests_depth ? sample_at(t, at) : NULL;
  if (!texel)
    return true;
  return depth_test(t->image->info->format, p->depth_compare, depth, texel, p->depth_write);
}

/* Marks a pixel that the draw changes. */
static void note_covered(const struct merge *m, const struct place *at) {
  if (m->e->covered)
    m->e->covered[(size_t)at->y * m->e->covered_width + at->x] = 1;
}

/* Both tests; a stencil operation follows whether they pass. */
static bool test(const struct merge *m, bool front, float depth, const struct place *at) {
  const struct target *t = &m->stencil;
  uint8_t *texel = m->e->bound->pipeline->stencil_test && t->image ? sample_at(t, at) : NULL;
  if (!texel)
    return test_depth(m, depth, at);
  const struct frame_stencil s = stencil_of(m->e, front);
  const bool stencil_passes = depth_compare(s.compare, s.reference & s.read_mask, *texel & s.read_mask);
  const bool depth_passes = stencil_passes && test_depth(m, depth, at);
  const uint32_t operation = !stencil_passes ? s.fail : !depth_passes ? s.depth_fail : s.pass;
  const uint8_t value = stencil_apply(operation, *texel, (uint8_t)s.reference);
  const uint8_t after = (uint8_t)((*texel & ~s.write_mask) | (value & s.write_mask));
  if (after != *texel)
    note_covered(m, at);
  *texel = after;
  return depth_passes;
}

void merge_begin_triangle(struct merge *m, const struct raster_triangle *t) {
  const struct plane_setup setup = plane_setup_of(t, m->samples > 1 ? 0 : 0.5f);
  m->triangle = t;
  m->depth_plane = plane_of(&setup, (const float[]){(float)t->z[0], (float)t->z[1], (float)t->z[2]});
  if (t->smooth.half_width > 0) {
    float across[3], along[3];
    for (unsigned c = 0; c < 3; c++) {
      across[c] = t->smooth.across[c] * setup.inverse_w[c];
      along[c] = t->smooth.along[c] * setup.inverse_w[c];
    }
    m->inverse_w = setup.w;
    m->across = plane_of(&setup, across);
    m->along = plane_of(&setup, along);
  }
}

static float depth_of(const struct merge *m, size_t item, const struct place *at) {
  const struct sample_place offset = m->places[at->sample];
  const float half = m->samples > 1 ? 0.5f : 0;
  if (m->depth_slot >= 0 && m->words)
    return float_of(output(m, m->depth_slot, item));
  const float depth = plane_at(&m->depth_plane, (float)at->x + (half + (float)offset.x / 16),
                               (float)at->y + (half + (float)offset.y / 16));
  const float least = m->e->viewport.least_depth, most = m->e->viewport.most_depth;
  return depth < least ? least : depth > most ? most : depth;
}

/* Returns the samples that the pipeline's and the shader's masks leave. Alpha above s of n covers sample s, as llvmpipe
 * has it. */
static uint32_t mask_of(const struct merge *m, size_t item) {
  const struct frame_pipeline *p = m->e->bound->pipeline;
  uint32_t mask = p->sample_mask;
  if (m->mask_slot >= 0)
    mask &= output(m, m->mask_slot, item);
  if ((p->multisampling & FRAME_ALPHA_TO_COVERAGE) && m->colors[0].slots[3] >= 0)
    for (uint32_t s = 0; s < m->samples; s++)
      if (!(float_of(output(m, m->colors[0].slots[3], item)) > (float)s / (float)m->samples))
        mask &= ~(1u << s);
  return mask;
}

/* Returns whether the sample passed the tests. */
static bool merge_sample(const struct merge *m, const struct raster_quad *q, int lane, size_t item,
                         const struct place *at) {
  if (q->is_tested ? !(q->early_samples[lane] & 1u << at->sample)
                   : !test(m, m->triangle->is_front, depth_of(m, item, at), at))
    return false;
  m->result->passed++;
  note_covered(m, at);
  for (uint32_t i = 0; i < m->e->pass->color_count; i++)
    write_color(m, &m->colors[i], item, at);
  return true;
}

static void merge_lane(const struct merge *m, struct raster_quad *q, int lane, size_t item) {
  struct place at = {(uint32_t)(q->x + (lane & 1)), (uint32_t)(q->y + (lane >> 1)), 0};
  m->result->fragments++;
  merge_count_overdraw(m, at.x, at.y);
  if (m->discard_slot >= 0 && output(m, m->discard_slot, item)) {
    m->result->discarded++;
    return;
  }
  const uint32_t mask = q->samples[lane] & mask_of(m, item);
  for (at.sample = 0; at.sample < m->samples; at.sample++)
    if ((mask & 1u << at.sample) && merge_sample(m, q, lane, item, &at))
      q->passed_samples[lane] |= (uint16_t)(1u << at.sample);
  q->passed |= (uint8_t)((q->passed_samples[lane] != 0) << lane);
}

void merge_begin(struct merge *m, struct execution *e, const struct stage *fragment, const struct stage_words *words,
                 struct frame_draw_result *result) {
  *m = (struct merge){.e = e,
                      .words = words,
                      .result = result,
                      .samples = e->bound->pipeline->samples,
                      .places = sample_places(e->bound->pipeline->samples)};
  find_targets(m, &fragment->source);
  m->tests_depth = e->bound->pipeline->depth_test && m->depth.image;
}

void merge_by_sample(struct merge *m, struct raster *r) {
  for (size_t q = 0; q < r->quad_count; q++) {
    if (m->triangle != &r->triangles[r->quads[q].triangle])
      merge_begin_triangle(m, &r->triangles[r->quads[q].triangle]);
    for (int lane = 0; lane < 4; lane++)
      if (r->quads[q].coverage & 1 << lane)
        merge_lane(m, &r->quads[q], lane, 4 * q + (size_t)lane);
  }
}

static void test_lane(const struct merge *m, struct raster_quad *q, int lane) {
  struct place at = {(uint32_t)(q->x + (lane & 1)), (uint32_t)(q->y + (lane >> 1)), 0};
  const uint32_t mask = q->samples[lane] & m->e->bound->pipeline->sample_mask;
  for (; at.sample < m->samples; at.sample++)
    if ((mask & 1u << at.sample) && test(m, m->triangle->is_front, depth_of(m, 0, &at), &at)) {
      q->early_samples[lane] |= (uint16_t)(1u << at.sample);
      note_covered(m, &at);
    }
}

/* A depth of the shader's own does not count. */
void fragments_test(struct execution *e, struct raster *r, const struct stage *fragment,
                    struct frame_draw_result *result) {
  struct merge m;
  merge_begin(&m, e, fragment, NULL, result);
  for (size_t q = 0; q < r->quad_count; q++) {
    struct raster_quad *quad = &r->quads[q];
    if (m.triangle != &r->triangles[quad->triangle])
      merge_begin_triangle(&m, &r->triangles[quad->triangle]);
    quad->is_tested = true;
    for (int lane = 0; lane < 4; lane++)
      test_lane(&m, quad, lane);
  }
}

void fragments_merge(struct execution *e, struct raster *r, const struct stage *fragment,
                     const struct stage_words *words, struct frame_draw_result *result) {
  struct merge m;
  merge_begin(&m, e, fragment, words, result);
  if (merge_is_plain(&m) && !fragment->source.early_tests)
    merge_plain(&m, r);
  else
    merge_by_sample(&m, r);
}

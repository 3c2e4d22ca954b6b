/* The inputs of the shader of a draw's fragments. */
#include <stdlib.h>
#include <string.h>
#include <vulkan/vulkan_core.h>

#include "graphics/execute/execution.h"
#include "graphics/raster/planes.h"
#include "graphics/raster/samples.h"

enum { /* SpvBuiltIn */
       CLIP_DISTANCE = 3,
       CULL_DISTANCE = 4,
       PRIMITIVE_ID = 7,
       LAYER = 9,
       FRAG_COORD = 15,
       POINT_COORD = 16,
       FRONT_FACING = 17,
       SAMPLE_ID = 18,
       SAMPLE_POSITION = 19,
       SAMPLE_MASK = 20,
       HELPER = 23
};

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

enum { AT_ONCE = 4 };

/* The planes of all inputs, each member by itself, so that the processor computes AT_ONCE inputs at once. */
struct plane_columns {
  float origin[SHADER_MAX_SLOTS + AT_ONCE], along_x[SHADER_MAX_SLOTS + AT_ONCE], along_y[SHADER_MAX_SLOTS + AT_ONCE];
};

/* A triangle's values as planes: those of inputs that are interpolated. */
struct lane_planes {
  const struct raster_triangle *triangle;
  float half;           /* the offset of a pixel's centre from its origin for the planes */
  uint64_t of_instance; /* primitives */
  struct plane_setup setup;
  struct plane depth, planes[SHADER_MAX_SLOTS];
  struct plane_columns columns;
};

/* Returns whether the values are those of vertices, and not of the rasteriser. */
static bool is_of_vertices(const struct shader_slot *s) {
  return s->builtin == SPIRV_NONE || s->builtin == CLIP_DISTANCE || s->builtin == CULL_DISTANCE;
}

/* Returns whether the value is what the last stage before has written for the primitive. */
static bool is_of_primitive(const struct input *in) {
  return (in->slot->builtin == PRIMITIVE_ID || in->slot->builtin == LAYER) && in->from >= 0;
}

static bool is_interpolated(const struct input *in) {
  return is_of_vertices(in->slot) && in->from >= 0 && !in->slot->flat && in->slot->is_float;
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
  p->setup = plane_setup_of(t, 0.5f - p->half);
  p->depth = plane_of(&p->setup, (const float[]){(float)t->z[0], (float)t->z[1], (float)t->z[2]});
  for (uint32_t i = 0; i < count; i++)
    if (is_interpolated(&inputs[i])) {
      p->planes[i] = make_plane(p, &inputs[i]);
      p->columns.origin[i] = p->planes[i].origin;
      p->columns.along_x[i] = p->planes[i].along_x;
      p->columns.along_y[i] = p->planes[i].along_y;
    }
}

/* Returns whether fill_perspective serves all lanes. */
static bool all_perspective(const struct input *inputs, uint32_t count, uint32_t samples) {
  for (uint32_t i = 0; i < count; i++)
    if (!is_interpolated(&inputs[i]) || inputs[i].slot->no_perspective)
      return false;
  return samples == 1;
}

/* Functions of each lane become part of the one loop over lanes, which is compiled twice (fragments_inputs). */
#define OF_EACH_LANE static inline __attribute__((always_inline))

OF_EACH_LANE uint32_t interpolate(const struct lane_planes *p, uint32_t index, const struct input *in, float x, float y,
                                  float w) {
  if (in->from < 0)
    return 0;
  if (in->slot->flat || !in->slot->is_float)
    return value_of(in, p->triangle->provoking);
  const float value = plane_at(&p->planes[index], x, y);
  return word_of(in->slot->no_perspective ? value : value * w);
}

/* A pixel of a quad. */
struct lane {
  const struct raster_quad *quad;
  int number, x, y;
  struct sample_place place; /* of the sample that is shaded, from the centre; 0, 0: the pixel is */
};

static uint32_t coordinate(const struct lane_planes *p, uint32_t component, const struct lane *l) {
  const float dx = (float)l->place.x / 16, dy = (float)l->place.y / 16;
  const float x = (float)l->x + (p->half + dx), y = (float)l->y + (p->half + dy);
  switch (component) {
  case 0:
    return word_of((float)l->x + (0.5f + dx));
  case 1:
    return word_of((float)l->y + (0.5f + dy));
  case 2:
    return word_of(plane_at(&p->depth, x, y));
  default:
    return word_of(plane_at(&p->setup.w, x, y));
  }
}

/* Primitives are counted anew for each instance. */
static uint32_t primitive_id(const struct lane_planes *p) {
  return p->of_instance ? (uint32_t)(p->triangle->primitive % p->of_instance) : p->triangle->primitive;
}

static uint32_t built_in(const struct lane_planes *p, const struct shader_slot *s, const struct lane *l) {
  double screen[3];
  switch (s->builtin) {
  case PRIMITIVE_ID:
    return primitive_id(p);
  case FRAG_COORD:
    return coordinate(p, s->component, l);
  case POINT_COORD:
    raster_screen_shares(p->triangle, l->x, l->y, screen);
    return word_of((float)(0.5 + screen[1 + (s->component & 1)]));
  case FRONT_FACING:
    return p->triangle->is_front;
  case SAMPLE_ID:
    return l->quad->shaded_sample ? l->quad->shaded_sample - 1u : 0;
  case SAMPLE_POSITION:
    return word_of(0.5f + (float)(s->component ? l->place.y : l->place.x) / 16);
  case SAMPLE_MASK:
    return l->quad->samples[l->number];
  case SHADER_ACTIVE:
    return l->quad->is_tested ? l->quad->early_samples[l->number] != 0 : l->quad->coverage >> l->number & 1;
  case HELPER:
    return !(l->quad->coverage & 1u << l->number);
  default:
    return 0;
  }
}

/* The place at which centroid values are taken, from the pixel's centre: the centre where all samples are covered, else
 * the first sample that is. */
static struct sample_place centroid_of(const struct lane *l, uint32_t samples) {
  const uint16_t covered = l->quad->samples[l->number];
  const struct sample_place *places = sample_places(samples);
  for (uint32_t k = 0; places && covered != (1u << samples) - 1 && k < samples; k++)
    if (covered & 1u << k)
      return places[k];
  return (struct sample_place){0, 0};
}

OF_EACH_LANE void fill_lane(const struct lane_planes *p, const struct input *inputs, uint32_t count,
                            const struct lane *l, uint32_t samples, uint32_t *words) {
  const float x = (float)l->x + (p->half + (float)l->place.x / 16),
              y = (float)l->y + (p->half + (float)l->place.y / 16);
  const float w = 1 / plane_at(&p->setup.w, x, y);
  float near_x = x, near_y = y, near_w = w;
  if (samples > 1 && !l->quad->shaded_sample) {
    const struct sample_place offset = centroid_of(l, samples);
    near_x = x + (float)offset.x / 16;
    near_y = y + (float)offset.y / 16;
    near_w = 1 / plane_at(&p->setup.w, near_x, near_y);
  }
  for (uint32_t i = 0; i < count; i++) {
    const struct input *in = &inputs[i];
    words[i] = is_of_primitive(in)         ? value_of(in, p->triangle->provoking)
               : !is_of_vertices(in->slot) ? built_in(p, in->slot, l)
               : in->slot->centroid        ? interpolate(p, i, in, near_x, near_y, near_w)
                                           : interpolate(p, i, in, x, y, w);
  }
}

/* The same as fill_lane for a pixel of one sample whose inputs are all interpolated with perspective. */
OF_EACH_LANE void fill_perspective(const struct lane_planes *p, uint32_t count, float x, float y, uint32_t *words) {
  const struct plane_columns *c = &p->columns;
  const float w = 1 / plane_at(&p->setup.w, x, y);
  for (uint32_t i = 0; i < count; i += AT_ONCE) {
    float values[AT_ONCE];
    for (int k = 0; k < AT_ONCE; k++)
      values[k] = fmaf(c->along_y[i + k], y, fmaf(c->along_x[i + k], x, c->origin[i + k])) * w;
    if (count - i >= AT_ONCE)
      memcpy(words + i, values, sizeof values);
    else
      for (uint32_t k = 0; k < count - i; k++)
        words[i + k] = word_of(values[k]);
  }
}

OF_EACH_LANE void fill_lanes(const struct raster *r, struct lane_planes *planes, const struct input *inputs,
                             uint32_t count, uint32_t samples, struct stage_words *out) {
  const bool perspective = all_perspective(inputs, count, samples);
  const struct sample_place *places = sample_places(samples), centre = {0, 0};
  for (size_t q = 0; q < r->quad_count; q++) {
    const struct raster_triangle *t = &r->triangles[r->quads[q].triangle];
    if (t != planes->triangle)
      begin_triangle(planes, t, inputs, count);
    for (int lane = 0; lane < 4; lane++) {
      const uint8_t sample = r->quads[q].shaded_sample;
      const struct lane l = {&r->quads[q], lane, r->quads[q].x + (lane & 1), r->quads[q].y + (lane >> 1),
                             sample && places ? places[sample - 1] : centre};
      uint32_t *words = stage_word(out, 4 * q + (size_t)lane, 0);
      if (perspective)
        fill_perspective(planes, count, (float)l.x, (float)l.y, words);
      else
        fill_lane(planes, inputs, count, &l, samples, words);
    }
  }
}

/* Compiled with the instruction for fmaf where the processor has one; elsewhere fmaf is a call of the C library
 * with the same result. */
#ifdef __x86_64__
__attribute__((target("fma"))) static void fill_lanes_fused(const struct raster *r, struct lane_planes *planes,
                                                            const struct input *inputs, uint32_t count,
                                                            uint32_t samples, struct stage_words *out) {
  fill_lanes(r, planes, inputs, count, samples, out);
}

static bool fuses(void) {
  return __builtin_cpu_supports("fma");
}
#else
#define fill_lanes_fused fill_lanes

static bool fuses(void) {
  return false;
}
#endif

void fragments_inputs(const struct raster *r, const struct stage *vertex, const struct stage_words *vertices,
                      const struct stage *fragment, uint32_t samples, struct stage_words *out) {
  const struct shader_source *s = &fragment->source;
  struct input inputs[SHADER_MAX_SLOTS];
  struct lane_planes planes = {.half = samples > 1 ? 0.5f : 0, .of_instance = r->primitives_of_instance};
  for (uint32_t i = 0; i < s->input_count; i++) {
    const int slot = stage_output_slot(&vertex->source, &s->inputs[i]);
    inputs[i] = (struct input){&s->inputs[i], vertices, slot};
  }
  if (fuses())
    fill_lanes_fused(r, &planes, inputs, s->input_count, samples, out);
  else
    fill_lanes(r, &planes, inputs, s->input_count, samples, out);
}

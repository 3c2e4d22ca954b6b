/* The addressing modes and filters of samplers, as OpenCL 1.2, sections 8.2 and 8.4, defines them. */
#include "tracegen/abi/image_sample.h"

#include <math.h>

/* The texels of a read along one dimension: one, or two and the weight of the second. */
struct span {
  int32_t at[2];
  bool border[2];
  float weight;
};

/* Floors without calls of the C library, which kernels with images spend much of their time in. */

/* Returns the largest whole number that is not above the value, as a float. */
static float floor_of(float value) {
  if (!(fabsf(value) < 0x1p23f)) /* a whole number, infinite, or not a number */
    return value;
  const float whole = (float)(int32_t)value;
  return whole > value ? whole - 1.0f : whole;
}

/* Returns the floor, at most 2^30 from 0, which lies outside of every image; -2^30 for not-a-number. */
static int32_t floor_to_integer(float value) {
  const float most = 0x1p30f, whole = floor_of(value);
  return (int32_t)(whole > -most ? whole < most ? whole : most : -most);
}

static float fraction(float value) {
  return value - floor_of(value);
}

static int32_t limit(int32_t value, int32_t least, int32_t most) {
  return value < least ? least : value > most ? most : value;
}

/* Addressing modes that repeat the image are for normalised coordinates. */
static uint32_t address_mode(uint32_t sampler) {
  return sampler & SAMPLER_ADDRESS;
}

/* Returns the coordinate in units of texels. */
static float unnormalised(uint32_t sampler, float value, int32_t size) {
  if (!(sampler & SAMPLER_NORMALISED))
    return value;
  if (address_mode(sampler) == SAMPLER_REPEAT)
    return fraction(value) * (float)size;
  if (address_mode(sampler) == SAMPLER_MIRRORED_REPEAT)
    return fabsf(value - 2.0f * rintf(0.5f * value)) * (float)size;
  return value * (float)size;
}

static void address(struct span *s, unsigned which, uint32_t sampler, int32_t size) {
  const int32_t wanted = s->at[which];
  if (address_mode(sampler) == SAMPLER_REPEAT)
    s->at[which] = wanted < 0 ? wanted + size : wanted >= size ? wanted - size : wanted;
  s->at[which] = limit(s->at[which], 0, size - 1);
  s->border[which] = address_mode(sampler) == SAMPLER_CLAMP && s->at[which] != wanted;
}

static struct span span_of(uint32_t sampler, float value, int32_t size) {
  const float u = unnormalised(sampler, value, size);
  struct span s = {.weight = 0};
  if (sampler & SAMPLER_LINEAR) {
    s.at[0] = floor_to_integer(u - 0.5f);
    s.at[1] = s.at[0] + 1;
    s.weight = fraction(u - 0.5f);
    address(&s, 1, sampler, size);
  } else
    s.at[0] = floor_to_integer(u);
  address(&s, 0, sampler, size);
  return s;
}

bool image_inside(const struct image_argument *image, const int32_t place[3]) {
  const unsigned count = image_kind_sizes((enum image_kind)image->kind);
  for (unsigned d = 0; d < count; d++)
    if (place[d] < 0 || (uint32_t)place[d] >= image->size[d])
      return false;
  return true;
}

int32_t image_nearest_layer(const struct image_argument *image, int32_t layer) {
  return limit(layer, 0, (int32_t)image->layers - 1);
}

/* Returns the layer that a coordinate chooses: the nearest whole number, of two the even one, among those there are. */
static int32_t layer_of(const struct image_argument *image, float coordinate) {
  return image_nearest_layer(image, floor_to_integer(rintf(coordinate)));
}

struct image_sample image_sample_texel(const struct image_argument *image, uint32_t sampler, const int32_t place[3]) {
  const unsigned dimensions = image_kind_dimensions((enum image_kind)image->kind);
  struct span spans[3] = {{.weight = 0}};
  bool border = false;
  for (unsigned d = 0; d < dimensions; d++) {
    spans[d].at[0] = place[d];
    address(&spans[d], 0, sampler, (int32_t)image->size[d]);
    border |= spans[d].border[0];
  }
  if (image_kind_is_array((enum image_kind)image->kind))
    spans[dimensions].at[0] = image_nearest_layer(image, place[dimensions]);
  return (struct image_sample){.count = 1,
                               .x = {spans[0].at[0]},
                               .y = {spans[1].at[0]},
                               .z = {spans[2].at[0]},
                               .border = {border},
                               .weight = {1}};
}

/* Adds the texel of which the bits of `second` choose the second in each dimension. The weight of a span of one texel
 * is 1. */
static void add_texel(struct image_sample *s, const struct span spans[3], unsigned second) {
  const unsigned t = s->count++, i = second & 1, j = second >> 1 & 1, k = second >> 2;
  s->x[t] = spans[0].at[i];
  s->y[t] = spans[1].at[j];
  s->z[t] = spans[2].at[k];
  s->border[t] = spans[0].border[i] || spans[1].border[j] || spans[2].border[k];
  s->weight[t] = (i ? spans[0].weight : 1 - spans[0].weight) * (j ? spans[1].weight : 1 - spans[1].weight) *
                 (k ? spans[2].weight : 1 - spans[2].weight);
}

struct image_sample image_sample_point(const struct image_argument *image, uint32_t sampler, const float place[3]) {
  const unsigned dimensions = image_kind_dimensions((enum image_kind)image->kind);
  struct span spans[3] = {{.weight = 0}};
  struct image_sample s = {.count = 0};
  for (unsigned d = 0; d < dimensions; d++)
    spans[d] = span_of(sampler, place[d], (int32_t)image->size[d]);
  if (image_kind_is_array((enum image_kind)image->kind))
    spans[dimensions].at[0] = layer_of(image, place[dimensions]);
  for (unsigned second = 0; second < (sampler & SAMPLER_LINEAR ? 1u << dimensions : 1); second++)
    add_texel(&s, spans, second);
  return s;
}

void image_point_texel(const struct image_argument *image, uint32_t sampler, const float place[3], int32_t texel[3]) {
  const unsigned dimensions = image_kind_dimensions((enum image_kind)image->kind);
  for (unsigned d = 0; d < dimensions; d++)
    texel[d] = floor_to_integer(unnormalised(sampler, place[d], (int32_t)image->size[d]));
  if (image_kind_is_array((enum image_kind)image->kind))
    texel[dimensions] = layer_of(image, place[dimensions]);
}

static bool has_four_bytes(struct image_format format) {
  return format.order == IMAGE_RGBA && format.type == IMAGE_UNORM_INT8;
}

/* The texel, or the mixture of several, with a byte a channel: what most reads of textures are. */
static union image_color mix_bytes(const struct image_argument *image, const struct image_sample *sample) {
  union image_color sum = {.f = {0}};
  for (unsigned t = 0; t < sample->count; t++) {
    const uint8_t *bytes = (const uint8_t *)image_texel(image, sample->x[t], sample->y[t], sample->z[t]);
    for (unsigned i = 0; i < 4; i++)
      sum.f[i] += sample->weight[t] * image_byte_fraction(bytes[i]);
  }
  return sum;
}

static bool reads_border(const struct image_sample *sample) {
  bool border = false;
  for (unsigned t = 0; t < sample->count; t++)
    border |= sample->border[t];
  return border;
}

union image_color image_sample_color(const struct image_argument *image, const struct image_sample *sample) {
  union image_color sum = {.f = {0}};
  if (has_four_bytes(image->format) && !reads_border(sample))
    return mix_bytes(image, sample);
  for (unsigned t = 0; t < sample->count; t++) {
    const union image_color c =
        sample->border[t] ? image_border(image->format)
                          : image_load(image->format, image_texel(image, sample->x[t], sample->y[t], sample->z[t]));
    if (sample->count == 1)
      return c;
    for (unsigned i = 0; i < 4; i++)
      sum.f[i] += sample->weight[t] * c.f[i];
  }
  return sum;
}

/* The addressing modes and filters of samplers, as OpenCL 1.2, section 8.2, defines them. */
#include "tracegen/abi/image_sample.h"

#include <math.h>

/* The texels of a read along one dimension: one, or two and the weight of the second. */
struct span {
  int32_t at[2];
  bool border[2];
  float weight;
};

static int32_t to_integer(float value) {
  const float most = 0x1p30f; /* lies outside of every image */
  return isnan(value) ? (int32_t)-most : (int32_t)fminf(fmaxf(value, -most), most);
}

static float fraction(float value) {
  return value - floorf(value);
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
    s.at[0] = to_integer(floorf(u - 0.5f));
    s.at[1] = s.at[0] + 1;
    s.weight = fraction(u - 0.5f);
    address(&s, 1, sampler, size);
  } else
    s.at[0] = to_integer(floorf(u));
  address(&s, 0, sampler, size);
  return s;
}

bool image_inside(const struct image_argument *image, int32_t x, int32_t y) {
  return x >= 0 && y >= 0 && (uint32_t)x < image->width && (uint32_t)y < image->height;
}

struct image_sample image_sample_texel(const struct image_argument *image, uint32_t sampler, int32_t x, int32_t y) {
  struct span h = {.at = {x}}, v = {.at = {y}};
  address(&h, 0, sampler, (int32_t)image->width);
  address(&v, 0, sampler, (int32_t)image->height);
  return (struct image_sample){
      .count = 1, .x = {h.at[0]}, .y = {v.at[0]}, .border = {h.border[0] || v.border[0]}, .weight = {1}};
}

struct image_sample image_sample_point(const struct image_argument *image, uint32_t sampler, float x, float y) {
  const struct span h = span_of(sampler, x, (int32_t)image->width), v = span_of(sampler, y, (int32_t)image->height);
  const unsigned per_dimension = sampler & SAMPLER_LINEAR ? 2 : 1;
  struct image_sample s = {.count = per_dimension * per_dimension};
  for (unsigned j = 0, t = 0; j < per_dimension; j++)
    for (unsigned i = 0; i < per_dimension; i++, t++) {
      s.x[t] = h.at[i];
      s.y[t] = v.at[j];
      s.border[t] = h.border[i] || v.border[j];
      s.weight[t] = (i ? h.weight : 1 - h.weight) * (j ? v.weight : 1 - v.weight);
    }
  return s;
}

void image_point_texel(const struct image_argument *image, uint32_t sampler, float x, float y, int32_t texel[2]) {
  texel[0] = to_integer(floorf(unnormalised(sampler, x, (int32_t)image->width)));
  texel[1] = to_integer(floorf(unnormalised(sampler, y, (int32_t)image->height)));
}

union image_color image_sample_color(const struct image_argument *image, const struct image_sample *sample) {
  union image_color sum = {.f = {0}};
  for (unsigned t = 0; t < sample->count; t++) {
    const union image_color c = sample->border[t]
                                    ? image_border(image->format)
                                    : image_load(image->format, image_texel(image, sample->x[t], sample->y[t]));
    if (sample->count == 1)
      return c;
    for (unsigned i = 0; i < 4; i++)
      sum.f[i] += sample->weight[t] * c.f[i];
  }
  return sum;
}

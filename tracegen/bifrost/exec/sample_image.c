#include "tracegen/bifrost/exec/sample_image.h"

#include <math.h>

#include "tracegen/bifrost/alu/rounding.h"

/* The texels of a read along one dimension: one, or two and the weight of the second. */
struct span {
  int32_t at[2];
  bool is_border[2];
  unsigned count;
  float weight;
};

static int32_t limit(int32_t value, int32_t least, int32_t most) {
  return value < least ? least : value > most ? most : value;
}

static int32_t to_integer(float value) {
  const float most = 0x1p30f; /* lies outside of every image */
  return isnan(value) ? (int32_t)-most : (int32_t)fminf(fmaxf(value, -most), most);
}

static int32_t modulo(int32_t value, int32_t size) {
  const int32_t rest = value % size;
  return rest < 0 ? rest + size : rest;
}

/* Brings a coordinate into the image. */
static int32_t wrapped(int32_t at, int32_t size, uint8_t wrap, bool *is_border) {
  int32_t mirrored;
  *is_border = false;
  switch (wrap) {
  case WRAP_REPEAT:
    return modulo(at, size);
  case WRAP_MIRRORED_REPEAT:
    mirrored = modulo(at, 2 * size);
    return mirrored < size ? mirrored : 2 * size - 1 - mirrored;
  case WRAP_MIRRORED_EDGE:
  case WRAP_MIRRORED_BORDER:
    at = at < 0 ? -1 - at : at;
    break;
  default:
    break;
  }
  *is_border = (wrap == WRAP_BORDER || wrap == WRAP_MIRRORED_BORDER) && (at < 0 || at >= size);
  return limit(at, 0, size - 1);
}

static struct span span_of(const struct image_sampler *sampler, unsigned d, float value, int32_t size, bool filters) {
  const float u = sampler->is_normalised ? value * (float)size : value, first = floorf(filters ? u - 0.5f : u);
  struct span s = {.count = filters ? 2 : 1, .weight = filters ? u - 0.5f - first : 0};
  for (unsigned i = 0; i < s.count; i++)
    s.at[i] = wrapped(to_integer(first) + (int32_t)i, size, sampler->wrap[d], &s.is_border[i]);
  return s;
}

static struct texel read_texel(const struct image_view *view, uint64_t address) {
  const struct image *image = &view->image;
  const uint8_t *from = gpu_memory(view->runner, address, image->texel_bytes, view->lane);
  struct texel texel = {.is_integer = false};
  if (from)
    texel = texel_read(image->format, view->runner->dispatch->architecture, from);
  return texel_swizzle(&texel, image->swizzle);
}

struct texel image_fetch(const struct image_view *view, const int32_t at[3], uint64_t *address) {
  int32_t nearest[3];
  for (int d = 0; d < 3; d++)
    nearest[d] = limit(at[d], 0, (int32_t)view->image.size[d] - 1);
  *address = image_texel_address(&view->image, nearest);
  return image_contains(&view->image, at) ? read_texel(view, *address) : (struct texel){.is_integer = false};
}

/* The texels of all combinations of two spans, and a layer. */
struct blend {
  const struct image_view *view;
  const struct image_sampler *sampler;
  struct span span[3];
};

static struct texel texel_of(const struct blend *b, const unsigned which[3], uint64_t *address) {
  int32_t at[3];
  bool is_border = false;
  for (int d = 0; d < 3; d++) {
    at[d] = b->span[d].at[which[d]];
    is_border |= b->span[d].is_border[which[d]];
  }
  *address = image_texel_address(&b->view->image, at);
  return is_border ? b->sampler->border : read_texel(b->view, *address);
}

static struct texel blended(const struct blend *b) {
  float sum[4] = {0};
  struct texel out = {.is_integer = false};
  uint64_t address;
  for (unsigned t = 0; t < 8; t++) {
    const unsigned which[3] = {t & 1, t >> 1 & 1, t >> 2};
    float weight = 1;
    for (int d = 0; d < 3; d++)
      weight *= which[d] ? b->span[d].weight : 1 - b->span[d].weight;
    if (which[0] >= b->span[0].count || which[1] >= b->span[1].count || which[2] >= b->span[2].count)
      continue;
    const struct texel texel = texel_of(b, which, &address);
    for (int i = 0; i < 4; i++)
      sum[i] += weight * float_of(texel.component[i]);
  }
  for (int i = 0; i < 4; i++)
    out.component[i] = bits_of(sum[i]);
  return out;
}

struct texel image_sample(const struct image_view *view, const struct image_sampler *sampler, const float point[3],
                          uint64_t *address) {
  static const unsigned first[3] = {0, 0, 0};
  struct blend b = {.view = view, .sampler = sampler};
  for (unsigned d = 0; d < 3; d++)
    b.span[d] = d < view->image.dimensions
                    ? span_of(sampler, d, point[d], (int32_t)view->image.size[d], !sampler->is_nearest)
                    : (struct span){.at = {(int32_t)point[d]}, .count = 1};
  const struct texel texel = texel_of(&b, first, address);
  return sampler->is_nearest || texel.is_integer ? texel : blended(&b);
}

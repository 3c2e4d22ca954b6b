#include "graphics/pixel/blend.h"

#include <math.h>
#include <vulkan/vulkan_core.h>

bool blend_takes_second(const struct frame_blend *b) {
  return b->enabled && (b->source >= VK_BLEND_FACTOR_SRC1_COLOR || b->target >= VK_BLEND_FACTOR_SRC1_COLOR ||
                        b->source_alpha >= VK_BLEND_FACTOR_SRC1_COLOR || b->target_alpha >= VK_BLEND_FACTOR_SRC1_COLOR);
}

static float factor(uint32_t kind, unsigned c, const float constants[4], const union color s[2], const union color *t) {
  switch (kind) {
  case VK_BLEND_FACTOR_ZERO:
    return 0;
  case VK_BLEND_FACTOR_SRC_COLOR:
    return s->f[c];
  case VK_BLEND_FACTOR_ONE_MINUS_SRC_COLOR:
    return 1 - s->f[c];
  case VK_BLEND_FACTOR_DST_COLOR:
    return t->f[c];
  case VK_BLEND_FACTOR_ONE_MINUS_DST_COLOR:
    return 1 - t->f[c];
  case VK_BLEND_FACTOR_SRC_ALPHA:
    return s->f[3];
  case VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA:
    return 1 - s->f[3];
  case VK_BLEND_FACTOR_DST_ALPHA:
    return t->f[3];
  case VK_BLEND_FACTOR_ONE_MINUS_DST_ALPHA:
    return 1 - t->f[3];
  case VK_BLEND_FACTOR_CONSTANT_COLOR:
    return constants[c];
  case VK_BLEND_FACTOR_ONE_MINUS_CONSTANT_COLOR:
    return 1 - constants[c];
  case VK_BLEND_FACTOR_CONSTANT_ALPHA:
    return constants[3];
  case VK_BLEND_FACTOR_ONE_MINUS_CONSTANT_ALPHA:
    return 1 - constants[3];
  case VK_BLEND_FACTOR_SRC_ALPHA_SATURATE:
    return c == 3 ? 1 : fminf(s->f[3], 1 - t->f[3]);
  case VK_BLEND_FACTOR_SRC1_COLOR:
    return s[1].f[c];
  case VK_BLEND_FACTOR_ONE_MINUS_SRC1_COLOR:
    return 1 - s[1].f[c];
  case VK_BLEND_FACTOR_SRC1_ALPHA:
    return s[1].f[3];
  case VK_BLEND_FACTOR_ONE_MINUS_SRC1_ALPHA:
    return 1 - s[1].f[3];
  default:
    return 1;
  }
}

static float combine(uint32_t operation, float s, float t, float source_factor, float target_factor) {
  switch (operation) {
  case VK_BLEND_OP_SUBTRACT:
    return s * source_factor - t * target_factor;
  case VK_BLEND_OP_REVERSE_SUBTRACT:
    return t * target_factor - s * source_factor;
  case VK_BLEND_OP_MIN:
    return fminf(s, t);
  case VK_BLEND_OP_MAX:
    return fmaxf(s, t);
  default:
    return s * source_factor + t * target_factor;
  }
}

union color blend_colors(const struct frame_blend *b, const float constants[4], const union color s[2],
                         const union color *t) {
  union color out;
  for (unsigned c = 0; c < 4; c++) {
    const bool alpha = c == 3;
    out.f[c] = combine(alpha ? b->operation_alpha : b->operation, s->f[c], t->f[c],
                       factor(alpha ? b->source_alpha : b->source, c, constants, s, t),
                       factor(alpha ? b->target_alpha : b->target, c, constants, s, t));
  }
  return out;
}

/* Returns the byte of a share, which is limited to [0, 1]; not a number: 0. */
static int byte_of(float v) {
  const float above = v > 0 ? v : 0;
  return (int)lrintf((above < 1 ? above : 1) * 255);
}

/* Returns a / 255 * b, rounded (Mesa, src/gallium/auxiliary/gallivm/lp_bld_arit.c, lp_build_mul_norm). */
static int product_of_bytes(int a, int b) {
  const int ab = a * b;
  return (ab + (ab >> 8) + 128) >> 8;
}

/* The numbers of which a factor may be made, by channel. */
struct bytes_to_blend {
  int source[4], second[4], target[4];
  const float *constants;
};

static int second_factor(uint32_t kind, unsigned c, const struct bytes_to_blend *b) {
  const bool alpha = kind == VK_BLEND_FACTOR_SRC1_ALPHA || kind == VK_BLEND_FACTOR_ONE_MINUS_SRC1_ALPHA;
  const int value = b->second[alpha ? 3 : c];
  return kind == VK_BLEND_FACTOR_SRC1_COLOR || kind == VK_BLEND_FACTOR_SRC1_ALPHA ? value : 255 - value;
}

/* Of VkBlendFactor below SRC1_COLOR, an odd number is the complement of the even one before it: ZERO and ONE, SRC_COLOR
 * and ONE_MINUS_SRC_COLOR and so on. */
static int byte_factor(uint32_t kind, unsigned c, const struct bytes_to_blend *b) {
  const int left = 255 - b->target[3];
  int value;
  if (kind >= VK_BLEND_FACTOR_SRC1_COLOR)
    return second_factor(kind, c, b);
  switch (kind >> 1) {
  case VK_BLEND_FACTOR_ZERO >> 1:
    value = 0;
    break;
  case VK_BLEND_FACTOR_SRC_COLOR >> 1:
    value = b->source[c];
    break;
  case VK_BLEND_FACTOR_DST_COLOR >> 1:
    value = b->target[c];
    break;
  case VK_BLEND_FACTOR_SRC_ALPHA >> 1:
    value = b->source[3];
    break;
  case VK_BLEND_FACTOR_DST_ALPHA >> 1:
    value = b->target[3];
    break;
  case VK_BLEND_FACTOR_CONSTANT_COLOR >> 1:
    value = byte_of(b->constants[c]);
    break;
  case VK_BLEND_FACTOR_CONSTANT_ALPHA >> 1:
    value = byte_of(b->constants[3]);
    break;
  default:
    return kind != VK_BLEND_FACTOR_SRC_ALPHA_SATURATE || c == 3 ? 255 : b->source[3] < left ? b->source[3] : left;
  }
  return kind & 1 ? 255 - value : value;
}

static int combine_bytes(uint32_t operation, int s, int t, int source_factor, int target_factor) {
  const int from = product_of_bytes(s, source_factor), to = product_of_bytes(t, target_factor);
  switch (operation) {
  case VK_BLEND_OP_SUBTRACT:
    return from > to ? from - to : 0;
  case VK_BLEND_OP_REVERSE_SUBTRACT:
    return to > from ? to - from : 0;
  case VK_BLEND_OP_MIN:
    return s < t ? s : t;
  case VK_BLEND_OP_MAX:
    return s > t ? s : t;
  default:
    return from + to < 255 ? from + to : 255;
  }
}

void blend_bytes(const struct frame_blend *b, const float constants[4], const union color source[2],
                 const struct texel_format *f, uint8_t *texel) {
  struct bytes_to_blend in = {.target = {0, 0, 0, 255}, .constants = constants};
  for (unsigned c = 0; c < 4; c++)
    in.source[c] = byte_of(source[0].f[c]);
  for (unsigned c = 0; c < 4 && blend_takes_second(b); c++)
    in.second[c] = byte_of(source[1].f[c]);
  for (unsigned i = 0; i < f->channels; i++)
    in.target[f->place[i]] = texel[i];
  for (unsigned i = 0; i < f->channels; i++) {
    const unsigned c = f->place[i];
    const bool alpha = c == 3;
    if (b->mask & 1u << c)
      texel[i] = (uint8_t)combine_bytes(alpha ? b->operation_alpha : b->operation, in.source[c], in.target[c],
                                        byte_factor(alpha ? b->source_alpha : b->source, c, &in),
                                        byte_factor(alpha ? b->target_alpha : b->target, c, &in));
  }
}

#include "graphics/pixel/blend.h"

#include <math.h>
#include <vulkan/vulkan_core.h>

static float factor(uint32_t kind, unsigned c, const float constants[4], const union color *s, const union color *t) {
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

union color blend_colors(const struct frame_blend *b, const float constants[4], const union color *s,
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

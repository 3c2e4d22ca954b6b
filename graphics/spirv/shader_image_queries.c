/* Queries of images in shaders: sizes, numbers of levels and samples, the level of detail of a read. */
#include <spirv/unified1/spirv.h>
#include <vulkan/vulkan_core.h>

#include "graphics/spirv/shader_sample.h"

/* Sizes and numbers of levels are those of the texture that is bound. */
static void query(struct translation *t, const uint32_t *i) {
  struct sample s = {0};
  if (!sample_find_texture(t, i[3], &s))
    return;
  const uint32_t count = translation_components(t, i[1]), flat = s.dimension == SpvDim1D ? 1 : 2;
  const bool has_lod = spirv_opcode(i) == SpvOpImageQuerySizeLod && spirv_length(i) > 4;
  const uint32_t sizes[3] = {s.texture.width, s.texture.height, s.texture.depth};
  fprintf(t->body, "  v%u = (", i[2]);
  translation_type(t, i[1]);
  fputs(")(", t->body);
  for (uint32_t k = 0; k < count && translation_goes_on(t); k++) {
    const bool is_layers = s.is_array && k == count - 1 && k >= flat;
    fputs(k ? ", " : "", t->body);
    if (is_layers)
      fprintf(t->body, "%u", s.dimension == SpvDimCube ? s.texture.layers / 6 : s.texture.layers / s.texture.samples);
    else if (has_lod)
      fprintf(t->body, "max(%u >> (int)v%u, 1)", sizes[k < 3 ? k : 2], i[4]);
    else
      fprintf(t->body, "%u", sizes[k < 3 ? k : 2]);
  }
  fputs(");\n", t->body);
}

static void query_count(struct translation *t, const uint32_t *i) {
  struct sample s = {0};
  if (sample_find_texture(t, i[3], &s))
    fprintf(t->body, "  v%u = %u;\n", i[2],
            spirv_opcode(i) == SpvOpImageQueryLevels ? s.texture.levels : s.texture.samples);
}

/* The level that a read would take, and the level of detail before its limits (Vulkan 1.3, section 16.5.7). Coordinates
 * have no layer. */
static void query_lod(struct translation *t, const uint32_t *i) {
  struct sample s = {.result = i[2], .coordinates = i[4]};
  if (!sample_find_texture(t, i[3], &s))
    return;
  const struct frame_sampler *k = s.texture.sampler;
  const bool linear = k->mipmap == VK_SAMPLER_MIPMAP_MODE_LINEAR;
  s.is_array = false;
  sample_write_place(t, &s);
  sample_write_lod(t, &s);
  fprintf(t->body, "  v%u = (float2)(clamp(%sfmin(fmax(lod, %ff), %ff)%s, 0.0f, %u.0f), lod);\n", i[2],
          linear ? "" : "rint(", k->least_lod, k->most_lod, linear ? "" : ")", s.texture.levels - 1);
}

bool translation_image_query(struct translation *t, const uint32_t *i) {
  switch (spirv_opcode(i)) {
  case SpvOpImageQuerySizeLod:
  case SpvOpImageQuerySize:
    query(t, i);
    return true;
  case SpvOpImageQueryLevels:
  case SpvOpImageQuerySamples:
    query_count(t, i);
    return true;
  case SpvOpImageQueryLod:
    query_lod(t, i);
    return true;
  default:
    return false;
  }
}

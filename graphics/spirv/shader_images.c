/* Derivatives, which a quad computes together, and reads of images. */
#include <spirv/unified1/spirv.h>
#include <vulkan/vulkan_core.h>

#include "graphics/spirv/translation.h"

/* Derivatives: each work-item of a quad puts its value into local memory and takes its neighbours'. */

/* Writes "<name> = the derivative of <value>", both float4. */
static void write_derivative(struct translation *t, const char *name, const char *value, bool along_y) {
  t->out->in_quads = true;
  fprintf(t->body,
          "  quad[lane] = %s;\n  barrier(CLK_LOCAL_MEM_FENCE);\n  %s = quad[lane | %d] - quad[lane & %d];\n"
          "  barrier(CLK_LOCAL_MEM_FENCE);\n",
          value, name, along_y ? 2 : 1, along_y ? 1 : 2);
}

static void widen(struct translation *t, char *text, size_t size, uint32_t id) {
  static const char *const formats[] = {"(float4)(v%u, 0, 0, 0)", "(float4)(v%u, 0, 0)", "(float4)(v%u, 0)", "v%u"};
  snprintf(text, size, formats[(translation_components(t, spirv_id(&t->module, id)->type) - 1) & 3], id);
}

static void write_narrowed(struct translation *t, uint32_t result, uint32_t type, const char *name) {
  static const char *const parts[] = {"x", "xy", "xyz", "xyzw"};
  fprintf(t->body, "  v%u = %s.%s;\n", result, name, parts[(translation_components(t, type) - 1) & 3]);
}

static bool is_derivative(uint16_t opcode) {
  return opcode >= SpvOpDPdx && opcode <= SpvOpFwidthCoarse;
}

static void derivative(struct translation *t, const uint32_t *i) {
  const uint16_t opcode = spirv_opcode(i);
  const bool x = opcode == SpvOpDPdx || opcode == SpvOpDPdxFine || opcode == SpvOpDPdxCoarse;
  const bool y = opcode == SpvOpDPdy || opcode == SpvOpDPdyFine || opcode == SpvOpDPdyCoarse;
  char value[64];
  widen(t, value, sizeof value, i[3]);
  if (!y)
    write_derivative(t, "along_x", value, false);
  if (!x)
    write_derivative(t, "along_y", value, true);
  if (!x && !y)
    fputs("  along_x = fabs(along_x) + fabs(along_y);\n", t->body);
  write_narrowed(t, i[2], i[1], y ? "along_y" : "along_x");
}

/* Reads of images. */

struct sample {
  uint32_t resource, result, coordinates, lod, bias; /* ids; 0: none */
  struct shader_texture texture;
  bool projects;
};

static const char *address_name(uint32_t mode) {
  switch (mode) {
  case VK_SAMPLER_ADDRESS_MODE_REPEAT:
    return "CLK_ADDRESS_REPEAT";
  case VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT:
    return "CLK_ADDRESS_MIRRORED_REPEAT";
  case VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE:
    return "CLK_ADDRESS_CLAMP_TO_EDGE";
  default:
    return "CLK_ADDRESS_CLAMP";
  }
}

static void check_sampler(struct translation *t, const struct frame_sampler *s) {
  if (s->address[0] != s->address[1])
    translation_fail(t, "samplers whose address modes differ");
  if (s->address[0] == VK_SAMPLER_ADDRESS_MODE_MIRROR_CLAMP_TO_EDGE)
    translation_fail(t, "samplers that mirror once");
  if (s->address[0] == VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER && s->border > VK_BORDER_COLOR_INT_TRANSPARENT_BLACK)
    translation_fail(t, "borders that are not transparent");
  if (s->compares || s->unnormalized)
    translation_fail(t, "samplers that compare or have coordinates in texels");
}

/* Writes a read of one level, which the device filters. */
static void write_read(struct translation *t, const struct sample *s, const char *name, uint32_t level, bool linear) {
  fprintf(t->body, "%s = read_imagef(t%u_%u, CLK_NORMALIZED_COORDS_TRUE | %s | %s, at);", name, s->resource, level,
          address_name(s->texture.sampler->address[0]), linear ? "CLK_FILTER_LINEAR" : "CLK_FILTER_NEAREST");
}

/* Writes a read of the level that the variable `level` names. */
static void write_level(struct translation *t, const struct sample *s, const char *name, bool linear) {
  if (s->texture.levels == 1) {
    fputs("    ", t->body);
    write_read(t, s, name, 0, linear);
    fputs("\n", t->body);
    return;
  }
  fputs("    switch (level) {\n", t->body);
  for (uint32_t k = 0; k < s->texture.levels; k++) {
    fprintf(t->body, k + 1 < s->texture.levels ? "    case %u: " : "    default: ", k);
    write_read(t, s, name, k, linear);
    fputs(" break;\n", t->body);
  }
  fputs("    }\n", t->body);
}

/* Vulkan 1.3, section 16.5.7: the level of detail is the logarithm of the longer footprint of a pixel, in texels. */
static void write_lod(struct translation *t, const struct sample *s) {
  const struct frame_sampler *k = s->texture.sampler;
  if (s->lod)
    fprintf(t->body, "  lod = v%u;\n", s->lod);
  else {
    write_derivative(t, "along_x", "(float4)(at, 0, 0)", false);
    write_derivative(t, "along_y", "(float4)(at, 0, 0)", true);
    fprintf(t->body,
            "  size = (float2)(get_image_width(t%u_0), get_image_height(t%u_0));\n"
            "  lod = log2(fmax(length(along_x.xy * size), length(along_y.xy * size)));\n",
            s->resource, s->resource);
  }
  if (s->bias)
    fprintf(t->body, "  lod += v%u;\n", s->bias);
  fprintf(t->body, "  lod = fmin(fmax(lod + %ff, %ff), %ff);\n", k->lod_bias, k->least_lod, k->most_lod);
}

static bool needs_lod(const struct sample *s) {
  const struct frame_sampler *k = s->texture.sampler;
  return (s->texture.levels > 1 && k->most_lod > 0) || k->magnify != k->minify;
}

/* Magnified: the filter for magnification, of the first level. */
static void write_filtered(struct translation *t, const struct sample *s) {
  const struct frame_sampler *k = s->texture.sampler;
  const bool two = k->mipmap == VK_SAMPLER_MIPMAP_MODE_LINEAR && s->texture.levels > 1;
  fputs("  if (lod <= 0) {\n    level = 0;\n    ", t->body);
  write_read(t, s, "texel", 0, k->magnify == VK_FILTER_LINEAR);
  fprintf(t->body, "\n  } else {\n    level = clamp((int)%s, 0, %u);\n", two ? "floor(lod)" : "ceil(lod - 0.5f)",
          s->texture.levels - 1);
  write_level(t, s, "texel", k->minify == VK_FILTER_LINEAR);
  if (two) {
    fprintf(t->body, "    level = min(level + 1, %d);\n", (int)s->texture.levels - 1);
    write_level(t, s, "next_texel", k->minify == VK_FILTER_LINEAR);
    fputs("    texel = mix(texel, next_texel, lod - floor(lod));\n", t->body);
  }
  fputs("  }\n", t->body);
}

static bool is_plain_2d(const struct translation *t, uint32_t type) {
  const struct spirv_id *i = spirv_id(&t->module, type);
  if (i->opcode == SpvOpTypeSampledImage)
    i = spirv_id(&t->module, spirv_operand(i, 1));
  return i->opcode == SpvOpTypeImage && spirv_operand(i, 2) == SpvDim2D && !spirv_operand(i, 4) &&
         !spirv_operand(i, 5) && translation_is_float(t, spirv_operand(i, 1));
}

static bool find_texture(struct translation *t, uint32_t id, struct sample *s) {
  const struct place *p = id < t->module.bound ? &t->places[id] : NULL;
  if (!p || p->kind != PLACE_TEXTURE || !is_plain_2d(t, p->type)) {
    translation_fail(t, "images that are not two-dimensional with colors of floats");
    return false;
  }
  struct shader_resource *r = &t->out->resources[p->resource];
  s->resource = p->resource;
  if (!t->request->texture(t->request->user, r->set, r->binding, r->element, &s->texture)) {
    translation_fail(t, "a texture that is not bound");
    return false;
  }
  r->levels = s->texture.levels;
  return true;
}

static void take_operands(struct translation *t, const uint32_t *i, struct sample *s) {
  const uint32_t mask = spirv_length(i) > 5 ? i[5] : 0;
  if (mask & ~(uint32_t)(SpvImageOperandsBiasMask | SpvImageOperandsLodMask))
    translation_fail(t, "operands %#x of a read of an image", mask);
  if ((mask & SpvImageOperandsBiasMask) && spirv_length(i) > 6)
    s->bias = i[6];
  if ((mask & SpvImageOperandsLodMask) && spirv_length(i) > 6)
    s->lod = i[6];
}

static void write_sample(struct translation *t, const struct sample *s) {
  const uint32_t components = translation_components(t, spirv_id(&t->module, s->coordinates)->type);
  check_sampler(t, s->texture.sampler);
  fprintf(t->body, "  at = v%u.xy", s->coordinates);
  if (s->projects)
    fprintf(t->body, " / v%u.s%x", s->coordinates, components - 1);
  fputs(";\n", t->body);
  if (needs_lod(s)) {
    write_lod(t, s);
    write_filtered(t, s);
  } else
    write_level(t, s, "  texel", s->texture.sampler->magnify == VK_FILTER_LINEAR);
  fprintf(t->body, "  v%u = texel;\n", s->result);
}

static void fetch(struct translation *t, const uint32_t *i) {
  struct sample s = {0};
  if (!find_texture(t, i[3], &s))
    return;
  fprintf(t->body,
          "  v%u = read_imagef(t%u_0, clamp(as_int2(v%u), (int2)(0), "
          "(int2)(get_image_width(t%u_0) - 1, get_image_height(t%u_0) - 1)));\n",
          i[2], s.resource, i[4], s.resource, s.resource);
}

bool translation_image(struct translation *t, const uint32_t *i) {
  const uint16_t opcode = spirv_opcode(i);
  struct sample s = {.result = i[2], .coordinates = spirv_length(i) > 4 ? i[4] : 0};
  if (is_derivative(opcode)) {
    derivative(t, i);
    return true;
  }
  switch (opcode) {
  case SpvOpImageSampleProjImplicitLod:
  case SpvOpImageSampleProjExplicitLod:
    s.projects = true; /* fall through */
  case SpvOpImageSampleImplicitLod:
  case SpvOpImageSampleExplicitLod:
    take_operands(t, i, &s);
    if (find_texture(t, i[3], &s))
      write_sample(t, &s);
    return true;
  case SpvOpImageFetch:
    fetch(t, i);
    return true;
  case SpvOpImage:
    if (i[2] < t->module.bound && i[3] < t->module.bound) {
      t->places[i[2]] = t->places[i[3]];
      t->places[i[2]].text = NULL;
    }
    return true;
  default:
    return false;
  }
}

/* Derivatives, which a quad computes together, and reads of images. */
#include <spirv/unified1/spirv.h>
#include <vulkan/vulkan_core.h>

#include "graphics/spirv/shader_sample.h"

/* Derivatives: each work-item of a quad puts its value into local memory and takes its neighbours'. */

/* Writes "<name> = the derivative of <value>", both float4: of the lane's row or column, or of the quad's first one. */
static void write_derivative(struct translation *t, const char *name, const char *value, bool along_y, bool of_first) {
  const int next = along_y ? 2 : 1, other = along_y ? 1 : 2;
  t->out->in_quads = true;
  fprintf(t->body, "  quad[lane] = %s;\n  barrier(CLK_LOCAL_MEM_FENCE);\n", value);
  if (of_first)
    fprintf(t->body, "  %s = quad[%d] - quad[0];\n", name, next);
  else
    fprintf(t->body, "  %s = quad[lane | %d] - quad[lane & %d];\n", name, next, other);
  fputs("  barrier(CLK_LOCAL_MEM_FENCE);\n", t->body);
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
    write_derivative(t, "along_x", value, false, false);
  if (!x)
    write_derivative(t, "along_y", value, true, false);
  if (!x && !y)
    fputs("  along_x = fabs(along_x) + fabs(along_y);\n", t->body);
  write_narrowed(t, i[2], i[1], y ? "along_y" : "along_x");
}

/* Reads of images. */

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

static void check_sampler(struct translation *t, const struct sample *s) {
  const struct frame_sampler *k = s->texture.sampler;
  bool border = false;
  for (int axis = 0; axis < 3; axis++)
    border = border || k->address[axis] == VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER;
  if (border && k->border > VK_BORDER_COLOR_INT_OPAQUE_WHITE)
    translation_fail(t, "borders of a color of their own");
  if (s->reference && !k->compares)
    translation_fail(t, "a comparison with a sampler that does not compare");
}

/* Writes a read of one level, which the device filters. */
static void write_read(struct translation *t, const struct sample *s, const char *name, uint32_t level, bool linear) {
  fprintf(t->body, "%s = read_imagef(t%u_%u, CLK_NORMALIZED_COORDS_TRUE | %s | %s, at);", name, s->resource, level,
          address_name(s->texture.sampler->address[0]), linear ? "CLK_FILTER_LINEAR" : "CLK_FILTER_NEAREST");
}

/* Writes a read of the level that the variable `level` names. */
static void write_level(struct translation *t, const struct sample *s, const char *name, bool linear) {
  if (sample_reads_texels(s)) {
    sample_write_texels(t, s, name, linear);
    return;
  }
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

/* Writes `along_x` and `along_y`: how the coordinates change from pixel to pixel. */
static void write_changes(struct translation *t, const struct sample *s) {
  char x[64], y[64];
  const bool cube = s->dimension == SpvDimCube, deep = s->dimension == SpvDim3D;
  if (s->along_x) {
    widen(t, x, sizeof x, s->along_x);
    widen(t, y, sizeof y, s->along_y);
    fprintf(t->body, "  along_x = %s;\n  along_y = %s;\n", x, y);
  } else {
    const char *place = cube ? "(float4)(direction, 0)" : deep ? "(float4)(at, slice, 0)" : "(float4)(at, 0, 0)";
    write_derivative(t, "along_x", place, false, true);
    write_derivative(t, "along_y", place, true, true);
  }
  if (cube)
    sample_write_cube_changes(t);
}

static void write_size(struct translation *t, const struct sample *s) {
  if (sample_reads_texels(s))
    fprintf(t->body, "  size = (float2)(%u, %u);\n", s->texture.width, s->texture.height);
  else
    fprintf(t->body, "  size = (float2)(get_image_width(t%u_0), get_image_height(t%u_0));\n", s->resource, s->resource);
}

/* Writes the level of detail (Vulkan 1.3, section 16.5.7): the logarithm of the longer footprint of a pixel in texels,
 * of an anisotropic filter of the shorter one. It is linear between powers of two, as lavapipe has it: at most 0.043
 * below. */
static void write_footprint(struct translation *t, const struct sample *s) {
  write_changes(t, s);
  write_size(t, s);
  if (s->dimension == SpvDim3D)
    fprintf(t->body,
            "  along_x.xyz *= (float3)(size, %u);\n  along_y.xyz *= (float3)(size, %u);\n"
            "  lod = fmax(dot(along_x.xyz, along_x.xyz), dot(along_y.xyz, along_y.xyz));\n",
            s->texture.depth, s->texture.depth);
  else
    fprintf(t->body,
            "  lod = %s(dot(along_x.xy * size, along_x.xy * size), dot(along_y.xy * size, along_y.xy * size));\n",
            sample_is_anisotropic(s) ? "fmin" : "fmax");
  fputs("  lod = 0.5f * ((float)((int)(as_uint(lod) >> 23) - 128) + as_float((as_uint(lod) & 0x7fffff) | "
        "0x3f800000));\n",
        t->body);
}

void sample_write_lod(struct translation *t, const struct sample *s) {
  if (s->lod)
    fprintf(t->body, "  lod = v%u;\n", s->lod);
  else
    write_footprint(t, s);
  if (s->bias)
    fprintf(t->body, "  lod += v%u;\n", s->bias);
  fprintf(t->body, "  lod += %ff;\n", s->texture.sampler->lod_bias);
}

static void write_clamped_lod(struct translation *t, const struct sample *s) {
  const struct frame_sampler *k = s->texture.sampler;
  sample_write_lod(t, s);
  fprintf(t->body, "  lod = fmin(fmax(lod, %ff), %ff);\n", k->least_lod, k->most_lod);
}

static bool needs_lod(const struct sample *s) {
  const struct frame_sampler *k = s->texture.sampler;
  return !s->gathers && ((s->texture.levels > 1 && k->most_lod > 0) || k->magnify != k->minify);
}

/* Magnified: the filter for magnification, of the first level. Where two levels are equally near, Vulkan permits
 * either. */
static void write_filtered(struct translation *t, const struct sample *s) {
  const struct frame_sampler *k = s->texture.sampler;
  const bool two = k->mipmap == VK_SAMPLER_MIPMAP_MODE_LINEAR && s->texture.levels > 1;
  fputs("  if (lod <= 0) {\n    level = 0;\n    ", t->body);
  if (sample_reads_texels(s))
    sample_write_texels(t, s, "texel", k->magnify == VK_FILTER_LINEAR);
  else
    write_read(t, s, "texel", 0, k->magnify == VK_FILTER_LINEAR);
  fprintf(t->body, "\n  } else {\n    level = clamp((int)%s, 0, %u);\n", two ? "floor(lod)" : "floor(lod + 0.5f)",
          s->texture.levels - 1);
  write_level(t, s, "texel", k->minify == VK_FILTER_LINEAR);
  if (two) {
    fprintf(t->body, "    level = min(level + 1, %d);\n", (int)s->texture.levels - 1);
    write_level(t, s, "next_texel", k->minify == VK_FILTER_LINEAR);
    fputs("    texel = mix(texel, next_texel, lod - floor(lod));\n", t->body);
  }
  fputs("  }\n", t->body);
}

/* Finds the image's type behind a sampled image's. */
static const struct spirv_id *image_type(const struct translation *t, uint32_t type) {
  const struct spirv_id *i = spirv_id(&t->module, type);
  return i->opcode == SpvOpTypeSampledImage ? spirv_id(&t->module, spirv_operand(i, 1)) : i;
}

static bool take_type(const struct translation *t, uint32_t type, struct sample *s) {
  const struct spirv_id *i = image_type(t, type);
  if (i->opcode != SpvOpTypeImage)
    return false;
  s->dimension = spirv_operand(i, 2);
  s->is_array = spirv_operand(i, 4);
  s->is_multisampled = spirv_operand(i, 5);
  s->is_integer = !translation_is_float(t, spirv_operand(i, 1));
  return s->dimension <= SpvDimCube;
}

bool sample_find_texture(struct translation *t, uint32_t id, struct sample *s) {
  const struct place *p = id < t->module.bound ? &t->places[id] : NULL;
  if (!p || p->kind != PLACE_TEXTURE || !take_type(t, p->type, s)) {
    translation_fail(t, "images of an unknown shape");
    return false;
  }
  struct shader_resource *r = &t->out->resources[p->resource];
  s->resource = p->resource;
  if (!t->request->texture(t->request->user, r->set, r->binding, r->element, &s->texture)) {
    translation_fail(t, "a texture that is not bound");
    return false;
  }
  if (!s->texture.sampler) {
    translation_fail(t, "a texture without a sampler");
    return false;
  }
  s->texture.samples = s->texture.samples ? s->texture.samples : 1;
  r->levels = s->texture.stacked ? 1 : s->texture.levels;
  return true;
}

/* Takes the image operands that begin at word `at`. */
static void take_operands(struct translation *t, const uint32_t *i, unsigned at, struct sample *s) {
  const unsigned length = spirv_length(i);
  const uint32_t mask = length > at ? i[at] : 0;
  uint32_t ignored;
  uint32_t *const takes[] = {&s->bias, &s->lod, &s->along_x, &s->offset, &s->offset, &ignored, &s->sample};
  unsigned word = at + 1;
  for (unsigned bit = 0; bit < 7; bit++) {
    if (!(mask & 1u << bit) || word >= length)
      continue;
    *takes[bit] = i[word++];
    if (bit == 2 && word < length)
      s->along_y = i[word++];
  }
  if (mask & ~95u || (s->along_x && !s->along_y))
    translation_fail(t, "operands %#x of a read of an image", mask);
}

/* The bits of integers come as those of floats. */
static void write_result(struct translation *t, const struct sample *s, uint32_t result, const char *texel) {
  fprintf(t->body, "  v%u = ", result);
  if (s->is_integer) {
    fputs("as_", t->body);
    translation_type(t, spirv_id(&t->module, result)->type);
  }
  fprintf(t->body, "(%s);\n", texel);
}

static void write_sample(struct translation *t, const struct sample *s) {
  const bool scalar = s->reference && !s->gathers;
  check_sampler(t, s);
  sample_write_place(t, s);
  if (sample_is_anisotropic(s)) {
    write_clamped_lod(t, s);
    fprintf(t->body, "  level = clamp((int)lod, 0, %u);\n", s->texture.levels - 1);
    sample_write_anisotropic(t, s, "texel");
  } else if (needs_lod(s)) {
    write_clamped_lod(t, s);
    write_filtered(t, s);
  } else {
    if (sample_reads_texels(s))
      fputs("  level = 0;\n", t->body);
    write_level(t, s, "  texel", s->texture.sampler->magnify == VK_FILTER_LINEAR);
  }
  write_result(t, s, s->result, scalar ? "texel.x" : "texel");
}

static void fetch(struct translation *t, const uint32_t *i) {
  struct sample s = {0};
  take_operands(t, i, 5, &s);
  if (!sample_find_texture(t, i[3], &s))
    return;
  const bool scalar = translation_components(t, spirv_id(&t->module, i[4])->type) == 1;
  char x[48], y[48];
  snprintf(x, sizeof x, scalar ? "(int)v%u" : "(int)v%u.x", i[4]);
  snprintf(y, sizeof y, scalar || s.dimension == SpvDim1D ? "0" : "(int)v%u.y", i[4]);
  if (s.offset)
    translation_fail(t, "a fetch with an offset");
  fputs("  level = ", t->body);
  fprintf(t->body, s.lod ? "clamp((int)v%u, 0, %u);\n" : "0;\n", s.lod, s.texture.levels - 1);
  if (s.is_array)
    fprintf(t->body, "  layer = clamp((int)v%u.%s, 0, %u);\n", i[4], s.dimension == SpvDim1D ? "y" : "z",
            s.texture.layers / s.texture.samples - 1);
  if (s.is_multisampled && s.sample)
    fprintf(t->body, "  layer = %s * %u + clamp((int)v%u, 0, %u);\n", s.is_array ? "layer" : "0", s.texture.samples,
            s.sample, s.texture.samples - 1);
  if (s.dimension == SpvDim3D)
    fprintf(t->body, "  layer = v%u.z;\n", i[4]);
  sample_write_texel(t, &s, "texel", x, y);
  write_result(t, &s, i[2], "texel");
}

/* Returns the value of a constant; 0 for others. */
static uint32_t constant_of(const struct translation *t, uint32_t id) {
  const struct spirv_id *c = spirv_id(&t->module, id);
  return c->opcode == SpvOpConstant ? spirv_operand(c, 2) : 0;
}

/* Takes a sampling instruction; operands begin at word 5, or behind a reference or channel at word 6. */
static void take_sample(struct translation *t, const uint32_t *i) {
  const uint16_t opcode = spirv_opcode(i);
  struct sample s = {.result = i[2], .coordinates = spirv_length(i) > 4 ? i[4] : 0};
  const bool compares = opcode == SpvOpImageSampleDrefImplicitLod || opcode == SpvOpImageSampleDrefExplicitLod ||
                        opcode == SpvOpImageSampleProjDrefImplicitLod ||
                        opcode == SpvOpImageSampleProjDrefExplicitLod || opcode == SpvOpImageDrefGather;
  s.projects = opcode >= SpvOpImageSampleProjImplicitLod && opcode <= SpvOpImageSampleProjDrefExplicitLod;
  s.gathers = opcode == SpvOpImageGather || opcode == SpvOpImageDrefGather;
  if (compares && spirv_length(i) > 5)
    s.reference = i[5];
  if (opcode == SpvOpImageGather && spirv_length(i) > 5)
    s.channel = constant_of(t, i[5]);
  take_operands(t, i, compares || s.gathers ? 6 : 5, &s);
  if (sample_find_texture(t, i[3], &s))
    write_sample(t, &s);
}

bool translation_image(struct translation *t, const uint32_t *i) {
  const uint16_t opcode = spirv_opcode(i);
  if (is_derivative(opcode)) {
    derivative(t, i);
    return true;
  }
  if ((opcode >= SpvOpImageSampleImplicitLod && opcode <= SpvOpImageSampleProjDrefExplicitLod) ||
      opcode == SpvOpImageGather || opcode == SpvOpImageDrefGather) {
    take_sample(t, i);
    return true;
  }
  if (opcode == SpvOpImageFetch)
    fetch(t, i);
  else if (opcode == SpvOpImage && i[2] < t->module.bound && i[3] < t->module.bound) {
    t->places[i[2]] = t->places[i[3]];
    t->places[i[2]].text = NULL;
  } else
    return translation_image_query(t, i);
  return true;
}

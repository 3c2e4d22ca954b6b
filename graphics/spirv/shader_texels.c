/* Reads of textures texel by texel. Vulkan 1.3, section 16. */
#include <spirv/unified1/spirv.h>
#include <vulkan/vulkan_core.h>

#include "graphics/spirv/shader_sample.h"

/* Addresses of texels beyond the border, -1: the border's color. The place on a cube: coordinates on the face, and its
 * number (table 16.3.3). One texel beyond the border of a face lies on its neighbour. */
static const char functions[] =
    "int wrap(int i, int n, int mode) {\n"
    "  const int twice = (i % (2 * n) + 2 * n) % (2 * n);\n"
    "  switch (mode) {\n"
    "  case 0: return (i % n + n) % n;\n"
    "  case 1: return twice < n ? twice : 2 * n - 1 - twice;\n"
    "  case 2: return clamp(i, 0, n - 1);\n"
    "  case 4: return min(i < 0 ? -1 - i : i, n - 1);\n"
    "  default: return i < 0 || i >= n ? -1 : i;\n"
    "  }\n"
    "}\n"
    "int cube_face(float3 d) {\n"
    "  const float3 a = fabs(d);\n"
    "  if (a.z >= a.x && a.z >= a.y) return d.z < 0 ? 5 : 4;\n"
    "  if (a.y >= a.x) return d.y < 0 ? 3 : 2;\n"
    "  return d.x < 0 ? 1 : 0;\n"
    "}\n"
    "float3 cube_axes(int face, float3 d) {\n"
    "  switch (face) {\n"
    "  case 0: return (float3)(-d.z, -d.y, d.x);\n"
    "  case 1: return (float3)(d.z, -d.y, -d.x);\n"
    "  case 2: return (float3)(d.x, d.z, d.y);\n"
    "  case 3: return (float3)(d.x, -d.z, -d.y);\n"
    "  case 4: return (float3)(d.x, -d.y, d.z);\n"
    "  default: return (float3)(-d.x, -d.y, -d.z);\n"
    "  }\n"
    "}\n"
    "float3 cube_direction(int face, float s, float t) {\n"
    "  switch (face) {\n"
    "  case 0: return (float3)(1, -t, -s);\n"
    "  case 1: return (float3)(-1, -t, s);\n"
    "  case 2: return (float3)(s, 1, t);\n"
    "  case 3: return (float3)(s, -1, -t);\n"
    "  case 4: return (float3)(s, -t, 1);\n"
    "  default: return (float3)(-s, -t, -1);\n"
    "  }\n"
    "}\n"
    "int3 cube_texel(int face, int x, int y, int n) {\n"
    "  if (x >= 0 && x < n && y >= 0 && y < n) return (int3)(x, y, face);\n"
    "  const float3 d = cube_direction(face, (2 * x + 1) / (float)n - 1, (2 * y + 1) / (float)n - 1);\n"
    "  const int other = cube_face(d);\n"
    "  const float3 a = cube_axes(other, d);\n"
    "  return (int3)(clamp((int)((a.x / a.z + 1) * n / 2), 0, n - 1), clamp((int)((a.y / a.z + 1) * n / 2), 0, n - 1), "
    "other);\n"
    "}\n"
    "float2 cube_change(int face, float3 d, float3 change) {\n"
    "  const float3 a = cube_axes(face, d), c = cube_axes(face, change);\n"
    "  return (c.xy * a.z - a.xy * c.z) / (2 * a.z * a.z);\n"
    "}\n";

void sample_write_functions(FILE *file) {
  fputs(functions, file);
}

static bool filters_on_device(const struct frame_sampler *k) {
  const bool clear_border =
      k->address[0] != VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER || k->border <= VK_BORDER_COLOR_INT_TRANSPARENT_BLACK;
  return k->address[0] == k->address[1] && k->address[0] != VK_SAMPLER_ADDRESS_MODE_MIRROR_CLAMP_TO_EDGE &&
         clear_border && !k->unnormalized;
}

bool sample_reads_texels(const struct sample *s) {
  return sample_is_anisotropic(s) || s->texture.stacked || s->dimension != SpvDim2D || s->is_array || s->offset ||
         s->reference || s->gathers || !filters_on_device(s->texture.sampler);
}

static void write_cube_place(struct translation *t, const struct sample *s) {
  fprintf(t->body,
          "  direction = v%u.xyz;\n  face = cube_face(direction);\n  axes = cube_axes(face, direction);\n"
          "  at = axes.xy / axes.z * 0.5f + 0.5f;\n",
          s->coordinates);
  if (s->is_array)
    fprintf(t->body, "  layer = clamp((int)rint(v%u.w), 0, %u);\n", s->coordinates,
            s->texture.layers >= 6 ? s->texture.layers / 6 - 1 : 0);
}

static void write_flat_place(struct translation *t, const struct sample *s) {
  const uint32_t components = translation_components(t, spirv_id(&t->module, s->coordinates)->type);
  const bool scalar = components == 1;
  if (s->dimension == SpvDim1D)
    fprintf(t->body, "  at = (float2)(v%u%s, 0.5f)", s->coordinates, scalar ? "" : ".x");
  else
    fprintf(t->body, "  at = v%u.xy", s->coordinates);
  if (s->projects)
    fprintf(t->body, " / v%u.s%x", s->coordinates, components - 1);
  fputs(";\n", t->body);
  if (s->is_array)
    fprintf(t->body, "  layer = clamp((int)rint(v%u.%s), 0, %u);\n", s->coordinates,
            s->dimension == SpvDim1D ? "y" : "z", s->texture.layers - 1);
  if (s->dimension == SpvDim3D) {
    fprintf(t->body, "  slice = v%u.z", s->coordinates);
    if (s->projects)
      fprintf(t->body, " / v%u.w", s->coordinates);
    fputs(";\n", t->body);
  }
}

void sample_write_place(struct translation *t, const struct sample *s) {
  if (sample_reads_texels(s))
    t->out->reads_texels = true;
  if (s->dimension == SpvDimCube)
    write_cube_place(t, s);
  else
    write_flat_place(t, s);
}

void sample_write_cube_changes(struct translation *t) {
  fputs("  along_x.xy = cube_change(face, direction, along_x.xyz);\n"
        "  along_y.xy = cube_change(face, direction, along_y.xyz);\n",
        t->body);
}

/* Writes a chain of choices by the level. */
static void write_by_level(struct translation *t, uint32_t levels,
                           void (*write)(struct translation *, const void *, uint32_t), const void *user) {
  for (uint32_t k = 0; k + 1 < levels; k++) {
    fprintf(t->body, "level == %u ? ", k);
    write(t, user, k);
    fputs(" : ", t->body);
  }
  write(t, user, levels - 1);
}

/* The first row of a level, where levels and layers lie one below the other. */
static void write_first_row(struct translation *t, const void *user, uint32_t level) {
  const struct sample *s = user;
  uint32_t row = 0;
  for (uint32_t k = 0; k < level; k++)
    row += shader_texture_rows(&s->texture, k);
  fprintf(t->body, "%u", row);
}

static void write_read(struct translation *t, const void *user, uint32_t level) {
  const struct sample *s = user;
  fprintf(t->body,
          "read_imagef(t%u_%u, CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST, cell)",
          s->resource, level);
}

/* The comparison of VkCompareOp: the reference on the left. */
static const char *comparison(uint32_t compare) {
  static const char *const signs[] = {"", "<", "==", "<=", ">", "!=", ">=", ""};
  return signs[compare & 7];
}

static void write_comparison(struct translation *t, uint32_t compare, const char *name) {
  if (compare == VK_COMPARE_OP_NEVER || compare == VK_COMPARE_OP_ALWAYS)
    fprintf(t->body, "      %s.x = %d;\n", name, compare == VK_COMPARE_OP_ALWAYS);
  else
    fprintf(t->body, "      %s.x = ref %s %s.x ? 1 : 0;\n", name, comparison(compare), name);
}

static void write_border(struct translation *t, const struct frame_sampler *k) {
  const bool white = k->border >= VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE, clear = k->border <= 1;
  fprintf(t->body, "(float4)(%d, %d, %d, %d)", white, white, white, !clear);
}

void sample_write_at(struct translation *t, const struct sample *s, const char *name, const char *x, const char *y,
                     const char *z) {
  const struct frame_sampler *k = s->texture.sampler;
  const bool cube = s->dimension == SpvDimCube;
  if (cube)
    fprintf(t->body, "      there = cube_texel(face, %s, %s, w);\n      cell = (int2)(there.x, there.y%s", x, y,
            s->texture.stacked ? " + row + (layer * 6 + there.z) * h" : "");
  else
    fprintf(t->body, "      cell = (int2)(%s, %s%s", x, y, s->texture.stacked ? " + row + " : "");
  if (!cube && s->texture.stacked)
    fprintf(t->body, "%s * h", z);
  fprintf(t->body, ");\n      %s = ", name);
  if (!cube) {
    fprintf(t->body, "%s < 0 || %s < 0 || %s < 0 ? ", x, y, z);
    write_border(t, k);
    fputs(" : ", t->body);
  }
  fputs("(", t->body);
  write_by_level(t, s->texture.stacked ? 1 : s->texture.levels, write_read, s);
  fputs(");\n", t->body);
  if (s->reference)
    write_comparison(t, k->compare, name);
}

void sample_write_sizes(struct translation *t, const struct sample *s) {
  const struct shader_texture *x = &s->texture;
  fprintf(t->body, "      const int w = max(%u >> level, 1), h = max(%u >> level, 1), d = max(%u >> level, 1);\n",
          x->width, x->height, x->depth);
  if (x->stacked) {
    fputs("      const int row = ", t->body);
    write_by_level(t, x->levels, write_first_row, s);
    fputs(";\n", t->body);
  }
  if (s->reference)
    fprintf(t->body, "      const float ref = v%u;\n", s->reference);
}

/* Writes the expression of a coordinate in texels. */
static void write_scaled(struct translation *t, const struct sample *s, const char *from, const char *size, bool half) {
  fprintf(t->body, s->texture.sampler->unnormalized ? "%s%s" : "%s * %s", from,
          s->texture.sampler->unnormalized ? "" : size);
  if (half)
    fputs(" - 0.5f", t->body);
}

void sample_write_axis(struct translation *t, const struct sample *s, const char *to, const char *from,
                       const char *size, unsigned axis, int more) {
  char offset[48] = "";
  const uint32_t components = s->offset ? translation_components(t, spirv_id(&t->module, s->offset)->type) : 0;
  if (s->offset && axis < components)
    snprintf(offset, sizeof offset, components > 1 ? " + v%u.%c" : " + v%u", s->offset, "xyz"[axis]);
  if (s->dimension == SpvDimCube)
    fprintf(t->body, "      const int %s = %s + %d;\n", to, from, more);
  else
    fprintf(t->body, "      const int %s = wrap(%s + %d%s, %s, %u);\n", to, from, more, offset, size,
            s->texture.sampler->address[axis]);
}

static void write_nearest(struct translation *t, const struct sample *s, const char *name) {
  fputs("      const int fx = (int)floor(", t->body);
  write_scaled(t, s, "at.x", "w", false);
  fputs("), fy = (int)floor(", t->body);
  write_scaled(t, s, "at.y", "h", false);
  fputs(");\n", t->body);
  if (s->dimension == SpvDimCube) {
    fputs("      const int x = clamp(fx, 0, w - 1), y = clamp(fy, 0, h - 1);\n", t->body);
  } else {
    sample_write_axis(t, s, "x", "fx", "w", 0, 0);
    sample_write_axis(t, s, "y", "fy", "h", 1, 0);
  }
  if (s->dimension == SpvDim3D) {
    fputs("      const int fz = (int)floor(slice * d);\n", t->body);
    sample_write_axis(t, s, "z", "fz", "d", 2, 0);
  }
  sample_write_at(t, s, name, "x", "y", s->dimension == SpvDim3D ? "z" : "layer");
}

/* Four texels of a layer: texels[0] and [1] of the upper row, [2] and [3] of the lower one. */
static void write_four(struct translation *t, const struct sample *s, const char *z) {
  sample_write_at(t, s, "texels[0]", "x0", "y0", z);
  sample_write_at(t, s, "texels[1]", "x1", "y0", z);
  sample_write_at(t, s, "texels[2]", "x0", "y1", z);
  sample_write_at(t, s, "texels[3]", "x1", "y1", z);
}

static void write_mixed(struct translation *t, const char *name) {
  fprintf(t->body,
          "      %s = mix(mix(texels[0], texels[1], px - floor(px)), mix(texels[2], texels[3], px - floor(px)), "
          "py - floor(py));\n",
          name);
}

static void write_linear_place(struct translation *t, const struct sample *s) {
  fputs("      const float px = ", t->body);
  write_scaled(t, s, "at.x", "w", true);
  fputs(", py = ", t->body);
  write_scaled(t, s, "at.y", "h", true);
  fputs(";\n      const int fx = (int)floor(px), fy = (int)floor(py);\n      float4 texels[4];\n", t->body);
  sample_write_axis(t, s, "x0", "fx", "w", 0, 0);
  sample_write_axis(t, s, "x1", "fx", "w", 0, 1);
  sample_write_axis(t, s, "y0", "fy", "h", 1, 0);
  sample_write_axis(t, s, "y1", "fy", "h", 1, 1);
}

static void write_linear(struct translation *t, const struct sample *s, const char *name) {
  write_linear_place(t, s);
  if (s->dimension != SpvDim3D) {
    write_four(t, s, "layer");
    write_mixed(t, name);
    return;
  }
  fputs("      const float pz = slice * d - 0.5f;\n      const int fz = (int)floor(pz);\n", t->body);
  sample_write_axis(t, s, "z0", "fz", "d", 2, 0);
  sample_write_axis(t, s, "z1", "fz", "d", 2, 1);
  write_four(t, s, "z0");
  write_mixed(t, name);
  fprintf(t->body, "      const float4 upper = %s;\n", name);
  write_four(t, s, "z1");
  write_mixed(t, name);
  fprintf(t->body, "      %s = mix(upper, %s, pz - floor(pz));\n", name, name);
}

/* The four texels that a linear filter would take, counter-clockwise from the lower left one. */
static void write_gathered(struct translation *t, const struct sample *s, const char *name) {
  write_linear_place(t, s);
  write_four(t, s, "layer");
  const unsigned c = s->reference ? 0 : s->channel & 3;
  fprintf(t->body, "      %s = (float4)(texels[2].s%u, texels[3].s%u, texels[1].s%u, texels[0].s%u);\n", name, c, c, c,
          c);
}

void sample_write_texels(struct translation *t, const struct sample *s, const char *name, bool linear) {
  fputs("    {\n", t->body);
  sample_write_sizes(t, s);
  if (s->gathers)
    write_gathered(t, s, name);
  else if (linear)
    write_linear(t, s, name);
  else
    write_nearest(t, s, name);
  fputs("    }\n", t->body);
}

void sample_write_texel(struct translation *t, const struct sample *s, const char *name, const char *x, const char *y) {
  t->out->reads_texels = true;
  fputs("    {\n", t->body);
  sample_write_sizes(t, s);
  fprintf(t->body, "      const int x = clamp(%s, 0, w - 1), y = clamp(%s, 0, h - 1);\n", x, y);
  if (s->dimension == SpvDim3D)
    fputs("      layer = clamp(layer, 0, d - 1);\n", t->body);
  sample_write_at(t, s, name, "x", "y", "layer");
  fputs("    }\n", t->body);
}

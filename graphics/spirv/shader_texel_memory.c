/* Storage images and buffers of texels: their texels lie in memory in their own format, which the shader's code takes
 * apart and puts together. Places outside read 0, and are not written (Vulkan 1.3, section 16.10.1). */
#include <spirv/unified1/spirv.h>

#include "graphics/frame/texel_format.h"
#include "graphics/spirv/translation.h"

/* An instruction's image. */
struct texels {
  uint32_t resource;
  struct shader_texture texture;
  const struct texel_format *format;
  uint32_t dimension; /* SpvDim */
  bool is_array;
};

static bool find(struct translation *t, uint32_t id, struct texels *x) {
  const struct place *p = id < t->module.bound ? &t->places[id] : NULL;
  if (!p || p->kind != PLACE_TEXTURE || p->resource >= t->out->resource_count ||
      t->out->resources[p->resource].kind != RESOURCE_TEXELS)
    return false;
  const struct shader_resource *r = &t->out->resources[p->resource];
  const struct spirv_id *type = spirv_id(&t->module, p->type);
  *x =
      (struct texels){.resource = p->resource, .dimension = spirv_operand(type, 2), .is_array = spirv_operand(type, 4)};
  if (!t->request->texture || !t->request->texture(t->request->user, r->set, r->binding, r->element, &x->texture))
    translation_fail(t, "an image that is not bound");
  x->format = texel_format_find(x->texture.format);
  if (!t->missing[0] && (!x->format || spirv_operand(type, 5) || x->format->numbers == TEXEL_SRGB ||
                         (x->format->numbers == TEXEL_FLOAT && x->format->bits[0] < 16)))
    translation_fail(t, "a storage image or buffer of texels of format %u", x->texture.format);
  return !t->missing[0];
}

/* Writes "px", "py" and "pz", the place that the id names, and "inside". */
static void write_place(struct translation *t, const struct texels *x, uint32_t coordinates) {
  const uint32_t count = translation_components(t, spirv_id(&t->module, coordinates)->type);
  const bool flat = x->dimension == SpvDim1D || x->dimension == SpvDimBuffer;
  const bool deep = x->dimension == SpvDim3D;
  const uint32_t layer = flat ? 1 : 2; /* the component that names the layer */
  char scalar[16], parts[3][24] = {"0", "0", "0"};
  snprintf(scalar, sizeof scalar, "v%u", coordinates);
  for (uint32_t k = 0; k < count && k < 3; k++)
    snprintf(parts[k == layer ? 2 : k], sizeof parts[0], count > 1 ? "%s.%c" : "%s", scalar, "xyz"[k]);
  fprintf(t->body,
          "    const int px = (int)%s, py = (int)%s, pz = (int)%s;\n"
          "    const bool inside = px >= 0 && px < %u && py >= 0 && py < %u && pz >= 0 && pz < %u;\n",
          parts[0], parts[1], parts[2], x->texture.width, x->texture.height,
          deep ? x->texture.depth : x->texture.layers);
}

static void write_offset(struct translation *t, const struct texels *x) {
  fprintf(t->body, "(inside ? ((uint)(pz * %u + py) * %u + px) * %u : 0)", x->texture.height, x->texture.width,
          x->format->bytes);
}

/* Writes the bits of a channel that begin at `bit`. */
static void write_bits(struct translation *t, const struct texels *x, unsigned bits, unsigned bit) {
  static const char *const names[] = {"", "uchar", "ushort", "", "uint"};
  if (bits % 8 == 0)
    fprintf(t->body, "*(global const %s *)(p + %u)", names[bits / 8], bit / 8);
  else
    fprintf(t->body, "(*(global const %s *)p >> %u & %uu)", names[x->format->bytes & 7 ? x->format->bytes : 4], bit,
            (1u << bits) - 1);
}

static void write_signed(struct translation *t, const struct texels *x, unsigned bits, unsigned bit) {
  fprintf(t->body, "((int)(");
  write_bits(t, x, bits, bit);
  fprintf(t->body, " << %u) >> %u)", 32 - bits, 32 - bits);
}

static void read_channel(struct translation *t, const struct texels *x, unsigned channel, unsigned bit) {
  const unsigned bits = x->format->bits[channel];
  switch (x->format->numbers) {
  case TEXEL_UNORM:
    fputs("(float)", t->body);
    write_bits(t, x, bits, bit);
    fprintf(t->body, " / %u.0f", (1u << bits) - 1);
    break;
  case TEXEL_SNORM:
    fputs("fmax((float)", t->body);
    write_signed(t, x, bits, bit);
    fprintf(t->body, " / %u.0f, -1.0f)", (1u << (bits - 1)) - 1);
    break;
  case TEXEL_SINT:
    write_signed(t, x, bits, bit);
    break;
  case TEXEL_FLOAT:
    if (bits == 16)
      fprintf(t->body, "vload_half(0, (global const half *)(p + %u))", bit / 8);
    else
      fprintf(t->body, "*(global const float *)(p + %u)", bit / 8);
    break;
  default:
    write_bits(t, x, bits, bit);
  }
}

/* Writes the value of red, green, blue or alpha; what the format lacks is 0, alpha 1. */
static void read_component(struct translation *t, const struct texels *x, unsigned component) {
  unsigned bit = 0;
  for (unsigned k = 0; k < x->format->channels; bit += x->format->bits[k++])
    if (x->format->place[k] == component) {
      read_channel(t, x, k, bit);
      return;
    }
  fputs(component == 3 ? "1" : "0", t->body);
}

static void read_texel(struct translation *t, const uint32_t *i, const struct texels *x) {
  const uint32_t count = translation_components(t, i[1]);
  fputs("  {\n", t->body);
  write_place(t, x, i[4]);
  fprintf(t->body, "    global const uchar *p = b%u + ", x->resource);
  write_offset(t, x);
  fprintf(t->body, ";\n    v%u = inside ? (", i[2]);
  translation_type(t, i[1]);
  fputs(")(", t->body);
  for (uint32_t k = 0; k < count && k < 4; k++) {
    fputs(k ? ", " : "", t->body);
    read_component(t, x, k);
  }
  fputs(") : (", t->body);
  translation_type(t, i[1]);
  fputs(")(0);\n  }\n", t->body);
}

/* Writes the bits that a component becomes in a channel. */
static void encode(struct translation *t, const struct texels *x, unsigned channel, const char *value) {
  const unsigned bits = x->format->bits[channel];
  const uint32_t all = bits == 32 ? UINT32_MAX : (1u << bits) - 1;
  switch (x->format->numbers) {
  case TEXEL_UNORM:
    fprintf(t->body, "convert_uint_rte(fmin(fmax(%s, 0.0f), 1.0f) * %u.0f)", value, all);
    break;
  case TEXEL_SNORM:
    fprintf(t->body, "((uint)convert_int_rte(fmin(fmax(%s, -1.0f), 1.0f) * %u.0f) & %uu)", value, all >> 1, all);
    break;
  case TEXEL_FLOAT:
    fprintf(t->body, "as_uint(%s)", value);
    break;
  default:
    fprintf(t->body, "((uint)%s & %uu)", value, all);
  }
}

static void write_channels(struct translation *t, const struct texels *x, uint32_t value) {
  static const char *const names[] = {"", "uchar", "ushort", "", "uint"};
  const bool is_vector = translation_components(t, spirv_id(&t->module, value)->type) > 1;
  const bool packed = x->format->bits[0] % 8 != 0;
  unsigned bit = 0;
  if (packed)
    fprintf(t->body, "      *(global %s *)p = 0", x->format->bytes == 2 ? "ushort" : "uint");
  for (unsigned k = 0; k < x->format->channels; bit += x->format->bits[k++]) {
    const unsigned bits = x->format->bits[k];
    char part[32];
    snprintf(part, sizeof part, is_vector ? "v%u.%c" : "v%u", value, "xyzw"[x->format->place[k] & 3]);
    if (x->format->numbers == TEXEL_FLOAT && bits == 16) {
      fprintf(t->body, "      vstore_half_rte(%s, 0, (global half *)(p + %u));\n", part, bit / 8);
      continue;
    }
    if (packed)
      fputs(" | ", t->body);
    else
      fprintf(t->body, "      *(global %s *)(p + %u) = ", names[bits / 8], bit / 8);
    encode(t, x, k, part);
    if (packed)
      fprintf(t->body, " << %u", bit);
    else
      fputs(";\n", t->body);
  }
  fputs(packed ? ";\n" : "", t->body);
}

static void write_texel(struct translation *t, const uint32_t *i, const struct texels *x) {
  t->out->resources[x->resource].writes = true;
  fputs("  {\n", t->body);
  write_place(t, x, i[2]);
  fprintf(t->body, "    global uchar *p = b%u + ", x->resource);
  write_offset(t, x);
  fputs(";\n    if (inside && active) {\n", t->body);
  write_channels(t, x, i[3]);
  fputs("    }\n  }\n", t->body);
}

static void query(struct translation *t, const uint32_t *i, const struct texels *x) {
  const uint32_t count = translation_components(t, i[1]);
  const uint32_t sides[3] = {x->texture.width, x->texture.height, x->texture.depth};
  fprintf(t->body, "  v%u = (", i[2]);
  translation_type(t, i[1]);
  fputs(")(", t->body);
  for (uint32_t k = 0; k < count && k < 3; k++)
    fprintf(t->body, "%s%u", k ? ", " : "",
            x->is_array && k == count - 1 ? (x->dimension == SpvDimCube ? x->texture.layers / 6 : x->texture.layers)
                                          : sides[k]);
  fputs(");\n", t->body);
}

/* The place in memory of a texel, for atomic operations; places outside are kept inside. */
static void point_to(struct translation *t, const uint32_t *i, struct texels *x) {
  const uint32_t count = translation_components(t, spirv_id(&t->module, i[4])->type);
  const bool deep = x->dimension == SpvDim3D;
  char *text = NULL;
  const uint32_t sides[3] = {x->texture.width, x->texture.height, deep ? x->texture.depth : x->texture.layers};
  const bool flat = x->dimension == SpvDim1D || x->dimension == SpvDimBuffer;
  char parts[3][64] = {"0", "0", "0"};
  for (uint32_t k = 0; k < count && k < 3; k++) {
    const uint32_t axis = flat && k == 1 ? 2 : k;
    if (count > 1)
      snprintf(parts[axis], sizeof parts[0], "min((uint)v%u.%c, %uu)", i[4], "xyz"[k], sides[axis] - 1);
    else
      snprintf(parts[axis], sizeof parts[0], "min((uint)v%u, %uu)", i[4], sides[axis] - 1);
  }
  if (asprintf(&text, "((%s * %uu + %s) * %uu + %s) * %uu", parts[2], sides[1], parts[1], sides[0], parts[0],
               x->format->bytes) < 0)
    text = NULL;
  translation_place_bytes(t, i[2], x->resource, text);
}

bool translation_texels(struct translation *t, const uint32_t *i) {
  struct texels x;
  const uint16_t opcode = spirv_opcode(i);
  switch (opcode) {
  case SpvOpImageFetch:
  case SpvOpImageRead:
    if (spirv_length(i) < 5 || !find(t, i[3], &x))
      return t->missing[0] != '\0';
    read_texel(t, i, &x);
    return true;
  case SpvOpImageWrite:
    if (spirv_length(i) < 4 || !find(t, i[1], &x))
      return t->missing[0] != '\0';
    write_texel(t, i, &x);
    return true;
  case SpvOpImageQuerySize:
    if (spirv_length(i) < 4 || !find(t, i[3], &x))
      return t->missing[0] != '\0';
    query(t, i, &x);
    return true;
  case SpvOpImageTexelPointer:
    if (spirv_length(i) < 6)
      return false;
    translation_enter_texels(t, i[3]);
    if (!find(t, i[3], &x))
      return t->missing[0] != '\0';
    point_to(t, i, &x);
    return true;
  default:
    return false;
  }
}

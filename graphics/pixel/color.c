#include "graphics/pixel/color.h"

#include <math.h>
#include <string.h>

bool color_is_integer(const struct texel_format *f) {
  return f->numbers == TEXEL_UINT || f->numbers == TEXEL_SINT;
}

/* Bits of a channel, of up to 32. */
static uint32_t get_bits(const unsigned char *texel, unsigned first, unsigned count) {
  uint64_t word = 0;
  for (unsigned i = 0; i < (first % 8 + count + 7) / 8; i++)
    word |= (uint64_t)texel[first / 8 + i] << 8 * i;
  return (uint32_t)(word >> first % 8 & ((UINT64_C(1) << count) - 1));
}

static void put_bits(unsigned char *texel, unsigned first, unsigned count, uint32_t value) {
  for (unsigned i = 0; i < count; i++) {
    const unsigned bit = first + i;
    texel[bit / 8] = (unsigned char)((texel[bit / 8] & ~(1u << bit % 8)) | (value >> i & 1) << bit % 8);
  }
}

static float half_to_float(uint32_t h) {
  const uint32_t exponent = h >> 10 & 31, fraction = h & 1023;
  const float sign = h & 0x8000 ? -1.0f : 1.0f;
  if (exponent == 31)
    return fraction ? NAN : sign * INFINITY;
  return sign * (exponent ? ldexpf((float)(fraction | 1024), (int)exponent - 25) : ldexpf((float)fraction, -24));
}

static uint32_t float_to_half(float f) {
  const uint32_t sign = signbit(f) ? 0x8000 : 0;
  const float a = fabsf(f);
  int exponent;
  if (isnan(f))
    return 0x7e00;
  if (a >= 65520)
    return sign | 0x7c00;
  if (a < 0x1p-14f)
    return sign | (uint32_t)lrintf(ldexpf(a, 24));
  const float fraction = frexpf(a, &exponent);
  return sign | (((uint32_t)(exponent + 14) << 10) + (uint32_t)lrintf(ldexpf(fraction, 11)) - 0x400);
}

static float from_srgb(float v) {
  return v <= 0.04045f ? v / 12.92f : powf((v + 0.055f) / 1.055f, 2.4f);
}

static float to_srgb(float v) {
  return v <= 0.0031308f ? v * 12.92f : 1.055f * powf(v, 1 / 2.4f) - 0.055f;
}

static int32_t with_sign(uint32_t v, unsigned bits) {
  return (int32_t)(v << (32 - bits)) >> (32 - bits);
}

static void load_channel(const struct texel_format *f, unsigned channel, uint32_t v, union color *c) {
  const unsigned bits = f->bits[channel], to = f->place[channel];
  const float largest = (float)((UINT64_C(1) << bits) - 1), largest_signed = (float)((UINT64_C(1) << (bits - 1)) - 1);
  switch (f->numbers) {
  case TEXEL_UNORM:
    c->f[to] = (float)v * (1 / largest);
    break;
  case TEXEL_SRGB:
    c->f[to] = to == 3 ? (float)v / largest : from_srgb((float)v / largest);
    break;
  case TEXEL_SNORM:
    c->f[to] = fmaxf((float)with_sign(v, bits) / largest_signed, -1);
    break;
  case TEXEL_FLOAT:
    if (bits <
        32) /* without a sign bit, and of the fraction's bits the upper ones: 10 and 11 bits are halves cut short */
      c->f[to] = half_to_float(bits < 16 ? v << (15 - bits) : v);
    else
      c->u[to] = v;
    break;
  case TEXEL_SCALED:
    c->f[to] = (float)v;
    break;
  case TEXEL_SIGNED_SCALED:
    c->f[to] = (float)with_sign(v, bits);
    break;
  case TEXEL_SINT:
    c->u[to] = (uint32_t)with_sign(v, bits);
    break;
  default:
    c->u[to] = v;
  }
}

/* Most targets have a byte a channel, and are read and written once a fragment. */
bool color_has_bytes(const struct texel_format *f) {
  return f->numbers == TEXEL_UNORM && f->bits[0] == 8 && f->bytes == f->channels;
}

union color color_load(const struct texel_format *f, const void *texel) {
  const uint8_t *bytes = texel;
  union color c = {.f = {0, 0, 0, 1}};
  unsigned bit = 0;
  if (color_has_bytes(f)) {
    for (unsigned i = 0; i < f->channels; i++)
      c.f[f->place[i]] = (float)bytes[i] * (1.0f / 255);
    return c;
  }
  if (color_is_integer(f))
    c.u[3] = 1;
  for (unsigned i = 0; i < f->channels; bit += f->bits[i++])
    load_channel(f, i, get_bits(texel, bit, f->bits[i]), &c);
  return c;
}

static float limited(float v, float low, float high) {
  return v > low ? v < high ? v : high : low; /* not a number: low */
}

static uint32_t store_channel(const struct texel_format *f, unsigned channel, const union color *c) {
  const unsigned bits = f->bits[channel], from = f->place[channel];
  const float v = c->f[from];
  const float largest = (float)((UINT64_C(1) << bits) - 1), largest_signed = (float)((UINT64_C(1) << (bits - 1)) - 1);
  switch (f->numbers) {
  case TEXEL_UNORM:
    return (uint32_t)llrintf(limited(v, 0, 1) * largest);
  case TEXEL_SRGB:
    return (uint32_t)llrintf((from == 3 ? limited(v, 0, 1) : to_srgb(limited(v, 0, 1))) * largest);
  case TEXEL_SNORM:
    return (uint32_t)(int32_t)llrintf(limited(v, -1, 1) * largest_signed);
  case TEXEL_FLOAT:
    return bits == 32 ? c->u[from] : bits == 16 ? float_to_half(v) : float_to_half(fmaxf(v, 0)) >> (15 - bits);
  case TEXEL_SCALED:
    return (uint32_t)limited(v, 0, largest);
  case TEXEL_SIGNED_SCALED:
    return (uint32_t)(int32_t)limited(v, -largest_signed - 1, largest_signed);
  default:
    return c->u[from];
  }
}

void color_store(const struct texel_format *f, const union color *c, void *texel) {
  uint8_t *bytes = texel;
  unsigned bit = 0;
  if (color_has_bytes(f)) {
    for (unsigned i = 0; i < f->channels; i++)
      bytes[i] = (uint8_t)lrintf(limited(c->f[f->place[i]], 0, 1) * 255);
    return;
  }
  for (unsigned i = 0; i < f->channels; bit += f->bits[i++])
    put_bits(texel, bit, f->bits[i], store_channel(f, i, c));
}

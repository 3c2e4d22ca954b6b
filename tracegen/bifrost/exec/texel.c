#include "tracegen/bifrost/exec/texel.h"

#include <math.h>
#include <string.h>

#include "tracegen/bifrost/alu/rounding.h"

/* The types of components; floats take the places of integers and fractions that there are not. */
enum component_type { TYPE_SNORM = 3, TYPE_UINT = 4, TYPE_UNORM = 5, TYPE_SINT = 6 };

#define SIZE_FLOAT   7 /* with TYPE_UNORM 32 bits, with TYPE_SINT 16 */
#define SWIZZLE_NONE UINT32_MAX
#define SWIZZLE_RGBA 03210u
#define SWIZZLE_BGRA 03012u
#define SWIZZLE_RGB1 05210u
#define SWIZZLE_BGR1 05012u
#define SWIZZLE_ZERO 4
#define SWIZZLE_ONE  5
#define ONE_AS_FLOAT 0x3f800000u

struct layout {
  uint32_t swizzle; /* octal digits, red last: the number of the component in memory, SWIZZLE_ZERO or SWIZZLE_ONE */
  uint8_t type, count, bytes; /* bytes of a component; 0: not supported */
  bool is_float;
};

/* Version 7 has a list of orders in place of a swizzle. */
static uint32_t swizzle_of(uint32_t format, uint32_t architecture) {
  if (architecture < 7)
    return format & 0xfff;
  switch (format & 0xfff) {
  case 0:
    return SWIZZLE_RGBA;
  case 4:
    return SWIZZLE_BGRA;
  case 16:
    return SWIZZLE_RGB1;
  case 20:
    return SWIZZLE_BGR1;
  default:
    return SWIZZLE_NONE;
  }
}

static struct layout layout_of(uint32_t format, uint32_t architecture) {
  const uint32_t number = format >> 12 & 0xff, size = number & 7;
  struct layout l = {.swizzle = swizzle_of(format, architecture),
                     .type = (uint8_t)(number >> 5),
                     .count = (uint8_t)((number >> 3 & 3) + 1),
                     .is_float = size == SIZE_FLOAT};
  const bool has_flags = format >> 20 != 0;
  if (l.type < TYPE_SNORM || l.type > TYPE_SINT || has_flags || l.swizzle == SWIZZLE_NONE)
    return l;
  if (l.is_float)
    l.bytes = l.type == TYPE_UNORM ? 4 : l.type == TYPE_SINT ? 2 : 0;
  else
    l.bytes = size >= 3 && size <= 5 ? (uint8_t)(1u << (size - 3)) : 0;
  return l;
}

uint8_t texel_bytes(uint32_t format, uint32_t architecture) {
  const struct layout l = layout_of(format, architecture);
  return (uint8_t)(l.count * l.bytes);
}

static uint32_t sign_extended(uint32_t value, unsigned bytes) {
  const uint32_t sign = 1u << (8 * bytes - 1);
  return (value ^ sign) - sign;
}

/* The greatest number of a component as a fraction. */
static double most_of(const struct layout *l) {
  const unsigned bits = 8u * l->bytes - (l->type == TYPE_SNORM);
  return (double)((UINT64_C(1) << bits) - 1);
}

static uint32_t read_component(const struct layout *l, const uint8_t *from) {
  uint32_t value = 0;
  memcpy(&value, from, l->bytes);
  if (l->is_float)
    return l->bytes == 4 ? value : bits_of(half_value((uint16_t)value));
  switch (l->type) {
  case TYPE_SINT:
    return sign_extended(value, l->bytes);
  case TYPE_UNORM:
    return bits_of((float)(value / most_of(l)));
  case TYPE_SNORM:
    return bits_of((float)fmax((int32_t)sign_extended(value, l->bytes) / most_of(l), -1.0));
  default:
    return value;
  }
}

static bool is_integer(const struct layout *l) {
  return !l->is_float && (l->type == TYPE_UINT || l->type == TYPE_SINT);
}

struct texel texel_swizzle(const struct texel *texel, uint32_t swizzle) {
  struct texel out = {.is_integer = texel->is_integer};
  for (unsigned i = 0; i < 4; i++) {
    const unsigned from = swizzle >> (3 * i) & 7;
    out.component[i] = from < 4              ? texel->component[from]
                       : from == SWIZZLE_ONE ? (texel->is_integer ? 1 : ONE_AS_FLOAT)
                                             : 0;
  }
  return out;
}

struct texel texel_read(uint32_t format, uint32_t architecture, const uint8_t *from) {
  const struct layout l = layout_of(format, architecture);
  struct texel in_memory = {.is_integer = is_integer(&l)};
  in_memory.component[3] = in_memory.is_integer ? 1 : ONE_AS_FLOAT;
  for (unsigned i = 0; i < l.count; i++)
    in_memory.component[i] = read_component(&l, from + i * l.bytes);
  return texel_swizzle(&in_memory, l.swizzle);
}

static uint32_t fraction_bits(const struct layout *l, float value) {
  const double least = l->type == TYPE_SNORM ? -1 : 0;
  const double clamped = isnan(value) ? 0 : fmin(fmax((double)value, least), 1);
  return (uint32_t)(int64_t)nearbyint(clamped * most_of(l));
}

static uint32_t clamped_signed(int32_t value, unsigned bytes) {
  const int64_t most = (INT64_C(1) << (8 * bytes - 1)) - 1, least = -most - 1;
  return (uint32_t)(value > most ? most : value < least ? least : value);
}

static uint32_t clamped_unsigned(uint32_t value, unsigned bytes) {
  const uint64_t most = (UINT64_C(1) << (8 * bytes)) - 1;
  return value > most ? (uint32_t)most : value;
}

static uint32_t written_bits(const struct layout *l, uint32_t component) {
  if (l->is_float)
    return l->bytes == 4 ? component : half_of((double)float_of(component), V_NONE);
  switch (l->type) {
  case TYPE_SINT:
    return clamped_signed((int32_t)component, l->bytes);
  case TYPE_UINT:
    return clamped_unsigned(component, l->bytes);
  default:
    return fraction_bits(l, float_of(component));
  }
}

void texel_write(uint32_t format, uint32_t architecture, const uint32_t *component, uint8_t *to) {
  const struct layout l = layout_of(format, architecture);
  for (unsigned i = 0; i < 4; i++) {
    const unsigned place = l.swizzle >> (3 * i) & 7;
    const uint32_t bits = written_bits(&l, component[i]);
    if (place < l.count)
      memcpy(to + place * l.bytes, &bits, l.bytes);
  }
}

uint32_t texel_number(const struct texel *texel, unsigned component, enum texel_number number) {
  const uint32_t bits = texel->component[component];
  return number == TEXEL_HALF && !texel->is_integer ? half_of((double)float_of(bits), V_NONE) : bits;
}

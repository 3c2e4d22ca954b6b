#include "workload/image_format.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "workload/half.h"

/* These values stand for a number of a colour that does not come from a channel. */
#define FROM_ZERO 4
#define FROM_ONE  5

static const struct {
  const char *name, *channels;
  uint32_t count, number;
  uint8_t from[4]; /* source of each number of a colour: a channel, or one of the above */
} orders[IMAGE_ORDER_COUNT] = {
#define X(id, number, channels, r, g, b, a)                                                                            \
  [id] = {&#id[sizeof "IMAGE_" - 1], channels, sizeof channels - 1, number, {r, g, b, a}},
    IMAGE_ORDERS(X)
#undef X
};

static const struct {
  const char *name;
  uint32_t number;
  uint8_t storage, numbers;
} types[IMAGE_TYPE_COUNT] = {
#define X(id, number, name, storage, numbers) [id] = {name, number, storage, numbers},
    IMAGE_TYPES(X)
#undef X
};

const char *image_order_name(enum image_order order) {
  assert(order < IMAGE_ORDER_COUNT);
  return orders[order].name;
}

const char *image_type_name(enum image_type type) {
  assert(type < IMAGE_TYPE_COUNT);
  return types[type].name;
}

uint32_t image_order_number(enum image_order order) {
  assert(order < IMAGE_ORDER_COUNT);
  return orders[order].number;
}

uint32_t image_type_number(enum image_type type) {
  assert(type < IMAGE_TYPE_COUNT);
  return types[type].number;
}

bool image_format_from_numbers(uint32_t order, uint32_t type, struct image_format *out) {
  for (out->order = 0; out->order < IMAGE_ORDER_COUNT && orders[out->order].number != order; out->order++)
    ;
  for (out->type = 0; out->type < IMAGE_TYPE_COUNT && types[out->type].number != type; out->type++)
    ;
  return out->order < IMAGE_ORDER_COUNT && out->type < IMAGE_TYPE_COUNT && image_format_valid(*out);
}

bool image_format_valid(struct image_format format) {
  const enum scalar_type storage = image_storage(format);
  if (format.order == IMAGE_BGRA || format.order == IMAGE_ARGB)
    return scalar_type_bytes(storage) == 1;
  if (format.order == IMAGE_INTENSITY || format.order == IMAGE_LUMINANCE)
    return types[format.type].numbers == IMAGE_FLOATS;
  return true;
}

enum scalar_type image_storage(struct image_format format) {
  assert(format.type < IMAGE_TYPE_COUNT);
  return (enum scalar_type)types[format.type].storage;
}

enum image_numbers image_numbers_of(struct image_format format) {
  assert(format.type < IMAGE_TYPE_COUNT);
  return (enum image_numbers)types[format.type].numbers;
}

unsigned image_channels(struct image_format format) {
  assert(format.order < IMAGE_ORDER_COUNT);
  return orders[format.order].count;
}

size_t image_texel_bytes(struct image_format format) {
  return image_channels(format) * scalar_type_bytes(image_storage(format));
}

/* A number of a channel: a float or an integer of 4 bytes, as the format's type says. */

union number {
  float f;
  int32_t i;
  uint32_t u;
};

/* Returns the integer that stands for 1 in a normalised type. */
static float normal_unit(enum scalar_type storage) {
  return storage == SCALAR_UCHAR    ? 255.0f
         : storage == SCALAR_CHAR   ? 127.0f
         : storage == SCALAR_USHORT ? 65535.0f
                                    : 32767.0f;
}

/* Returns value / unit as a product with the rounded reciprocal, as PoCL does. The error is at most 1.25 ULPs; OpenCL
 * allows 1.5 (8.3.1.1). */
static float fraction(float value, float unit) {
  const float result = value * (1.0f / unit);
  return result < -1.0f ? -1.0f : result;
}

/* Loads channels with a loop for each type, because kernels with images spend most of their time here. */
static void load_channels(enum image_type type, const void *memory, unsigned count, union number *out) {
  switch (type) {
#define LOAD(id, c_type, member, value)                                                                                \
  case id:                                                                                                             \
    for (unsigned c = 0; c < count; c++) {                                                                             \
      const c_type stored = ((const c_type *)memory)[c];                                                               \
      out[c].member = value;                                                                                           \
    }                                                                                                                  \
    return;
    LOAD(IMAGE_SNORM_INT8, int8_t, f, fraction(stored, 127.0f))
    LOAD(IMAGE_SNORM_INT16, int16_t, f, fraction(stored, 32767.0f))
    LOAD(IMAGE_UNORM_INT8, uint8_t, f, image_byte_fraction(stored))
    LOAD(IMAGE_UNORM_INT16, uint16_t, f, fraction(stored, 65535.0f))
    LOAD(IMAGE_SIGNED_INT8, int8_t, i, stored)
    LOAD(IMAGE_SIGNED_INT16, int16_t, i, stored)
    LOAD(IMAGE_SIGNED_INT32, int32_t, i, stored)
    LOAD(IMAGE_UNSIGNED_INT8, uint8_t, u, stored)
    LOAD(IMAGE_UNSIGNED_INT16, uint16_t, u, stored)
    LOAD(IMAGE_UNSIGNED_INT32, uint32_t, u, stored)
    LOAD(IMAGE_HALF_FLOAT, uint16_t, f, (float)half_to_double(stored))
    LOAD(IMAGE_FLOAT, float, f, stored)
#undef LOAD
  case IMAGE_TYPE_COUNT:
    break;
  }
}

static int64_t clamp(int64_t value, enum scalar_type storage) {
  const unsigned bits = (unsigned)scalar_type_bytes(storage) * 8;
  const bool is_signed = storage == SCALAR_CHAR || storage == SCALAR_SHORT || storage == SCALAR_INT;
  const int64_t most = (INT64_C(1) << (is_signed ? bits - 1 : bits)) - 1, least = is_signed ? -most - 1 : 0;
  return value < least ? least : value > most ? most : value;
}

/* Returns the nearest normalised integer, with ties to even; not-a-number becomes 0. */
static int64_t normalise(float value, enum scalar_type storage) {
  if (isnan(value))
    return 0;
  return (int64_t)rintf(fminf(fmaxf(value, -2.0f), 2.0f) * normal_unit(storage));
}

static void store_channel(struct image_format format, void *at, union number n) {
  const enum scalar_type storage = image_storage(format);
  if (storage == SCALAR_FLOAT)
    memcpy(at, &n.f, sizeof n.f);
  else if (storage == SCALAR_HALF) {
    const uint16_t half = half_from_double((double)n.f);
    memcpy(at, &half, sizeof half);
  } else {
    const enum image_numbers numbers = image_numbers_of(format);
    const int64_t value = clamp(numbers == IMAGE_FLOATS     ? normalise(n.f, storage)
                                : numbers == IMAGE_INTEGERS ? (int64_t)n.i
                                                            : (int64_t)n.u,
                                storage);
    memcpy(at, &value, scalar_type_bytes(storage));
  }
}

static union number one(struct image_format format) {
  union number n = {.u = 1};
  if (image_numbers_of(format) == IMAGE_FLOATS)
    n.f = 1;
  return n;
}

/* Returns the index in a colour of the channel with this letter. */
static unsigned place(char channel) {
  return channel == 'g' ? 1 : channel == 'b' ? 2 : channel == 'a' ? 3 : 0;
}

union image_color image_load(struct image_format format, const void *memory) {
  union number numbers[6] = {[FROM_ONE] = one(format)};
  union image_color color;
  load_channels((enum image_type)format.type, memory, orders[format.order].count, numbers);
  for (unsigned i = 0; i < 4; i++)
    color.u[i] = numbers[orders[format.order].from[i]].u;
  return color;
}

void image_store(struct image_format format, void *memory, const union image_color *color) {
  const char *channels = orders[format.order].channels;
  const size_t bytes = scalar_type_bytes(image_storage(format));
  for (unsigned c = 0; channels[c]; c++)
    store_channel(format, (char *)memory + c * bytes, (union number){.u = color->u[place(channels[c])]});
}

union image_color image_border(struct image_format format) {
  const bool opaque = format.order == IMAGE_R || format.order == IMAGE_RG || format.order == IMAGE_LUMINANCE;
  return (union image_color){.u = {0, 0, 0, opaque ? one(format).u : 0}};
}

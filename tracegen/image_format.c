#include "tracegen/image_format.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "tracegen/half.h"

static const struct {
  const char *name, *channels;
  uint32_t number;
} orders[IMAGE_ORDER_COUNT] = {
#define X(id, number, channels) [id] = {&#id[sizeof "IMAGE_" - 1], channels, number},
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
  return (unsigned)strlen(orders[format.order].channels);
}

size_t image_texel_bytes(struct image_format format) {
  return image_channels(format) * scalar_type_bytes(image_storage(format));
}

/* One channel. A number is 4 bytes: a float or an integer, as the type says. */

union number {
  float f;
  int32_t i;
  uint32_t u;
};

static union number load_integer(enum scalar_type storage, const void *at) {
  union number n = {.u = 0};
  memcpy(&n.u, at, scalar_type_bytes(storage)); /* little endian, as everywhere */
  if (storage == SCALAR_CHAR)
    n.i = (int8_t)n.u;
  if (storage == SCALAR_SHORT)
    n.i = (int16_t)n.u;
  return n;
}

/* The largest magnitude of a normalised integer stands for 1. */
static float normal_unit(enum scalar_type storage) {
  return storage == SCALAR_UCHAR    ? 255.0f
         : storage == SCALAR_CHAR   ? 127.0f
         : storage == SCALAR_USHORT ? 65535.0f
                                    : 32767.0f;
}

static union number load_channel(struct image_format format, const void *at) {
  const enum scalar_type storage = image_storage(format);
  union number n = {.u = 0};
  if (storage == SCALAR_FLOAT)
    memcpy(&n.f, at, sizeof n.f);
  else if (storage == SCALAR_HALF) {
    uint16_t half;
    memcpy(&half, at, sizeof half);
    n.f = (float)half_to_double(half);
  } else {
    n = load_integer(storage, at);
    const bool is_signed = storage == SCALAR_CHAR || storage == SCALAR_SHORT;
    /* A product with the rounded reciprocal, as in PoCL: within 1.25 of the 1.5 ULPs that OpenCL allows (8.3.1.1). */
    if (image_numbers_of(format) == IMAGE_FLOATS)
      n.f = fmaxf((is_signed ? (float)n.i : (float)n.u) * (1.0f / normal_unit(storage)), -1.0f);
  }
  return n;
}

static int64_t clamp(int64_t value, enum scalar_type storage) {
  const unsigned bits = (unsigned)scalar_type_bytes(storage) * 8;
  const bool is_signed = storage == SCALAR_CHAR || storage == SCALAR_SHORT || storage == SCALAR_INT;
  const int64_t most = (INT64_C(1) << (is_signed ? bits - 1 : bits)) - 1, least = is_signed ? -most - 1 : 0;
  return value < least ? least : value > most ? most : value;
}

/* To the nearest, ties to even; what is no number becomes 0. */
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

/* Colours. */

static union number one(struct image_format format) {
  union number n = {.u = 1};
  if (image_numbers_of(format) == IMAGE_FLOATS)
    n.f = 1;
  return n;
}

/* The place of a channel's letter in a colour. */
static unsigned place(char channel) {
  return channel == 'g' ? 1 : channel == 'b' ? 2 : channel == 'a' ? 3 : 0;
}

union image_color image_load(struct image_format format, const void *memory) {
  const char *channels = orders[format.order].channels;
  const size_t bytes = scalar_type_bytes(image_storage(format));
  union image_color color = {.u = {0, 0, 0, one(format).u}};
  for (unsigned c = 0; channels[c]; c++) {
    const union number n = load_channel(format, (const char *)memory + c * bytes);
    color.u[place(channels[c])] = n.u;
    if (channels[c] == 'i' || channels[c] == 'l')
      color.u[1] = color.u[2] = n.u;
    if (channels[c] == 'i')
      color.u[3] = n.u;
  }
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

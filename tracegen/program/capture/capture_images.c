#include "tracegen/program/capture/capture_images.h"

#include <stdlib.h>

#include "base/input/json.h"

#define MAX_SIDE        65536
#define MAX_BUFFER_SIDE (1 << 27) /* of an image that shows a buffer */

/* cl_addressing_mode and cl_filter_mode (CL/cl.h), from the least. */
#define FIRST_ADDRESSING 0x1130
#define LAST_ADDRESSING  0x1134
#define FILTER_NEAREST   0x1140
#define FILTER_LINEAR    0x1141

/* Reads the depth and the kind of an image, which a two-dimensional one does not state. */
static int read_kind(const json_t *description, struct workload_buffer *b, const char *place, struct error *error) {
  int64_t depth = 1, number = 0;
  enum image_kind kind = IMAGE_2D;
  if (json_object_get(description, "image_type") &&
      (json_need_int(description, "depth", 1, MAX_SIDE, &depth, place, error) ||
       json_need_int(description, "image_type", 0, UINT32_MAX, &number, place, error)))
    return -1;
  if (number != 0 && !image_kind_from_number((uint32_t)number, &kind))
    return error_set(error, ERROR_INPUT, "%s: images of type 0x%llx are not supported", b->name,
                     (unsigned long long)number);
  b->depth = (uint32_t)depth;
  b->image_kind = (uint8_t)kind;
  return 0;
}

int capture_read_image(const json_t *description, struct workload_buffer *b, const char *place, struct error *error) {
  int64_t width, height, order, type;
  if (json_need_int(description, "width", 1, MAX_BUFFER_SIDE, &width, place, error) ||
      json_need_int(description, "height", 1, MAX_SIDE, &height, place, error) ||
      json_need_int(description, "order", 0, UINT32_MAX, &order, place, error) ||
      json_need_int(description, "type", 0, UINT32_MAX, &type, place, error) || read_kind(description, b, place, error))
    return -1;
  if (!image_format_from_numbers((uint32_t)order, (uint32_t)type, &b->format))
    return error_set(error, ERROR_INPUT, "%s: images of channel order 0x%llx and type 0x%llx are not supported",
                     b->name, (unsigned long long)order, (unsigned long long)type);
  if (b->count != (size_t)(width * height) * b->depth * image_texel_bytes(b->format))
    return error_at(error, ERROR_WORK, place, 0, 0, "image", "found %zu bytes for %lld x %lld x %u texels of %zu bytes",
                    b->count, (long long)width, (long long)height, b->depth, image_texel_bytes(b->format));
  b->width = (uint32_t)width;
  b->height = (uint32_t)height;
  b->type = image_storage(b->format);
  b->count /= scalar_type_bytes(b->type);
  return 0;
}

int capture_read_sampler(const json_t *description, uint32_t *sampler, const char *place, struct error *error) {
  int64_t addressing, filter;
  if (json_need_int(description, "addressing", FIRST_ADDRESSING, LAST_ADDRESSING, &addressing, place, error) ||
      json_need_int(description, "filter", FILTER_NEAREST, FILTER_LINEAR, &filter, place, error))
    return -1;
  *sampler = (uint32_t)(addressing - FIRST_ADDRESSING) * SAMPLER_CLAMP_TO_EDGE |
             (filter == FILTER_LINEAR ? SAMPLER_LINEAR : SAMPLER_NEAREST) |
             (json_is_true(json_object_get(description, "normalized")) ? SAMPLER_NORMALISED : 0);
  return 0;
}

bool capture_fractions_close(const struct workload_buffer *b, const void *actual, const void *expected) {
  if (b->width == 0 || image_numbers_of(b->format) != IMAGE_FLOATS || scalar_type_is_float(b->type))
    return false;
  for (size_t i = 0; i < b->count; i++) {
    const int difference = b->type == SCALAR_UCHAR    ? ((const uint8_t *)actual)[i] - ((const uint8_t *)expected)[i]
                           : b->type == SCALAR_CHAR   ? ((const int8_t *)actual)[i] - ((const int8_t *)expected)[i]
                           : b->type == SCALAR_USHORT ? ((const uint16_t *)actual)[i] - ((const uint16_t *)expected)[i]
                                                      : ((const int16_t *)actual)[i] - ((const int16_t *)expected)[i];
    if (abs(difference) > 1)
      return false;
  }
  return true;
}

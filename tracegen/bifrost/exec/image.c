#include "tracegen/bifrost/exec/image.h"

#include <string.h>

#define TEXTURE_BYTES          32
#define SAMPLER_BYTES          32
#define ATTRIBUTE_BYTES        8
#define ATTRIBUTE_BUFFER_BYTES 16
#define TILE_TEXELS            16 /* on a side */
#define DESCRIPTOR_TEXTURE     2
#define DESCRIPTOR_SAMPLER     1
#define LAYOUT_TILED           1
#define LAYOUT_LINEAR          2
#define BUFFER_LINEAR          5
#define BUFFER_TILED           6
#define BUFFER_CONTINUATION    32
#define IDENTITY               03210u

static bool read_words(const struct bifrost_dispatch *dispatch, uint64_t address, uint32_t *out, size_t words) {
  const uint8_t *from = address ? bifrost_memory_at(dispatch->memory, address, words * sizeof *out) : NULL;
  if (from)
    memcpy(out, from, words * sizeof *out);
  return from != NULL;
}

static uint64_t address_at(const uint32_t *words) {
  return words[0] | (uint64_t)words[1] << 32;
}

static bool has_format(const struct bifrost_dispatch *dispatch, struct image *image) {
  image->texel_bytes = texel_bytes(image->format, dispatch->architecture);
  return image->texel_bytes != 0;
}

/* The table of surfaces has one: its address, and bytes from row to row and from slice to slice. */
static bool place_surface(const struct bifrost_dispatch *dispatch, uint64_t table, struct image *out) {
  uint32_t words[4];
  if (!read_words(dispatch, table, words, 4))
    return false;
  out->address = address_at(words);
  out->row_bytes = words[2];
  out->slice_bytes = words[3];
  return true;
}

bool image_of_texture(const struct bifrost_dispatch *dispatch, uint32_t index, struct image *out) {
  uint32_t words[TEXTURE_BYTES / 4];
  if (index >= dispatch->texture_count ||
      !read_words(dispatch, dispatch->textures + (uint64_t)index * TEXTURE_BYTES, words, TEXTURE_BYTES / 4))
    return false;
  const uint32_t layout = words[2] >> 12 & 15, levels = (words[2] >> 16 & 31) + 1;
  *out = (struct image){.dimensions = words[0] >> 4 & 3,
                        .format = words[0] >> 10,
                        .size = {(words[1] & 0xffff) + 1, (words[1] >> 16) + 1, 1},
                        .swizzle = words[2] & 0xfff,
                        .is_tiled = layout == LAYOUT_TILED};
  out->size[2] = (out->dimensions == 3 ? words[7] & 0xffff : words[6] & 0xffff) + 1;
  return (words[0] & 15) == DESCRIPTOR_TEXTURE && out->dimensions && levels == 1 &&
         (layout == LAYOUT_TILED || layout == LAYOUT_LINEAR) && has_format(dispatch, out) &&
         place_surface(dispatch, address_at(words + 4), out);
}

/* An attribute names a buffer, and the buffer's second half has the image's sizes. */
bool image_of_attribute(const struct bifrost_dispatch *dispatch, uint32_t index, struct image *out) {
  uint32_t attribute[2], buffer[8];
  if (index >= dispatch->attribute_count ||
      !read_words(dispatch, dispatch->attributes + (uint64_t)index * ATTRIBUTE_BYTES, attribute, 2))
    return false;
  const uint64_t at = dispatch->attribute_buffers + (uint64_t)(attribute[0] & 0x1ff) * ATTRIBUTE_BUFFER_BYTES;
  if (!read_words(dispatch, at, buffer, 8))
    return false;
  const uint32_t type = buffer[0] & 63;
  *out = (struct image){.address = (address_at(buffer) & UINT64_C(0x00ffffffffffffc0)) +
                                   (attribute[0] >> 9 & 1 ? attribute[1] : 0),
                        .dimensions = 3,
                        .size = {(buffer[4] >> 16) + 1, (buffer[5] & 0xffff) + 1, (buffer[5] >> 16) + 1},
                        .row_bytes = buffer[6],
                        .slice_bytes = buffer[7],
                        .format = attribute[0] >> 10,
                        .swizzle = IDENTITY,
                        .is_tiled = type == BUFFER_TILED};
  return (type == BUFFER_LINEAR || type == BUFFER_TILED) && (buffer[4] & 63) == BUFFER_CONTINUATION &&
         has_format(dispatch, out);
}

bool image_sampler_read(const struct bifrost_dispatch *dispatch, uint32_t index, struct image_sampler *out) {
  uint32_t words[SAMPLER_BYTES / 4];
  if (index >= dispatch->sampler_count ||
      !read_words(dispatch, dispatch->samplers + (uint64_t)index * SAMPLER_BYTES, words, SAMPLER_BYTES / 4))
    return false;
  *out = (struct image_sampler){.wrap = {words[0] >> 16 & 15, words[0] >> 12 & 15, words[0] >> 8 & 15},
                                .is_normalised = words[0] >> 25 & 1,
                                .is_nearest = words[0] >> 28 & 1};
  memcpy(out->border.component, words + 4, sizeof out->border.component);
  return (words[0] & 15) == DESCRIPTOR_SAMPLER;
}

/* Bit 2 i of the place in a tile is bit i of x ^ y, and bit 2 i + 1 is bit i of y. */
static uint32_t place_in_tile(uint32_t x, uint32_t y) {
  uint32_t place = 0;
  for (unsigned i = 0; TILE_TEXELS >> i > 1; i++)
    place |= ((x ^ y) >> i & 1) << (2 * i) | (y >> i & 1) << (2 * i + 1);
  return place;
}

uint64_t image_texel_address(const struct image *image, const int32_t at[3]) {
  const uint32_t x = (uint32_t)at[0], y = (uint32_t)at[1];
  const uint64_t slice = image->address + (uint64_t)image->slice_bytes * (uint32_t)at[2];
  if (!image->is_tiled)
    return slice + (uint64_t)image->row_bytes * y + (uint64_t)image->texel_bytes * x;
  const uint64_t texels =
      (uint64_t)(x / TILE_TEXELS) * TILE_TEXELS * TILE_TEXELS + place_in_tile(x % TILE_TEXELS, y % TILE_TEXELS);
  return slice + (uint64_t)image->row_bytes * (y / TILE_TEXELS) + texels * image->texel_bytes;
}

bool image_contains(const struct image *image, const int32_t at[3]) {
  for (int d = 0; d < 3; d++)
    if (at[d] < 0 || (uint32_t)at[d] >= image->size[d])
      return false;
  return true;
}

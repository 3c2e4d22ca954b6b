/* Reads the images and samplers in a workload's file. */
#include "workload/workload_read.h"

#include <ctype.h>
#include <string.h>

#include "base/text.h"

#define MAX_SIDE        65536
#define MAX_BUFFER_SIDE (1 << 27) /* of a 1d_buffer */

static int read_order(const struct conf_node *node, uint8_t *out, struct error *error) {
  const char *names[IMAGE_ORDER_COUNT + 1] = {NULL};
  int index;
  for (int i = 0; i < IMAGE_ORDER_COUNT; i++)
    names[i] = image_order_name((enum image_order)i);
  if (conf_choice(node, names, &index, error))
    return -1;
  *out = (uint8_t)index;
  return 0;
}

static int read_type(const struct conf_node *node, uint8_t *out, struct error *error) {
  const char *names[IMAGE_TYPE_COUNT + 1] = {NULL};
  int index;
  for (int i = 0; i < IMAGE_TYPE_COUNT; i++)
    names[i] = image_type_name((enum image_type)i);
  if (conf_choice(node, names, &index, error))
    return -1;
  *out = (uint8_t)index;
  return 0;
}

static int read_format(const struct conf_node *map, struct image_format *format, struct error *error) {
  const struct conf_node *order = conf_need(map, "order", error), *type = order ? conf_need(map, "type", error) : NULL;
  if (!type || read_order(order, &format->order, error) || read_type(type, &format->type, error))
    return -1;
  if (image_format_valid(*format))
    return 0;
  return conf_error(order, error, "order %s does not go with type %s (OpenCL 1.2, table 5.6)",
                    image_order_name((enum image_order)format->order), image_type_name((enum image_type)format->type));
}

/* Reads the kind. Left out, it is that of an image without layers with this number of sizes. */
static int read_kind(const struct conf_node *map, size_t sizes, enum image_kind *out, struct error *error) {
  static const enum image_kind by_sizes[] = {IMAGE_1D, IMAGE_2D, IMAGE_3D};
  const struct conf_node *node = conf_get(map, "kind");
  const char *names[IMAGE_KIND_COUNT + 1] = {NULL};
  int index;
  *out = by_sizes[sizes - 1];
  for (int i = 0; i < IMAGE_KIND_COUNT; i++)
    names[i] = image_kind_name((enum image_kind)i);
  if (!node)
    return 0;
  if (conf_choice(node, names, &index, error))
    return -1;
  *out = (enum image_kind)index;
  return 0;
}

static int read_sizes(const struct conf_node *size, enum image_kind kind, int64_t out[3], struct error *error) {
  if (size->count != image_kind_sizes(kind))
    return conf_error(size, error, "a %s image has %u size%s, [%s]; found %zu", image_kind_name(kind),
                      image_kind_sizes(kind), image_kind_sizes(kind) > 1 ? "s" : "", image_kind_sizes_text(kind),
                      size->count);
  for (size_t i = 0; i < size->count; i++)
    if (conf_int(size->items[i], 1, kind == IMAGE_1D_BUFFER ? MAX_BUFFER_SIDE : MAX_SIDE, &out[i], error))
      return -1;
  return 0;
}

int workload_read_image(struct workload_buffer *b, const struct conf_node *map, struct error *error) {
  const struct conf_node *size = conf_get(map, "image"), *count = conf_get(map, "count");
  int64_t sizes[3] = {1, 1, 1};
  enum image_kind kind;
  if (count)
    return conf_error(count, error, "an image has no count; its size is `image: [WIDTH, HEIGHT]`");
  if (workload_expect_items(size, 1, 3, error) || read_kind(map, size->count, &kind, error) ||
      read_sizes(size, kind, sizes, error) || read_format(map, &b->format, error))
    return -1;
  b->width = (uint32_t)sizes[0];
  b->height = (uint32_t)sizes[1];
  b->depth = (uint32_t)sizes[2];
  b->image_kind = (uint8_t)kind;
  b->type = image_storage(b->format);
  b->count = (size_t)(sizes[0] * sizes[1] * sizes[2]) * image_channels(b->format);
  if (b->count <= (size_t)MAX_BUFFER_BYTES / scalar_type_bytes(b->type))
    return 0;
  return conf_error(size, error, "the image has %zu bytes; all buffers together stay below %lld",
                    b->count * scalar_type_bytes(b->type), (long long)MAX_BUFFER_BYTES);
}

/* Reads the words of a sampler, which are named like CLK_... Each kind may occur at most once. */
int workload_read_sampler(const struct conf_node *node, uint32_t *out, struct error *error) {
  static const char *const words[] = {"none",   "clamp_to_edge", "clamp",      "repeat", "mirrored_repeat",
                                      "linear", "nearest",       "normalized", NULL};
  static const uint32_t bits[] = {SAMPLER_NONE,    SAMPLER_CLAMP_TO_EDGE,   SAMPLER_CLAMP,
                                  SAMPLER_REPEAT,  SAMPLER_MIRRORED_REPEAT, SAMPLER_LINEAR,
                                  SAMPLER_NEAREST, SAMPLER_NORMALISED};
  int of_kind[3] = {0}; /* number of words about addressing, filter, coordinates */
  *out = 0;
  if (workload_expect_items(node, 0, 3, error))
    return -1;
  for (size_t i = 0; i < node->count; i++) {
    int word;
    if (conf_choice(node->items[i], words, &word, error))
      return -1;
    if (of_kind[word < 5 ? 0 : word < 7 ? 1 : 2]++)
      return conf_error(node->items[i], error, "a sampler has one addressing mode and one filter");
    *out |= bits[word];
  }
  *out |= of_kind[1] ? 0 : SAMPLER_NEAREST;
  return 0;
}

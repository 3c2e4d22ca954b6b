/* Reads the images and samplers in a workload's file. */
#include "workload/workload_read.h"

#include <ctype.h>
#include <string.h>

#include "base/text.h"

#define MAX_SIDE 65536

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

int workload_read_image(struct workload_buffer *b, const struct conf_node *map, struct error *error) {
  const struct conf_node *size = conf_get(map, "image"), *count = conf_get(map, "count");
  int64_t width, height;
  if (count)
    return conf_error(count, error, "an image has no count; its size is `image: [WIDTH, HEIGHT]`");
  if (workload_expect_items(size, 2, 2, error) || conf_int(size->items[0], 1, MAX_SIDE, &width, error) ||
      conf_int(size->items[1], 1, MAX_SIDE, &height, error) || read_format(map, &b->format, error))
    return -1;
  b->width = (uint32_t)width;
  b->height = (uint32_t)height;
  b->type = image_storage(b->format);
  b->count = (size_t)(width * height) * image_channels(b->format);
  return 0;
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

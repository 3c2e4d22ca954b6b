#include "graphics/execute/transfer/transfer.h"

static bool is_inside(const struct storage_image *image, const struct frame_part *p, int64_t x, int64_t y, int64_t z) {
  return x >= 0 && y >= 0 && z >= 0 && x < frame_level_side(image->info->width, p->level) &&
         y < frame_level_side(image->info->height, p->level) && z < frame_level_side(image->info->depth, p->level);
}

uint8_t *transfer_texel(const struct storage_image *image, const struct frame_part *p, uint32_t aspect, uint32_t layer,
                        int64_t x, int64_t y, int64_t z) {
  if (!image || !is_inside(image, p, x, y, z) || p->first_layer + layer >= image->info->layers)
    return NULL;
  return storage_texel(image, storage_plane_of(aspect), p->level, p->first_layer + layer, (uint32_t)x, (uint32_t)y,
                       (uint32_t)z);
}

/* Returns the number of texels of an axis, from the part's beginning on, that lie in the image. */
static int64_t length_of(const struct frame_part *p, unsigned axis, uint32_t side) {
  const int64_t end = p->end[axis] < (int64_t)side ? p->end[axis] : (int64_t)side;
  return p->offset[axis] < 0 ? 0 : end - p->offset[axis];
}

void transfer_visit(struct execution *e, const struct frame_part *p, const void *command, transfer_visitor *visit) {
  const struct storage_image *image = storage_image(&e->storage, p->image);
  const struct frame_image *i = image ? image->info : NULL;
  struct transfer_place at;
  if (!i)
    return;
  const int64_t width = length_of(p, 0, frame_level_side(i->width, p->level));
  const int64_t height = length_of(p, 1, frame_level_side(i->height, p->level));
  const int64_t depth = length_of(p, 2, frame_level_side(i->depth, p->level));
  for (at.layer = 0; at.layer < p->layers; at.layer++)
    for (at.z = 0; at.z < depth; at.z++)
      for (at.y = 0; at.y < height; at.y++)
        for (at.x = 0; at.x < width; at.x++)
          visit(e, command, &at);
}

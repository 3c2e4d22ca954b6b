/* The contents of a frame's buffers and images while the frame is executed.
 *
 * Shapes: an image has up to three planes (color, depth, stencil); a plane has its levels, each with all layers,
 * without gaps, in the texels that texel_format_bytes states; the samples of a texel are adjacent.
 * Ownership: storage_clear frees everything. Errors: false means that memory ran out. */
#ifndef GRAPHICS_STORAGE_H
#define GRAPHICS_STORAGE_H

#include <stdbool.h>

#include "graphics/frame/frame_capture.h"

enum storage_plane { PLANE_COLOR, PLANE_DEPTH, PLANE_STENCIL, PLANE_COUNT };

struct storage_image {
  const struct frame_image *info;
  uint32_t sample_bytes[PLANE_COUNT];
  uint8_t *levels[PLANE_COUNT][FRAME_MAX_LEVELS]; /* NULL: the image has no such plane, or its format is unsupported */
  uint8_t *vulkan[PLANE_COUNT]
                 [FRAME_MAX_LEVELS]; /* the same as Vulkan drew it (agreement.h); NULL: the capture does not say */
};

struct storage {
  const struct frame_capture *capture;
  uint8_t **buffers;             /* by number of the object; NULL: none */
  struct storage_image **images; /* by number */
};

bool storage_create(struct storage *storage, const struct frame_capture *capture);
void storage_clear(struct storage *storage);
/* Makes the object of a record, or takes the contents that it has. */
bool storage_take(struct storage *storage, const struct frame_entry *record);

/* NULL: there is no such buffer. *bytes: its size. */
uint8_t *storage_buffer(const struct storage *storage, uint32_t id, uint64_t *bytes);
struct storage_image *storage_image(const struct storage *storage, uint32_t id);
/* Returns the first sample of a texel of a plane; the others follow it. The place must be inside the image. NULL:
 * the image has no such plane. */
uint8_t *storage_texel(const struct storage_image *image, enum storage_plane plane, uint32_t level, uint32_t layer,
                       uint32_t x, uint32_t y, uint32_t z);
/* Returns the bytes of a sample. */
static inline uint32_t storage_texel_bytes(const struct storage_image *image, enum storage_plane plane) {
  return image->sample_bytes[plane];
}
/* Returns the plane of one aspect (VkImageAspectFlagBits). */
enum storage_plane storage_plane_of(uint32_t aspect);

#endif

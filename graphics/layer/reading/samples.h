/* The texels of images with several samples, which Vulkan copies to no buffer: a buffer of the layer's own shares the
 * image's memory.
 *
 * lavapipe, the only device that the layer is for, keeps each sample of an image as an image of its own, one behind the
 * other, with the rows that vkGetImageSubresourceLayout tells.
 * Ownership: samples_end destroys the buffer. Errors: false means that the image has no memory that is known. */
#ifndef GRAPHICS_LAYER_SAMPLES_H
#define GRAPHICS_LAYER_SAMPLES_H

#include "graphics/layer/objects.h"

struct samples {
  VkBuffer shared; /* has the image's memory */
  uint64_t bytes;  /* of that memory */
  uint64_t sample_bytes;
  VkSubresourceLayout layout; /* of a level and layer */
  uint32_t samples, width, height, format;
};

/* Finds where the samples of a level and layer lie. */
bool samples_begin(struct samples *samples, const struct object *image, uint32_t level, uint32_t layer);
void samples_end(struct samples *samples);
/* Records a command that copies all bytes of the image. It must lie outside of a pass. */
void samples_copy(VkCommandBuffer commands, const struct samples *samples, VkBuffer to);
/* Returns the bytes of the level and layer, with the samples of a texel one behind the other, as texel_format_bytes
 * lays them out. NULL: memory ran out. The caller frees them. */
char *samples_texels(const struct samples *samples, uint32_t aspect, const char *bytes, uint64_t *length);

#endif

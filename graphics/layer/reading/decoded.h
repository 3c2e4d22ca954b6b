/* Compressed images (BC) as plain texels: the device decodes them by a blit into an image of the layer's own, whose
 * texels are then copied into a buffer. A capture has no other decoder (docs/decisions/0014-mesa-decodes-textures.md).
 *
 * Ownership: plain_end destroys the image; decoded_forget frees what a command buffer has decoded. Errors: false means
 * that the device has no memory. Threads: the caller holds the layer's lock. */
#ifndef GRAPHICS_LAYER_DECODED_H
#define GRAPHICS_LAYER_DECODED_H

#include "graphics/layer/objects.h"

/* An image that holds the decoded texels of some layers of one level. */
struct plain {
  VkImage image;
  VkDeviceMemory memory;
  struct frame_image_texels texels; /* what it holds; `bytes` of them */
};

bool decoded_is_needed(const struct object *image);
bool plain_begin(struct plain *plain, const struct object *image, uint32_t level, uint32_t first_layer,
                 uint32_t layers);
void plain_end(struct plain *plain);
/* Records commands that decode the image and copy its texels into the buffer `to`. They must lie outside of a pass. */
void plain_read(VkCommandBuffer commands, const struct plain *plain, const struct object *image, VkBuffer to);

/* Records commands that decode an image as the commands before them have left it, and a record of its contents. */
void decoded_put(VkCommandBuffer commands, const struct object *image, uint32_t level, uint32_t first_layer,
                 uint32_t layers);
/* Writes the record of contents that replaces the one of decoded_put, once the commands have been executed. */
void decoded_write(const void *record, struct record_stream *out);
void decoded_forget(VkCommandBuffer commands);

#endif

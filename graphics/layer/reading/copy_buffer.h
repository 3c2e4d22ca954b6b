/* A buffer of the layer's own, into which commands copy contents, and whose bytes the processor reads.
 *
 * Ownership: copy_buffer_end frees it. Errors: false means that the device has no memory. */
#ifndef GRAPHICS_LAYER_COPY_BUFFER_H
#define GRAPHICS_LAYER_COPY_BUFFER_H

#include "graphics/layer/vulkan_device.h"

struct copy_buffer {
  VkBuffer buffer;
  VkDeviceMemory memory;
  char *bytes;
};

bool copy_buffer_begin(struct copy_buffer *copy, VkDeviceSize bytes);
void copy_buffer_end(struct copy_buffer *copy);

#endif

/* The images whose contents the commands of a submit need: those that a command may read before another one has
 * replaced them. A target that a pass clears as a whole is replaced; all other uses count as reads.
 *
 * Cost: a pass over the commands, and one over all objects for each submit.
 * Threads: the caller holds the layer's lock. */
#ifndef GRAPHICS_LAYER_IMAGE_USES_H
#define GRAPHICS_LAYER_IMAGE_USES_H

#include "graphics/layer/objects.h"

/* Finds the uses of images (`reads` and `replaces` of struct object) by the commands of these buffers, in order. */
void image_uses_find(const VkCommandBuffer *commands, size_t count);
/* Counts all images as read. */
void image_uses_all(void);

#endif

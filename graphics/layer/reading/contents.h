/* Contents of buffers and images, as records of the capture. The device is idle meanwhile.
 *
 * Threads: the caller holds the layer's lock. */
#ifndef GRAPHICS_LAYER_CONTENTS_H
#define GRAPHICS_LAYER_CONTENTS_H

#include <stdio.h>

#include "graphics/layer/objects.h"

/* Writes the parts of a buffer that differ from those in the file of frame `frame`: blocks of 4 KiB. */
void contents_buffer(struct object *buffer, uint32_t frame, FILE *file);
/* Writes the texels of some aspects of an image (VkImageAspectFlagBits), all levels and layers, where one is not 0. */
void contents_image(const struct object *image, uint32_t wanted, FILE *file);
/* Writes the picture that the program shows. */
void contents_present(const struct object *image, uint32_t frame, FILE *file);

#endif

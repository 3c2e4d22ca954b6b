/* Parts of images that copies and blits read and write, texel by texel.
 *
 * Units: texels. Ownership: texels belong to the execution's storage. Errors: none; texels outside of an image are
 * left out. Threads: those of the execution. */
#ifndef GRAPHICS_TRANSFER_H
#define GRAPHICS_TRANSFER_H

#include "graphics/execute/execution.h"

/* A texel of a part, counted from the part's beginning. */
struct transfer_place {
  uint32_t layer;
  int64_t x, y, z;
};

typedef void transfer_visitor(struct execution *e, const void *command, const struct transfer_place *at);

/* Calls `visit` for each texel of a part that lies in its image, layer by layer. */
void transfer_visit(struct execution *e, const struct frame_part *part, const void *command, transfer_visitor *visit);

/* Returns the texel of a level of an image; layer: from the part's first layer on. NULL: it lies outside. */
uint8_t *transfer_texel(const struct storage_image *image, const struct frame_part *part, uint32_t aspect,
                        uint32_t layer, int64_t x, int64_t y, int64_t z);

/* Blits a part of a level into a part of another level. */
void transfer_blit(struct execution *e, const struct frame_blit_image *command);

#endif

/* Reading an image through a sampler. Private to exec/.
 *
 * Errors: none; texels that cannot be read are zero, as where a texture lies outside of memory.
 * Threads: none is shared. Source: OpenCL 1.2, section 8.2; the filter's weights are floats, those of a GPU have 8
 * bits. */
#ifndef TRACEGEN_BIFROST_SAMPLE_IMAGE_H
#define TRACEGEN_BIFROST_SAMPLE_IMAGE_H

#include "tracegen/bifrost/exec/image.h"
#include "tracegen/bifrost/exec/warp.h"

/* The source of texels. */
struct image_view {
  struct bifrost_runner *runner;
  struct image image;
  unsigned lane;
};

/* Reads the texel at whole coordinates; outside of the image it is zero. *address becomes the texel's, or that of the
 * nearest one. */
struct texel image_fetch(const struct image_view *view, const int32_t at[3], uint64_t *address);
/* Reads at a point. *address becomes that of the first texel that is read. */
struct texel image_sample(const struct image_view *view, const struct image_sampler *sampler, const float point[3],
                          uint64_t *address);

#endif

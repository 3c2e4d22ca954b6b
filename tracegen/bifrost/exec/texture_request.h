/* The request of a texture instruction. Private to exec/.
 *
 * Threads: pure functions. Source: Mesa 25.0, src/panfrost/compiler/bifrost.h (texture operation descriptors). */
#ifndef TRACEGEN_BIFROST_TEXTURE_REQUEST_H
#define TRACEGEN_BIFROST_TEXTURE_REQUEST_H

#include "tracegen/bifrost/exec/shader.h"
#include "tracegen/bifrost/exec/texel.h"

/* Staging registers follow each other in this order, those that there are. */
struct texture_request {
  bool is_fetch; /* integer coordinates and no sampler */
  bool has_z, has_level, has_layer, has_offset, has_sampler, has_texture;
  uint8_t dimensions;
  uint8_t number;            /* enum texel_number of the results */
  bool packs;                /* two results to a register */
  uint32_t texture, sampler; /* where no register has them */
};

/* Returns false: the instruction asks for something that compute kernels do not use (shadows, cubes, gradients), or is
 * not known before it runs. */
bool texture_request_of(const struct bifrost_shader *shader, const struct shader_slot *slot,
                        struct texture_request *out);

#endif

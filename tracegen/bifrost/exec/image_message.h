/* Messages on images. Private to exec/. */
#ifndef TRACEGEN_BIFROST_IMAGE_MESSAGE_H
#define TRACEGEN_BIFROST_IMAGE_MESSAGE_H

#include "tracegen/bifrost/exec/texel.h"
#include "tracegen/bifrost/exec/warp.h"

/* Runs a message of an image: an address, a load, a store or a texture instruction of tuple `number`. */
int image_message_run(struct bifrost_runner *runner, struct warp *warp, const struct shader_slot *slot, unsigned number,
                      const struct lanes *const *sources);
/* Runs a texture instruction. addresses[lane] becomes the GPU address of the first texel that the lane reads. */
int texture_run(struct bifrost_runner *runner, struct warp *warp, const struct shader_slot *slot,
                const struct lanes *const *sources, uint64_t *addresses);
/* Writes `count` components to staging registers; two to a register where `packs`. */
void registers_put_texel(struct warp *warp, unsigned first, unsigned lane, const struct texel *texel, unsigned count,
                         enum texel_number number, bool packs);

#endif

/* Reads of images as generated code instead of calls of the emulator. Private to tracegen/lower. */
#ifndef TRACEGEN_INLINE_IMAGES_H
#define TRACEGEN_INLINE_IMAGES_H

#include "tracegen/lower/instrument/instrumenter.h"

/* Returns false where the environment (REASSEMBLE_IMAGES=called) wants every image function called. */
bool inline_images_wanted(void);
/* Returns whether code can execute a call: a read of a two-dimensional image of RGBA bytes or floats with a sampler
 * that clamps to the edge or repeats. The sampler and the numbers of the image must be as OpenCL wants them;
 * emulation_image names mistakes. */
bool inline_image_possible(const struct kernel_program *program, const struct kernel_image_call *c);
/* Builds the read that `call` stands for, at the builder's place. `place` is that of its first texel among the
 * addresses of the block. Returns the color. */
LLVMValueRef inline_image_read(struct instrumenter *n, LLVMValueRef call, const struct kernel_image_call *c,
                               uint32_t place);

#endif

/* The image functions of a kernel. Private to tracegen/lower.
 *
 * Before optimisation each call of read_image* and write_image* becomes a call of a marker (IMAGE) of its own for
 * its image and sampler, so that the optimiser cannot merge reads of two images. get_image_width and its like become
 * parts of the argument. In the code table such a call is one operation (class math, by name) and the accesses to
 * its texels; emulation_image executes it. Source: OpenCL C 1.2, section 6.12.14. */
#ifndef TRACEGEN_IMAGE_CALLS_H
#define TRACEGEN_IMAGE_CALLS_H

#include "tracegen/lower/ir/lowering.h"

/* Fills program->image_calls. A kernel without images and samplers stays as it is. */
int image_calls_resolve(struct lowering *l);
/* The row of program->image_calls that a marker stands for; NULL for any other function. */
const struct kernel_image_call *image_call_of(const struct kernel_program *program, LLVMValueRef function);
/* The sampler of a call: from the source or from the launch's arguments. */
uint32_t image_call_sampler(const struct kernel_program *program, const struct kernel_image_call *c);
/* The number of texels that a call touches, and the type of each. */
unsigned image_call_texels(const struct kernel_program *program, const struct kernel_image_call *c);
LLVMTypeRef image_call_texel_type(struct lowering *l, const struct kernel_image_call *c);

#endif

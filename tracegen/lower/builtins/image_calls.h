/* The image functions of a kernel. Private to tracegen.
 *
 * Before optimisation each call of read_imagef and its kin becomes the call of a function of its own for its image and
 * sampler, so that no optimiser can merge reads of two images; what get_image_width and its kin ask for becomes a part
 * of the argument, as with structures. In the code table a call is one operation (`math`, by name) and the accesses
 * to its texels; emulation_image does it all. */
#ifndef TRACEGEN_IMAGE_CALLS_H
#define TRACEGEN_IMAGE_CALLS_H

#include "tracegen/lower/instrument/instrument.h"
#include "tracegen/abi/kernel_abi.h"

/* By the name that builtin_name gives. */
bool image_is_function(const char *name);
/* Image or sampler; false: the parameter is none, or none that is supported. */
bool image_parameter(struct kernel_parameter *p);
int image_calls_resolve(struct lowering *l);
/* The row of program->image_calls that a function declared by image_calls_resolve belongs to, or NULL. */
const struct kernel_image_call *image_call_of(const struct kernel_program *program, LLVMValueRef function);
/* Texels that a call touches, and the type of each. */
unsigned image_call_texels(const struct kernel_program *program, const struct kernel_image_call *c);
LLVMTypeRef image_call_texel_type(struct lowering *l, const struct kernel_image_call *c);
/* At the builder's place: does the call; `place` is that of its first access in the block. Uses of the call get its
 * result. */
void image_call_lower(struct instrumenter *n, LLVMValueRef call, uint32_t place);

#endif

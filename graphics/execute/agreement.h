/* Compares the targets of a draw with what Vulkan drew, where the capture has that (`reassemble trace --each-draw`),
 * and continues with Vulkan's targets, so that differences of draws do not add up. Private to graphics/execute. */
#ifndef GRAPHICS_AGREEMENT_H
#define GRAPHICS_AGREEMENT_H

#include "graphics/execute/execution.h"

/* Returns whether the capture has Vulkan's targets behind the present record. */
bool agreement_follows(const struct execution *e);
/* Takes Vulkan's bytes of a target. If the previous command is a draw, its result gets the agreement. */
int agreement_take_target(struct execution *e, const struct frame_target_bytes *target, struct error *error);
/* Takes the number of samples that passed Vulkan's tests in the previous draw. */
void agreement_take_samples(struct execution *e, const struct frame_samples *samples);
/* Returns a phrase that names reads of the draw's fragment shader that may explain a difference. */
const char *agreement_reason(const struct execution *e, const struct shader_source *fragment);

#endif

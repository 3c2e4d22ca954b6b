/* Choices that shaders make for the rasteriser, read off modules that no checker has accepted yet. */
#ifndef GRAPHICS_SHADER_CHOICES_H
#define GRAPHICS_SHADER_CHOICES_H

#include <stdbool.h>

#include "graphics/execute/execution.h"

/* Returns whether the last shader of a pipeline before the rasteriser has an output of this kind (SpvBuiltIn). */
bool shader_chooses(const struct frame_capture *capture, const struct frame_pipeline *pipeline, uint32_t builtin);

#endif

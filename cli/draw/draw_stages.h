/* Tables of `reassemble draw` about the shaders between those of vertices and the rasteriser. */
#ifndef DRAW_STAGES_H
#define DRAW_STAGES_H

#include "cli/core/view.h"
#include "graphics/execute/frame_execute.h"

/* Shows the draws with tessellation and those with geometry shaders; nothing where there are none. */
void draw_stages_show(const struct frame_execution *execution, struct view *view);

#endif

/* Writes a draw's triangles and quads beside its traces (graphics/drawn/quad_file.h). Private to graphics/execute. */
#ifndef GRAPHICS_DRAW_QUADS_H
#define GRAPHICS_DRAW_QUADS_H

#include "base/error.h"
#include "graphics/raster/triangles.h"
#include "graphics/spirv/shader_source.h"

int draw_quads_write(const char *folder, const char *name, const struct raster *raster,
                     const struct shader_source *fragment, const struct raster_state *state, struct error *error);

#endif

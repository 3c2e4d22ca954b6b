/* The fragments of a draw as a launch whose work-groups are parts of tiles: a trace that the model replays.
 *
 * The quads of a tile (tile_bins.h) fill work-groups of a fixed size; what is left of a tile's last work-group is
 * filled up with work-items that end at once. Work-groups stand in the order of their tiles. The code is that of the
 * shader on a GPU with units for inputs, outputs and derivatives (tile_code.h).
 *
 * Errors: a trace or file of quads that do not belong together is ERROR_INPUT. Cost: one pass over the fragment trace.
 * Threads: one call at a time for a path. */
#ifndef GRAPHICS_TILE_LAUNCH_H
#define GRAPHICS_TILE_LAUNCH_H

#include <stdbool.h>

#include "base/error.h"
#include "graphics/drawn/quad_file.h"
#include "graphics/tile/tile_home.h"
#include "graphics/tile/tile_order.h"
#include "trace/trace.h"

struct tile_options {
  uint32_t tile_pixels; /* side of a tile; a power of two from 2 on */
  uint32_t group_items; /* work-items of a work-group, a multiple of 4 */
  uint32_t raster_units;
  enum tile_order order;
  uint32_t work_tile; /* side of a work tile in tiles (tile_home.h); 0: the GPU's dispatch says which core is next */
  enum quad_map map;
  bool early_depth;          /* quads without a pixel that passes the tests are not shaded, where the shader permits */
  uint32_t list_entry_bytes; /* of a triangle in the polygon list of a tile (pass_launch.h) */
};

struct tile_counts {
  uint64_t tiles, groups;                     /* tiles that have quads; work-groups */
  uint64_t quads, shaded;                     /* all; those in the launch */
  uint64_t primitive_tiles;                   /* pairs of a triangle and a tile that it has quads in */
  uint64_t texels, buffer_reads;              /* by the shaded lanes: texels of images, loads from buffers */
  uint64_t image_footprint, buffer_footprint; /* bytes of the blocks of 64 that these touch, each once */
};

/* Checks that they are of one draw. */
int tile_launch_check(const struct trace *fragments, const struct quad_file *quads, struct error *error);
/* Writes the launch's trace. Where no quad is shaded, no file is written and counts->groups is 0. *by_group: the
 * launch's trace.fragments, which the caller frees; NULL after an error. */
int tile_launch_write(const struct trace *fragments, const struct quad_file *quads, const struct tile_options *options,
                      const char *path, struct tile_counts *counts, uint32_t **by_group, struct error *error);

#endif

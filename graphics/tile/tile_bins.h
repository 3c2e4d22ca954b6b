/* The quads of a draw by tile.
 *
 * Quads are sorted into square tiles, numbered row after row, and keep their API order there. With an early depth test,
 * quads of which no pixel passes the tests in API order are left out, where the shader allows.
 * Ownership: tile_bins_clear frees. Errors: memory. Cost: linear in quads and tiles. Threads: none is shared. */
#ifndef GRAPHICS_TILE_BINS_H
#define GRAPHICS_TILE_BINS_H

#include <stdbool.h>

#include "base/error.h"
#include "graphics/drawn/quad_file.h"

struct tile_grid {
  uint32_t pixels; /* side of a tile */
  uint32_t columns, rows;
};

struct tile_bins {
  uint32_t *begins; /* by tile: its first place in `quads`; one more than tiles */
  uint32_t *quads;  /* numbers of quads, tile by tile, in API order */
};

/* The tiles that cover a picture. */
struct tile_grid tile_grid_of(uint32_t width, uint32_t height, uint32_t pixels);

/* Returns whether a quad's fragments are shaded. */
bool tile_bins_shades(const struct quad_file *file, const struct quad *quad, bool early_depth);
int tile_bins_create(const struct quad_file *file, const struct tile_grid *grid, bool early_depth,
                     struct tile_bins *out, struct error *error);
void tile_bins_clear(struct tile_bins *bins);

/* Returns the number of triangles that have quads in the tile. */
uint32_t tile_bins_triangles(const struct tile_bins *bins, const struct quad_file *file, uint32_t tile);

#endif

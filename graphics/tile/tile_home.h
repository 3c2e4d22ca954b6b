/* The assignment of quads to cores, where it does not depend on which core is free: work tiles and quad maps.
 *
 * A work tile is a square of tiles. Work tiles are numbered along the order of tiles, and raster units take them in
 * turn. The quads of a tile stay together, or a quad map distributes them among four cores of the raster unit. A
 * home is the number of a core, which a replay takes modulo its cores (trace.homes).
 * Units: quads. Ownership: the caller frees the list. Errors: NULL means that memory ran out.
 * Sources: Gubran and Aamodt, "Emerald", ISCA 2019, section 6, for work tiles; quad maps that share texture caches
 * are those of work on parallel tile rendering, whose names for them are beside ours. */
#ifndef GRAPHICS_TILE_HOME_H
#define GRAPHICS_TILE_HOME_H

#include "graphics/tile/tile_bins.h"
#include "graphics/tile/tile_order.h"

/* X(enumerator, name, meaning) */
#define QUAD_MAPS(X)                                                                                                   \
  X(QUADS_WHOLE, whole, "all quads of a tile go to one core")                                                          \
  X(QUADS_FINE, fine, "of each square of four quads one to each of four cores")                                        \
  X(QUADS_LINES, lines, "row after row of quads, in turn")                                                             \
  X(QUADS_BLOCKS, blocks, "of each square of four blocks one to each; a block has a quarter of the tile's side")       \
  X(QUADS_COLUMNS, columns, "a quarter of the tile's width to each")                                                   \
  X(QUADS_QUADRANTS, quadrants, "a quadrant of the tile to each")

enum quad_map {
#define X(id, name, meaning) id,
  QUAD_MAPS(X)
#undef X
      QUAD_MAP_COUNT
};

/* The names, in this order, up to NULL. */
extern const char *const quad_map_names[];

/* Returns the number of cores among which a map distributes the quads of a tile. */
uint32_t quad_map_parts(enum quad_map map);
/* Returns the number of the core, among these, that has the quad in column `x` and row `y` of a tile with `side`
 * quads along a side. */
uint32_t quad_map_part(enum quad_map map, uint32_t x, uint32_t y, uint32_t side);

/* Returns the home of each tile's first part; part p has a home that is p * units higher. `work_tile`: its side in
 * tiles, from 1 on. Where tiles stay together (`parts` 1) each work tile is a home of its own. */
uint32_t *tile_homes(const struct tile_grid *grid, uint32_t work_tile, enum tile_order order, uint32_t units,
                     uint32_t parts);

#endif

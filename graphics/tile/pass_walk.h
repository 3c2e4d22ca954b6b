/* The state of a pass while its launches are written, which the walks over tiles and over draws share. Private to
 * graphics/tile. */
#ifndef GRAPHICS_PASS_WALK_H
#define GRAPHICS_PASS_WALK_H

#include "graphics/tile/launch_writer.h"
#include "graphics/tile/pass_launch.h"
#include "graphics/tile/pass_layout.h"
#include "graphics/tile/tile_bins.h"

struct drawn {
  struct pass_input input;
  struct arena_map before_maps[PASS_STAGES], fragment_map;
  uint32_t outputs, output_bytes; /* its vertices' outputs, in the arena */
  struct tile_bins all, shaded;   /* quads by tile: all of them, and those whose fragments run */
};

struct pass_launches {
  const struct pass *pass;
  const struct tile_options *options;
  bool immediate;
  struct drawn *draws;
  size_t count;
  struct tile_grid grid;
  uint32_t *order;      /* of tiles */
  uint32_t *tile_homes; /* NULL, or of tiles: their first parts */
  struct frame_arena arena;
  struct pass_layout layout;
  struct pass_counts counts;
};

/* A launch is traversed twice: first its work-groups are counted, then they are written. */
struct walk {
  struct pass_launches *all;
  struct launch_writer *writer; /* NULL: counting */
  uint64_t groups;
  struct access_list accesses;
  size_t *numbers; /* by draw, in a launch of vertices by draw and stage: of a trace in the launch's code */
  uint32_t *part;  /* quads of a draw in a part of a tile */
  size_t part_room;
};

/* pass_walk.c. Writes the accesses of the list, one a work-item, and empties it. */
int walk_accesses(struct walk *walk, struct error *error);
/* Writes work-items of a trace. */
int walk_items(struct walk *walk, struct launch_lane *lane, uint64_t first, uint64_t count, struct error *error);
/* Writes the fragments of some quads of a draw. */
int walk_quads(struct walk *walk, size_t draw, const uint32_t *quads, size_t count, struct error *error);

/* pass_tiles.c: all fragments tile by tile. */
int walk_tiles(struct walk *walk, struct error *error);
/* pass_immediate.c: all fragments draw by draw. */
int walk_draws(struct walk *walk, struct error *error);

#endif

/* The draws of a pass as two launches, in which they overlap: first all vertices, and behind those of a draw its
 * tessellation and geometry shaders, then all fragments.
 *
 * Tile-based: a tile's fragments of all draws follow each other, in API order, before the next tile's. Before them the
 * tile's work-groups read the vertices of its triangles. What units of their own move is counted and not part of a
 * launch: polygon lists, which the tiler writes and the tiles read, and the targets that the pass loads into the tile
 * buffer and stores from it, for all tiles, those too that no triangle covers.
 * Immediate mode: the fragments of a draw follow in API order, without tiles. Behind each work-group of fragments
 * another one makes the accesses of blending and tests, through the caches: reads and writes of the covered pixels'
 * targets. They are work-items of their own, so that no fragment waits for them, and take the issue slots of their
 * accesses and of branches.
 * Units: bytes. Errors: ERROR_INPUT where the draws' files do not belong together. Cost: one pass over the traces.
 * Source: Arm, "The Mali GPU: an abstract machine", parts 1 and 2, for tiles, lists and what stays on chip. */
#ifndef GRAPHICS_PASS_LAUNCH_H
#define GRAPHICS_PASS_LAUNCH_H

#include "graphics/tile/frame_arena.h"
#include "graphics/drawn/pass_file.h"
#include "graphics/tile/tile_launch.h"

enum pass_stage { PASS_VERTEX, PASS_CONTROL, PASS_EVALUATION, PASS_GEOMETRY, PASS_STAGES };

/* The traces and files of a draw; NULL stands for those that it does not have. All are borrowed. */
struct pass_input {
  const struct pass_draw *draw;
  const struct trace *before[PASS_STAGES]; /* by stage before the rasteriser; tiles read the outputs of the last one */
  const struct trace *fragments;           /* fragments and quads are both there, or none of them */
  const struct quad_file *quads;
};

struct pass_counts {
  uint64_t tiles, triangles;        /* tiles of the pass; entries of their polygon lists */
  uint64_t binned;                  /* triangles that cover pixels, each once */
  uint64_t vertex_groups, groups;   /* work-groups of the two launches */
  uint64_t list_bytes;              /* of the polygon lists, written once and read once; not in the launches */
  uint64_t vertex_bytes;            /* of vertices that tiles read */
  uint64_t load_bytes, store_bytes; /* of targets; in the launches only in immediate mode */
};

/* Numbers of a launch by work-group that are not in its file; the caller frees both lists. */
struct pass_groups {
  uint32_t *homes;     /* trace.homes; NULL unless work tiles are tied to cores */
  uint32_t *fragments; /* trace.fragments */
};

struct pass_launches;

/* Sorts the quads and lays out the memory. */
int pass_launches_create(const struct pass *pass, const struct pass_input *inputs, size_t count,
                         const struct tile_options *options, bool immediate, struct pass_launches **out,
                         struct error *error);
/* Write the traces of the launches. One without work-groups is not written. */
int pass_launches_vertices(struct pass_launches *launches, const char *path, struct error *error);
/* *groups: empty after an error. */
int pass_launches_fragments(struct pass_launches *launches, const char *path, struct pass_groups *groups,
                            struct error *error);
/* Complete after both were written. */
const struct pass_counts *pass_launches_counts(const struct pass_launches *launches);
void pass_launches_destroy(struct pass_launches *launches);

#endif

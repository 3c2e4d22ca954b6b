/* Tile-based rendering: before the fragments of a tile, the vertices of its triangles are read. */
#include "base/array.h"
#include "graphics/tile/pass_walk.h"

/* Appends reads of the vertices of a draw's triangles that cover pixels of the tile. Vertices outside of what the
 * vertex shader wrote are left out: the file of quads is not to be trusted. */
static bool add_vertices(struct walk *w, const struct drawn *d, uint32_t tile) {
  const uint64_t stride = 4 * (uint64_t)d->input.draw->varying_words;
  const struct quad_file *f = d->input.quads;
  for (uint32_t i = d->all.begins[tile]; i < d->all.begins[tile + 1]; i++) {
    const uint32_t triangle = f->quads[d->all.quads[i]].triangle;
    if (i > d->all.begins[tile] && triangle == f->quads[d->all.quads[i - 1]].triangle)
      continue;
    for (int k = 0; k < 3; k++) {
      const uint64_t at = f->triangles[triangle].vertices[k] * stride;
      if (at + stride <= d->output_bytes &&
          !access_list_range(&w->accesses, d->outputs + (uint32_t)at, stride, false, LAUNCH_VERTEX))
        return false;
    }
  }
  return true;
}

static int begin_tile(struct walk *w, uint32_t tile, struct error *error) {
  struct pass_launches *a = w->all;
  for (size_t d = 0; d < a->count; d++)
    if (a->draws[d].input.quads && !add_vertices(w, &a->draws[d], tile))
      return error_no_memory(error);
  for (size_t i = 0; w->writer && i < w->accesses.count; i++)
    a->counts.vertex_bytes += w->accesses.list[i].bytes;
  return walk_accesses(w, error);
}

/* The quads of a draw in a part of the tile, as the quad map has it. */
static int put_part_of_draw(struct walk *w, size_t draw, uint32_t tile, uint32_t part, struct error *error) {
  const struct drawn *d = &w->all->draws[draw];
  const uint32_t *list = d->shaded.quads + d->shaded.begins[tile], side = w->all->grid.pixels / 2;
  const size_t all = d->shaded.begins[tile + 1] - d->shaded.begins[tile];
  size_t count = 0;
  if (!array_room(&w->part, &w->part_room, all + 1, sizeof *w->part))
    return error_no_memory(error);
  for (size_t i = 0; i < all; i++) {
    const struct quad *q = &d->input.quads->quads[list[i]];
    if (quad_map_part(w->all->options->map, (uint32_t)q->x / 2 % side, (uint32_t)q->y / 2 % side, side) == part)
      w->part[count++] = list[i];
  }
  return walk_quads(w, draw, w->part, count, error);
}

/* The tile's vertices are read by the core of its first part. */
static int put_tile(struct walk *w, uint32_t tile, struct error *error) {
  const struct pass_launches *a = w->all;
  const uint32_t home = a->tile_homes ? a->tile_homes[tile] : 0;
  if (w->writer)
    w->writer->home = home;
  if (begin_tile(w, tile, error))
    return -1;
  for (uint32_t part = 0; part < quad_map_parts(a->options->map); part++) {
    if (w->writer)
      w->writer->home = home + part * a->options->raster_units;
    for (size_t i = 0; i < a->count; i++)
      if (a->draws[i].shaded.begins && put_part_of_draw(w, i, tile, part, error))
        return -1;
  }
  return 0;
}

int walk_tiles(struct walk *w, struct error *error) {
  for (uint32_t i = 0; i < w->all->grid.columns * w->all->grid.rows; i++)
    if (put_tile(w, w->all->order[i], error))
      return -1;
  return 0;
}

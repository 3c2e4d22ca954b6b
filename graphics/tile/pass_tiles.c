/* Tile-based rendering: before the fragments of a tile, the vertices of its triangles are read. */
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
      return walk_no_memory(error);
  for (size_t i = 0; w->writer && i < w->accesses.count; i++)
    a->counts.vertex_bytes += w->accesses.list[i].bytes;
  return walk_accesses(w, error);
}

static int put_tile(struct walk *w, uint32_t tile, struct error *error) {
  if (begin_tile(w, tile, error))
    return -1;
  for (size_t i = 0; i < w->all->count; i++) {
    const struct tile_bins *b = &w->all->draws[i].shaded;
    if (b->begins && walk_quads(w, i, b->quads + b->begins[tile], b->begins[tile + 1] - b->begins[tile], error))
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

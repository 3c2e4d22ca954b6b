#include "graphics/tile/tile_bins.h"

#include <stdlib.h>

struct tile_grid tile_grid_of(uint32_t width, uint32_t height, uint32_t pixels) {
  return (struct tile_grid){pixels, (width + pixels - 1) / pixels, (height + pixels - 1) / pixels};
}

bool tile_bins_shades(const struct quad_file *file, const struct quad *quad, bool early_depth) {
  return !early_depth || file->late_tests || quad->passed;
}

static uint32_t tile_of(const struct tile_grid *g, const struct quad *q) {
  return (uint32_t)q->y / g->pixels * g->columns + (uint32_t)q->x / g->pixels;
}

/* A counting sort, which keeps the order within a tile. */
int tile_bins_create(const struct quad_file *file, const struct tile_grid *grid, bool early_depth,
                     struct tile_bins *out, struct error *error) {
  const size_t tiles = (size_t)grid->columns * grid->rows;
  *out = (struct tile_bins){calloc(tiles + 2, sizeof *out->begins),
                            malloc(((size_t)file->quad_count + 1) * sizeof *out->quads)};
  if (!out->begins || !out->quads) {
    tile_bins_clear(out);
    return error_no_memory(error);
  }
  for (uint32_t i = 0; i < file->quad_count; i++)
    if (tile_bins_shades(file, &file->quads[i], early_depth))
      out->begins[tile_of(grid, &file->quads[i]) + 2]++;
  for (size_t t = 2; t < tiles + 2; t++)
    out->begins[t] += out->begins[t - 1];
  for (uint32_t i = 0; i < file->quad_count; i++)
    if (tile_bins_shades(file, &file->quads[i], early_depth))
      out->quads[out->begins[tile_of(grid, &file->quads[i]) + 1]++] = i;
  return 0;
}

void tile_bins_clear(struct tile_bins *bins) {
  free(bins->begins);
  free(bins->quads);
  *bins = (struct tile_bins){0};
}

uint32_t tile_bins_triangles(const struct tile_bins *b, const struct quad_file *file, uint32_t tile) {
  uint32_t triangles = 0;
  for (uint32_t i = b->begins[tile]; i < b->begins[tile + 1]; i++)
    triangles += i == b->begins[tile] || file->quads[b->quads[i]].triangle != file->quads[b->quads[i - 1]].triangle;
  return triangles;
}

#include "graphics/tile/tile_home.h"

#include <stdlib.h>

const char *const quad_map_names[] = {
#define X(id, name, meaning) #name,
    QUAD_MAPS(X)
#undef X
        NULL};

uint32_t quad_map_parts(enum quad_map map) {
  return map == QUADS_WHOLE ? 1 : 4;
}

/* The place of a square among four: left or right, upper or lower. */
static uint32_t square(uint32_t x, uint32_t y) {
  return (x & 1) + 2 * (y & 1);
}

uint32_t quad_map_part(enum quad_map map, uint32_t x, uint32_t y, uint32_t side) {
  const uint32_t block = side > 4 ? side / 4 : 1, half = side > 2 ? side / 2 : 1;
  switch (map) {
  case QUADS_FINE:
    return square(x, y);
  case QUADS_LINES:
    return y % 4;
  case QUADS_BLOCKS:
    return square(x / block, y / block);
  case QUADS_COLUMNS:
    return x / block % 4;
  case QUADS_QUADRANTS:
    return square(x / half, y / half);
  default:
    return 0;
  }
}

uint32_t *tile_homes(const struct tile_grid *grid, uint32_t work_tile, enum tile_order order, uint32_t units,
                     uint32_t parts) {
  const uint32_t columns = (grid->columns + work_tile - 1) / work_tile, rows = (grid->rows + work_tile - 1) / work_tile;
  uint32_t *list = tile_order_list(order, columns, rows, 1), *place = malloc((columns * rows + 1) * sizeof *place),
           *homes = malloc((grid->columns * grid->rows + 1) * sizeof *homes);
  for (uint32_t i = 0; list && place && i < columns * rows; i++)
    place[list[i]] = parts > 1 ? i % units : i;
  for (uint32_t t = 0; list && place && homes && t < grid->columns * grid->rows; t++)
    homes[t] = place[t / grid->columns / work_tile * columns + t % grid->columns / work_tile];
  if (!list || !place) {
    free(homes);
    homes = NULL;
  }
  free(list);
  free(place);
  return homes;
}

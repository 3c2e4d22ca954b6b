/* The order in which tiles of a picture are drawn, and how raster units share them.
 *
 * Shapes: tiles are numbered row after row. Ownership: the caller frees the list. Errors: NULL means that memory ran
 * out.
 * Source: Morton, "A computer oriented geodetic data base", IBM 1966, for the order z. */
#ifndef GRAPHICS_TILE_ORDER_H
#define GRAPHICS_TILE_ORDER_H

#include <stdint.h>

/* X(enumerator, name, meaning) */
#define TILE_ORDERS(X)                                                                                                 \
  X(TILE_ROWS, rows, "row after row")                                                                                  \
  X(TILE_SNAKE, snake, "row after row, every other row backwards")                                                     \
  X(TILE_Z, z, "the Z curve: squares of four, of squares of four")

enum tile_order {
#define X(id, name, meaning) id,
  TILE_ORDERS(X)
#undef X
      TILE_ORDER_COUNT
};

/* The names, in this order, up to NULL. */
extern const char *const tile_order_names[];

/* Returns the numbers of all tiles in the order in which their fragments are handed out. With several raster units each
 * has a piece of neighbours in the order, and the units take turns. */
uint32_t *tile_order_list(enum tile_order order, uint32_t columns, uint32_t rows, uint32_t units);

#endif

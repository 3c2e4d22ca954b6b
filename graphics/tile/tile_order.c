#include "graphics/tile/tile_order.h"

#include <stdlib.h>

const char *const tile_order_names[] = {
#define X(id, name, meaning) #name,
    TILE_ORDERS(X)
#undef X
        NULL};

/* Returns every other bit of a number, from the lowest on. */
static uint32_t every_other_bit(uint64_t v) {
  uint32_t bits = 0;
  for (unsigned i = 0; i < 32; i++)
    bits |= (uint32_t)(v >> 2 * i & 1) << i;
  return bits;
}

static void fill_z(uint32_t *list, uint32_t columns, uint32_t rows) {
  uint32_t count = 0;
  for (uint64_t code = 0; count < columns * rows; code++) {
    const uint32_t x = every_other_bit(code), y = every_other_bit(code >> 1);
    if (x < columns && y < rows)
      list[count++] = y * columns + x;
  }
}

static void fill_rows(uint32_t *list, uint32_t columns, uint32_t rows, int snake) {
  for (uint32_t y = 0; y < rows; y++)
    for (uint32_t x = 0; x < columns; x++)
      list[y * columns + x] = y * columns + (snake && y % 2 ? columns - 1 - x : x);
}

/* The units alternate: one tile of each piece, then the next tile of each. */
static void deal(const uint32_t *list, uint32_t count, uint32_t units, uint32_t *out) {
  const uint32_t piece = (count + units - 1) / units;
  uint32_t filled = 0;
  for (uint32_t i = 0; i < piece; i++)
    for (uint32_t unit = 0; unit < units; unit++)
      if (unit * piece + i < count)
        out[filled++] = list[unit * piece + i];
}

uint32_t *tile_order_list(enum tile_order order, uint32_t columns, uint32_t rows, uint32_t units) {
  const uint32_t count = columns * rows;
  uint32_t *list = malloc((count + 1) * sizeof *list), *out = malloc((count + 1) * sizeof *out);
  if (list && out) {
    if (order == TILE_Z)
      fill_z(list, columns, rows);
    else
      fill_rows(list, columns, rows, order == TILE_SNAKE);
    deal(list, count, units < 1 ? 1 : units > count && count ? count : units, out);
  } else {
    free(out); /* it is empty */
    out = NULL;
  }
  free(list);
  return out;
}

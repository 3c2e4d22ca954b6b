/* Every order is a permutation of the tiles, for any number of raster units; the Z order, quad maps and the homes of
 * work tiles are as drawn by hand, and every map deals out each tile evenly. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "graphics/tile/tile_home.h"
#include "graphics/tile/tile_order.h"

enum { COLUMNS = 7, ROWS = 5, COUNT = COLUMNS * ROWS };

static void each_tile_comes_once(void **state) {
  for (int order = 0; order < TILE_ORDER_COUNT; order++)
    for (uint32_t units = 1; units <= COUNT + 1; units++) {
      unsigned char seen[COUNT] = {0};
      uint32_t *list = tile_order_list((enum tile_order)order, COLUMNS, ROWS, units);
      for (int i = 0; i < COUNT; i++) {
        assert_true(list[i] < COUNT);
        assert_int_equal(seen[list[i]]++, 0);
      }
      free(list);
    }
  (void)state;
}

static void orders_are_those_drawn_by_hand(void **state) {
  static const uint32_t z[] = {0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 10, 11}, snake[] = {0, 1, 2, 5, 4, 3},
                        two_units[] = {0, 3, 1, 4, 2, 5};
  uint32_t *list = tile_order_list(TILE_Z, 4, 3, 1);
  assert_memory_equal(list, z, sizeof z);
  free(list);
  list = tile_order_list(TILE_SNAKE, 3, 2, 1);
  assert_memory_equal(list, snake, sizeof snake);
  free(list);
  list = tile_order_list(TILE_ROWS, 3, 2, 2);
  assert_memory_equal(list, two_units, sizeof two_units);
  free(list);
  (void)state;
}

/* A tile of 8 x 8 quads: one digit a quad. */
static void quad_maps_are_those_drawn_by_hand(void **state) {
  static const char *const drawn[QUAD_MAP_COUNT][8] = {
      [QUADS_WHOLE] = {"00000000", "00000000", "00000000", "00000000", "00000000", "00000000", "00000000", "00000000"},
      [QUADS_FINE] = {"01010101", "23232323", "01010101", "23232323", "01010101", "23232323", "01010101", "23232323"},
      [QUADS_LINES] = {"00000000", "11111111", "22222222", "33333333", "00000000", "11111111", "22222222", "33333333"},
      [QUADS_BLOCKS] = {"00110011", "00110011", "22332233", "22332233", "00110011", "00110011", "22332233", "22332233"},
      [QUADS_COLUMNS] = {"00112233", "00112233", "00112233", "00112233", "00112233", "00112233", "00112233",
                         "00112233"},
      [QUADS_QUADRANTS] = {"00001111", "00001111", "00001111", "00001111", "22223333", "22223333", "22223333",
                           "22223333"}};
  for (int map = 0; map < QUAD_MAP_COUNT; map++)
    for (uint32_t y = 0; y < 8; y++)
      for (uint32_t x = 0; x < 8; x++)
        assert_int_equal(quad_map_part((enum quad_map)map, x, y, 8), (uint32_t)(drawn[map][y][x] - '0'));
  (void)state;
}

static void quad_maps_are_even(void **state) {
  for (uint32_t side = 4; side <= 64; side *= 2)
    for (int map = 0; map < QUAD_MAP_COUNT; map++) {
      const uint32_t parts = quad_map_parts((enum quad_map)map);
      uint32_t of_part[4] = {0};
      for (uint32_t i = 0; i < side * side; i++)
        of_part[quad_map_part((enum quad_map)map, i % side, i / side, side)]++;
      for (uint32_t part = 0; part < parts; part++)
        assert_int_equal(of_part[part], side * side / parts);
    }
  (void)state;
}

/* Seven by three tiles in work tiles of two by two: four columns of them, in two rows. */
static void work_tiles_are_those_drawn_by_hand(void **state) {
  static const uint32_t whole[] = {0, 0, 1, 1, 2, 2, 3, 0, 0, 1, 1, 2, 2, 3, 4, 4, 5, 5, 6, 6, 7},
                        units[] = {0, 0, 1, 1, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1};
  const struct tile_grid grid = {16, 7, 3};
  uint32_t *homes = tile_homes(&grid, 2, TILE_ROWS, 2, 1);
  assert_memory_equal(homes, whole, sizeof whole);
  free(homes);
  homes = tile_homes(&grid, 2, TILE_ROWS, 2, 4);
  assert_memory_equal(homes, units, sizeof units);
  free(homes);
  homes = tile_homes(&grid, 1, TILE_SNAKE, 1, 1);
  assert_int_equal(homes[6], 6);
  assert_int_equal(homes[13], 7); /* below it */
  assert_int_equal(homes[7], 13);
  free(homes);
  (void)state;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_tile_comes_once), cmocka_unit_test(orders_are_those_drawn_by_hand),
      cmocka_unit_test(quad_maps_are_those_drawn_by_hand), cmocka_unit_test(quad_maps_are_even),
      cmocka_unit_test(work_tiles_are_those_drawn_by_hand)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

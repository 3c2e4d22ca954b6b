/* Every order is a permutation of the tiles, for any number of raster units; the Z order is as drawn by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

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

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(each_tile_comes_once),
                                     cmocka_unit_test(orders_are_those_drawn_by_hand)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

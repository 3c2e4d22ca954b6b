#include "graphics/raster/samples.h"

#include <stddef.h>

const struct sample_place *sample_places(uint32_t samples) {
  static const struct sample_place one[] = {{0, 0}}, two[] = {{4, 4}, {-4, -4}},
                                   four[] = {{-2, -6}, {6, -2}, {-6, 2}, {2, 6}},
                                   eight[] = {{1, -3}, {-1, 3}, {5, 1}, {-3, -5}, {-5, 5}, {-7, -1}, {3, 7}, {7, -7}},
                                   sixteen[] = {{1, 1},  {-1, -3}, {-3, 2}, {4, -1}, {-5, -2}, {2, 5},
                                                {5, 3},  {3, -5},  {-2, 6}, {0, -7}, {-4, -6}, {-6, 4},
                                                {-8, 0}, {7, -4},  {6, 7},  {-7, -8}};
  switch (samples) {
  case 1:
    return one;
  case 2:
    return two;
  case 4:
    return four;
  case 8:
    return eight;
  case 16:
    return sixteen;
  default:
    return NULL;
  }
}

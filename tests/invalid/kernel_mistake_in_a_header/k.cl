#include "values.h"

__kernel void k(__global const int *x, __global int *y) {
  int i = get_global_id(0);

  y[i] = value_at(x, 2 * i);
}

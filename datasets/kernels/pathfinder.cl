/* Cheapest path through a grid from the first row to each place of a later one; a step goes down, straight or to a
 * neighbour. A launch takes `steps` rows: a work-group keeps a row in local memory and recomputes `steps` places on
 * either side of its own.
 * Defined by: pathfinder of Rodinia (Che et al., IISWC 2009), with its ghost zones.
 * Shapes: wall is rows x columns, row-major; before and after have `columns` elements; row and next have an element a
 *   work-item; there are enough groups that each answers for local size - 2 steps places. */
__kernel void pathfinder(__global const int *wall, __global const int *before, __global int *after, __local int *row,
                         __local int *next, int columns, int first_row, int steps) {
  const int lane = get_local_id(0), lanes = get_local_size(0);
  const int own = lanes - 2 * steps;
  const int column = (int)get_group_id(0) * own - steps + lane;
  const bool inside = column >= 0 && column < columns;

  row[lane] = inside ? before[column] : INT_MAX;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int step = 0; step < steps; ++step) {
    int best = INT_MAX;
    if (inside && lane > step && lane < lanes - 1 - step) {
      best = min(row[lane], min(row[lane - 1], row[lane + 1]));
      best += wall[(first_row + step) * columns + column];
    }
    next[lane] = best;
    barrier(CLK_LOCAL_MEM_FENCE);
    row[lane] = next[lane];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (inside && lane >= steps && lane < lanes - steps)
    after[column] = row[lane];
}

/* Row by row, in place. */
__kernel void pathfinder_check(__global const int *wall, __global const int *before, __global int *expected,
                               int columns, int rows) {
  for (int c = 0; c < columns; ++c)
    expected[c] = before[c];
  for (int r = 0; r < rows; ++r) {
    int left = INT_MAX;
    for (int c = 0; c < columns; ++c) {
      int best = expected[c] < left ? expected[c] : left;
      if (c + 1 < columns && expected[c + 1] < best)
        best = expected[c + 1];
      left = expected[c];
      expected[c] = best + wall[r * columns + c];
    }
  }
}

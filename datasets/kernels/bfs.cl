/* Breadth-first search, two launches a level, one work-item a node: who is in the frontier marks neighbours that nobody
 * has reached before; who was marked is the next frontier. What a launch reads of other work-items' nodes none of its
 * work-items writes, and where several write to one place they write the same: results and accesses do not depend on the
 * order of work-items.
 * Defined by: Harish, Narayanan, "Accelerating large graph algorithms on the GPU using CUDA" (HiPC 2007), in the form
 *   with two kernels and an updating mask that their code has in Rodinia (Che et al., "Rodinia: a benchmark suite for
 *   heterogeneous computing", IISWC 2009).
 * Shapes: the neighbours of node v are targets[offsets[v]] to targets[offsets[v + 1] - 1]; offsets has nodes + 1
 *   elements; distances are -1 where a node was not reached; masks have an element a node, 0 or 1; over has one, 1 when
 *   a node was reached (a host would clear it, and end when it stays 0). */

/* Sets up: node v has degree + s(v + 1) - s(v) edges with s random in [0, degree), so between 1 and 2 degree - 1; node
 * 0 is reached, and the frontier. Other masks are zero. */
__kernel void bfs_make_graph(__global int *offsets, __global int *distances, __global char *frontier,
                             __global char *visited, int nodes, int degree) {
  const int v = get_global_id(0);

  if (v <= nodes) {
    uint random = (uint)v * 2654435761u;
    random = (random ^ random >> 15) * 2246822519u;
    offsets[v] = v * degree + (int)((random ^ random >> 13) % (uint)degree);
  }
  if (v < nodes) {
    distances[v] = v == 0 ? 0 : -1;
    frontier[v] = visited[v] = v == 0;
  }
}

__kernel void bfs_expand(__global const int *offsets, __global const int *targets, __global char *frontier,
                         __global char *updating, __global const char *visited, __global int *distances, int nodes) {
  const int v = get_global_id(0);

  if (v < nodes && frontier[v]) {
    frontier[v] = 0;
    for (int e = offsets[v]; e < offsets[v + 1]; ++e) {
      const int target = targets[e];
      if (!visited[target]) {
        distances[target] = distances[v] + 1;
        updating[target] = 1;
      }
    }
  }
}

__kernel void bfs_update(__global char *frontier, __global char *updating, __global char *visited, __global char *over,
                         int nodes) {
  const int v = get_global_id(0);

  if (v < nodes && updating[v]) {
    frontier[v] = 1;
    visited[v] = 1;
    *over = 1;
    updating[v] = 0;
  }
}

/* Relaxes every edge until nothing changes: also fails when there were too few launches. */
__kernel void bfs_check(__global const int *offsets, __global const int *targets, __global int *expected, int nodes) {
  for (int v = 0; v < nodes; ++v)
    expected[v] = v == 0 ? 0 : -1;
  bool changed = true;
  while (changed) {
    changed = false;
    for (int v = 0; v < nodes; ++v)
      for (int e = offsets[v]; expected[v] >= 0 && e < offsets[v + 1]; ++e) {
        const int through = expected[v] + 1, target = targets[e];
        if (expected[target] < 0 || expected[target] > through) {
          expected[target] = through;
          changed = true;
        }
      }
  }
}

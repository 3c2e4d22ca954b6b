/* Breadth-first search, one launch a level, one work-item a node: who was reached in the last level reaches its
 * neighbours.
 * Defined by: Harish, Narayanan, "Accelerating large graph algorithms on the GPU using CUDA" (HiPC 2007), with the
 *   distances themselves as the frontier. Two work-items may write the same distance to the same node.
 * Shapes: the neighbours of node v are targets[offsets[v]] to targets[offsets[v + 1] - 1]; offsets has nodes + 1
 *   elements; distances are -1 where a node was not reached. */

/* Sets up: node v has degree + s(v + 1) - s(v) edges with s random in [0, degree), so between 1 and 2 degree - 1; node
 * 0 is reached. */
__kernel void bfs_make_graph(__global int *offsets, __global int *distances, int nodes, int degree) {
  const int v = get_global_id(0);

  if (v <= nodes) {
    uint random = (uint)v * 2654435761u;
    random = (random ^ random >> 15) * 2246822519u;
    offsets[v] = v * degree + (int)((random ^ random >> 13) % (uint)degree);
  }
  if (v < nodes)
    distances[v] = v == 0 ? 0 : -1;
}

__kernel void bfs_level(__global const int *offsets, __global const int *targets, __global int *distances, int nodes,
                        int level) {
  const int v = get_global_id(0);

  if (v < nodes && distances[v] == level)
    for (int e = offsets[v]; e < offsets[v + 1]; ++e)
      if (distances[targets[e]] < 0)
        distances[targets[e]] = level + 1;
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

/* One round of k-means: every point joins the nearest centre, then every centre moves to the mean of its points.
 * Defined by: Lloyd, "Least squares quantization in PCM" (1982); points are stored dimension by dimension, as in
 *   Rodinia's kmeans (Che et al., IISWC 2009). Of equally near centres the first wins. Contraction is off, so that
 *   every device joins a point to the same centre.
 * Shapes: points is dimensions x count, centres is clusters x dimensions. The update has a work-group a cluster and
 *   dimension, whose size is a power of two; sums and members have an element a work-item. An empty cluster keeps its
 *   centre. */
#pragma OPENCL FP_CONTRACT OFF

__kernel void kmeans_assign(__global const float *points, __global const float *centres, __global int *membership,
                            int count, int clusters, int dimensions) {
  const int point = get_global_id(0);

  if (point < count) {
    int nearest = 0;
    float least = FLT_MAX;
    for (int c = 0; c < clusters; ++c) {
      float distance = 0.0f;
      for (int d = 0; d < dimensions; ++d) {
        const float apart = points[d * count + point] - centres[c * dimensions + d];
        distance += apart * apart;
      }
      if (distance < least) {
        least = distance;
        nearest = c;
      }
    }
    membership[point] = nearest;
  }
}

__kernel void kmeans_update(__global const float *points, __global const int *membership, __global const float *centres,
                            __global float *new_centres, __local float *sums, __local int *members, int count) {
  const int cluster = get_group_id(0), dimension = get_group_id(1), dimensions = get_num_groups(1);
  const int lane = get_local_id(0);

  float sum = 0.0f;
  int joined = 0;
  for (int point = lane; point < count; point += get_local_size(0))
    if (membership[point] == cluster) {
      sum += points[dimension * count + point];
      ++joined;
    }
  sums[lane] = sum;
  members[lane] = joined;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int half_size = get_local_size(0) / 2; half_size > 0; half_size /= 2) {
    if (lane < half_size) {
      sums[lane] += sums[lane + half_size];
      members[lane] += members[lane + half_size];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (lane == 0) {
    const int at = cluster * dimensions + dimension;
    new_centres[at] = members[0] > 0 ? sums[0] / (float)members[0] : centres[at];
  }
}

__kernel void kmeans_check(__global const float *points, __global const float *centres, __global int *membership,
                           __global float *new_centres, int count, int clusters, int dimensions) {
  for (int point = 0; point < count; ++point) {
    float least = 0.0f;
    for (int c = 0; c < clusters; ++c) {
      float distance = 0.0f;
      for (int d = 0; d < dimensions; ++d) {
        const float apart = points[d * count + point] - centres[c * dimensions + d];
        distance += apart * apart;
      }
      if (c == 0 || distance < least) {
        least = distance;
        membership[point] = c;
      }
    }
  }
  for (int c = 0; c < clusters; ++c)
    for (int d = 0; d < dimensions; ++d) {
      double total = 0.0;
      int size = 0;
      for (int point = 0; point < count; ++point)
        if (membership[point] == c) {
          total += points[d * count + point];
          ++size;
        }
      new_centres[c * dimensions + d] = size > 0 ? (float)(total / size) : centres[c * dimensions + d];
    }
}

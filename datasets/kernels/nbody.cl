/* One step of n bodies under gravity, all pairs, bodies taken through local memory a work-group at a time.
 * Defined by: Nyland, Harris, Prins, "Fast N-body simulation with CUDA" (GPU Gems 3, chapter 31), softened by
 *   `softening` (squared length).
 * Shapes: bodies are float4 of position and mass; the work-group's size divides n; tile has one float4 a work-item. */
__kernel void nbody_step(__global const float4 *bodies, __global const float4 *velocities, __global float4 *new_bodies,
                         __global float4 *new_velocities, __local float4 *tile, int n, float softening, float gravity,
                         float time) {
  const int i = get_global_id(0);
  const int lane = get_local_id(0), lanes = get_local_size(0);
  const float4 me = bodies[i];

  float4 acceleration = (float4)(0.0f);
  for (int first = 0; first < n; first += lanes) {
    tile[lane] = bodies[first + lane];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < lanes; ++k) {
      float4 towards = tile[k] - me;
      towards.w = 0.0f;
      const float near = rsqrt(towards.x * towards.x + towards.y * towards.y + towards.z * towards.z + softening);
      acceleration += tile[k].w * near * near * near * towards;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  const float4 velocity = velocities[i] + time * gravity * acceleration;
  float4 position = me + time * velocity;
  position.w = me.w;
  new_velocities[i] = velocity;
  new_bodies[i] = position;
}

__kernel void nbody_check(__global const float *bodies, __global const float *velocities, __global float *new_bodies,
                          __global float *new_velocities, int n, float softening, float gravity, float time) {
  for (int i = 0; i < n; ++i) {
    double acceleration[3] = {0.0, 0.0, 0.0};
    for (int k = 0; k < n; ++k) {
      double towards[3], squared = softening;
      for (int d = 0; d < 3; ++d) {
        towards[d] = (double)bodies[4 * k + d] - bodies[4 * i + d];
        squared += towards[d] * towards[d];
      }
      for (int d = 0; d < 3; ++d)
        acceleration[d] += bodies[4 * k + 3] * towards[d] / (squared * sqrt(squared));
    }
    for (int d = 0; d < 3; ++d) {
      const double velocity = velocities[4 * i + d] + (double)time * gravity * acceleration[d];
      new_velocities[4 * i + d] = (float)velocity;
      new_bodies[4 * i + d] = (float)(bodies[4 * i + d] + time * velocity);
    }
    new_velocities[4 * i + 3] = velocities[4 * i + 3];
    new_bodies[4 * i + 3] = bodies[4 * i + 3];
  }
}

/* One step of particles that move and bounce off walls, with the layouts in memory that kernel programmers try.
 * Defined by: explicit Euler steps: velocity += dt * acceleration, position += dt * velocity; a coordinate that has
 * left [-1, 1] is mirrored and its velocity reversed.
 * Shapes: a particle has eight floats: position x, y, z, mass, velocity x, y, z, charge. `before` and `after` hold n
 * particles; n is a multiple of 32 and of ITEMS * (work-group size).
 *   LAYOUT  0: array of structures, floats one by one; 1: array of structures, loaded as two float4; 2: structure of
 *           arrays; 3: two arrays of float4, positions with masses and velocities with charges; 4: blocks of 32
 *           particles, each block a structure of arrays
 *   FIELDS  3: all coordinates, mass and charge; 1: only x (layouts 0, 2 and 4)
 *   ITEMS   particles of a work-item
 *   ORDER   0: neighbouring work-items have neighbouring particles; 1: the particles of a work-item lie side by side */
#define FLOATS 8

/* The index of float k of particle i. */
#if LAYOUT == 0 || LAYOUT == 1
#define AT(i, k, n) ((i)*FLOATS + (k))
#elif LAYOUT == 2
#define AT(i, k, n) ((k) * (n) + (i))
#elif LAYOUT == 3
#define AT(i, k, n) (((k) / 4 * (n) + (i)) * 4 + (k) % 4)
#else
#define AT(i, k, n) (((i) / 32 * FLOATS + (k)) * 32 + (i) % 32)
#endif

__kernel void layout(__global const float *restrict before, __global float *restrict after, int n, float dt,
                     float4 acceleration) {
#if ORDER == 0
  const int step = get_global_size(0);
  int i = get_global_id(0);
#else
  const int step = 1;
  int i = get_global_id(0) * ITEMS;
#endif

  for (int item = 0; item < ITEMS; ++item, i += step) {
#if LAYOUT == 1 || LAYOUT == 3
    __global const float4 *from = (__global const float4 *)before;
    __global float4 *to = (__global float4 *)after;
    float4 position = from[AT(i, 0, n) / 4], velocity = from[AT(i, 4, n) / 4];
    const float4 moves = (float4)(1.0f, 1.0f, 1.0f, 0.0f);

    velocity += moves * dt * acceleration;
    position += moves * dt * velocity;
    const float4 inside = clamp(position, -1.0f, 1.0f);
    const int4 leaves = (position != inside) && (int4)(1, 1, 1, 0);
    to[AT(i, 0, n) / 4] = select(position, 2.0f * inside - position, leaves);
    to[AT(i, 4, n) / 4] = select(velocity, -velocity, leaves);
#else
    const float accelerations[3] = {acceleration.x, acceleration.y, acceleration.z};
    for (int k = 0; k < FIELDS; ++k) {
      float velocity = before[AT(i, 4 + k, n)] + dt * accelerations[k];
      float position = before[AT(i, k, n)] + dt * velocity;
      const float inside = clamp(position, -1.0f, 1.0f);

      if (position != inside) {
        position = 2.0f * inside - position;
        velocity = -velocity;
      }
      after[AT(i, k, n)] = position;
      after[AT(i, 4 + k, n)] = velocity;
    }
#if FIELDS == 3
    after[AT(i, 3, n)] = before[AT(i, 3, n)];
    after[AT(i, 7, n)] = before[AT(i, 7, n)];
#endif
#endif
  }
}

/* The same step, one particle after the other, with the particles' floats in the order of the layout. */
__kernel void layout_check(__global const float *before, __global float *after, int n, float dt, float4 acceleration) {
  const float accelerations[3] = {acceleration.x, acceleration.y, acceleration.z};

  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < FIELDS; ++k) {
      const float velocity = before[AT(i, 4 + k, n)] + dt * accelerations[k];
      const float position = before[AT(i, k, n)] + dt * velocity;
      const float wall = position > 1.0f ? 1.0f : -1.0f;
      const bool leaves = fabs(position) > 1.0f;

      after[AT(i, k, n)] = leaves ? 2.0f * wall - position : position;
      after[AT(i, 4 + k, n)] = leaves ? -velocity : velocity;
    }
    if (FIELDS == 3) {
      after[AT(i, 3, n)] = before[AT(i, 3, n)];
      after[AT(i, 7, n)] = before[AT(i, 7, n)];
    }
  }
}

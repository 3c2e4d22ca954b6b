/* A structure in a buffer. */
struct particle {
  float position[3];
  float mass;
  int group;
};
__kernel void structures(__global struct particle *particles, float step) {
  struct particle p = particles[get_global_id(0)];
  for (int d = 0; d < 3; ++d)
    p.position[d] += step * p.mass;
  p.group = p.group * 2 + 1;
  particles[get_global_id(0)] = p;
}

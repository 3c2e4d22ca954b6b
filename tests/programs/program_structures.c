/* Arguments that are no plain numbers: a structure, a vector of three. */
#include "program.h"

enum { COUNT = 128 };

struct body {
  float mass;
  int charge;
  cl_float4 speed;
};

static const char source[] = "struct body { float mass; int charge; float4 speed; };\n"
                             "kernel void move(struct body b, float3 at, global float *out) {\n"
                             "  int i = get_global_id(0);\n"
                             "  out[i] = at.x + at.y * i + at.z * b.mass + b.charge + b.speed.w;\n"
                             "}\n";

int main(void) {
  float found[COUNT], wanted[COUNT];
  const struct body b = {.mass = 3, .charge = -7, .speed = {{0, 0, 0, 11}}};
  const cl_float3 at = {{1, 2, 5, 0}};
  struct program p;
  program_open(&p, CL_DEVICE_TYPE_ALL, 0, source, NULL);
  cl_mem out = program_buffer(&p, 0, sizeof found, NULL);
  cl_kernel kernel = program_kernel(&p, "move");
  program_set(kernel, 0, sizeof b, &b);
  program_set(kernel, 1, sizeof at, &at);
  program_set(kernel, 2, sizeof out, &out);
  program_launch(&p, kernel, COUNT, 16);
  program_read(&p, out, sizeof found, found);
  for (int i = 0; i < COUNT; i++)
    wanted[i] = (float)(1 + 2 * i + 15 - 7 + 11);
  return same_floats("out", found, wanted, COUNT) ? 0 : 1;
}

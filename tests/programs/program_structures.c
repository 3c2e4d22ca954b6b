/* Arguments that are no plain numbers: a structure, a vector of three, buffers of vectors of three, whose fourth parts
 * hold anything. */
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
                             "}\n"
                             "kernel void triples(global int3 *a, global float3 *b) {\n"
                             "  int i = get_global_id(0);\n"
                             "  a[i] = (int3)(7);\n"
                             "  b[i] = b[i].zxy + 1;\n"
                             "}\n"
                             "struct table { int n[250]; float last; };\n"
                             "kernel void large(struct table t, global int *a) {\n"
                             "  int i = get_global_id(0);\n"
                             "  a[i] = t.n[i] - t.n[(7 * i) % 250] + t.last;\n"
                             "}\n";

struct table {
  int n[250];
  float last;
};

/* As large as all arguments together may be in OpenCL 1.2: 1,024 bytes. */
static int large(const struct program *p) {
  struct table t = {.last = 5};
  int found[COUNT], different = 0;
  for (int i = 0; i < 250; i++)
    t.n[i] = i * i;
  cl_mem out = program_buffer(p, 0, sizeof found, NULL);
  cl_kernel kernel = program_kernel(p, "large");
  program_set(kernel, 0, sizeof t, &t);
  program_set(kernel, 1, sizeof out, &out);
  program_launch(p, kernel, COUNT, 16);
  program_read(p, out, sizeof found, found);
  for (int i = 0; i < COUNT; i++)
    different |= found[i] != t.n[i] - t.n[7 * i % 250] + 5;
  return !different;
}

static int triples(const struct program *p) {
  cl_float3 b[COUNT];
  for (int i = 0; i < COUNT; i++)
    b[i] = (cl_float3){{(float)i, 1, 2, 99}};
  cl_mem buffers[] = {program_buffer(p, CL_MEM_COPY_HOST_PTR, sizeof b, b),
                      program_buffer(p, CL_MEM_COPY_HOST_PTR, sizeof b, b)};
  cl_kernel kernel = program_kernel(p, "triples");
  program_set(kernel, 0, sizeof(cl_mem), &buffers[0]);
  program_set(kernel, 1, sizeof(cl_mem), &buffers[1]);
  program_launch(p, kernel, COUNT, 16);
  program_read(p, buffers[1], sizeof b, b);
  const float wanted[] = {3, COUNT, 2};
  return same_floats("b", b[COUNT - 1].s, wanted, 3);
}

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
  return same_floats("out", found, wanted, COUNT) && triples(&p) && large(&p) ? 0 : 1;
}

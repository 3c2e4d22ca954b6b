/* Programs with irregular accesses or paths: molecular dynamics, a histogram with atomics, an ODE solver. */
#include <math.h>

#include "host_kinds.h"
#include "program.h"

static unsigned next_random(unsigned *state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 8;
}

static int chosen(int launches, int usual) {
  return launches > 0 ? launches : usual;
}

static cl_mem copied_buffer(const struct program *p, size_t bytes, void *host) {
  must(host ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY, "malloc");
  const cl_mem buffer = program_buffer(p, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes, host);
  free(host);
  return buffer;
}

/* Positions in a box of side 1, atoms of one place in space not near each other in memory. */
static float *random_positions(int atoms) {
  unsigned state = 1;
  float *list = malloc((size_t)atoms * 4 * sizeof *list);
  for (int i = 0; list && i < 4 * atoms; i++)
    list[i] = (float)next_random(&state) / (float)(1 << 24);
  return list;
}

/* Random neighbours: the j-th of atom i at [j * atoms + i]. */
static int *random_neighbours(int atoms, int each) {
  unsigned state = 7;
  int *list = malloc((size_t)atoms * (size_t)each * sizeof *list);
  for (int i = 0; list && i < atoms * each; i++)
    list[i] = (int)(next_random(&state) % (unsigned)atoms);
  return list;
}

/* Lennard-Jones forces of listed neighbours within a radius. */
static void dynamics(int launches) {
  static const char source[] =
      "kernel void forces(global const float4 *at, global const int *neighbours, global float4 *force, int each,\n"
      "                   float radius2) {\n"
      "  int i = get_global_id(0), atoms = get_global_size(0);\n"
      "  float4 own = at[i], sum = 0;\n"
      "  for (int j = 0; j < each; j++) {\n"
      "    float4 d = own - at[neighbours[j * atoms + i]];\n"
      "    float r2 = d.x * d.x + d.y * d.y + d.z * d.z;\n"
      "    if (r2 < radius2) {\n"
      "      float inverse = 1.0f / r2, six = inverse * inverse * inverse;\n"
      "      sum += d * (six * inverse * (1.5f * six - 2.0f));\n"
      "    }\n"
      "  }\n"
      "  force[i] = sum;\n"
      "}\n";
  const int atoms = 16384, each = 128;
  const float radius2 = 0.25f;
  struct program p;
  program_open(&p, CL_DEVICE_TYPE_CPU, 0, source, "");
  const cl_mem at = copied_buffer(&p, (size_t)atoms * 16, random_positions(atoms));
  const cl_mem neighbours = copied_buffer(&p, (size_t)atoms * (size_t)each * 4, random_neighbours(atoms, each));
  const cl_mem force = copied_buffer(&p, (size_t)atoms * 16, calloc((size_t)atoms, 16));
  const cl_kernel kernel = program_kernel(&p, "forces");
  program_set(kernel, 0, sizeof at, &at);
  program_set(kernel, 1, sizeof neighbours, &neighbours);
  program_set(kernel, 2, sizeof force, &force);
  program_set(kernel, 3, sizeof each, &each);
  program_set(kernel, 4, sizeof radius2, &radius2);
  for (int i = 0; i < chosen(launches, 4); i++)
    program_launch(&p, kernel, (size_t)atoms, 128);
  must(clFinish(p.queue), "clFinish");
  program_close(&p);
}

/* A histogram of 4 MiB of bytes in local memory, then in global memory, with atomic operations. */
static void histogram(int launches) {
  static const char source[] =
      "kernel void count(global const uint *data, global uint *total, local uint *part, int each) {\n"
      "  int lid = get_local_id(0), size = get_local_size(0), first = get_group_id(0) * size * each + lid;\n"
      "  for (int i = lid; i < 256; i += size) part[i] = 0;\n"
      "  barrier(CLK_LOCAL_MEM_FENCE);\n"
      "  for (int i = 0; i < each; i++) {\n"
      "    uint four = data[first + i * size];\n"
      "    atomic_inc(&part[four & 255]);\n"
      "    atomic_inc(&part[four >> 8 & 255]);\n"
      "    atomic_inc(&part[four >> 16 & 255]);\n"
      "    atomic_inc(&part[four >> 24]);\n"
      "  }\n"
      "  barrier(CLK_LOCAL_MEM_FENCE);\n"
      "  for (int i = lid; i < 256; i += size) atomic_add(&total[i], part[i]);\n"
      "}\n";
  const int each = 64;
  const size_t words = (size_t)1 << 20, local = 128;
  struct program p;
  unsigned state = 3, *data = malloc(words * sizeof *data);
  for (size_t i = 0; data && i < words; i++)
    data[i] = next_random(&state) ^ next_random(&state) << 16;
  program_open(&p, CL_DEVICE_TYPE_CPU, 0, source, "");
  const cl_mem input = copied_buffer(&p, words * sizeof *data, data);
  const cl_mem total = copied_buffer(&p, 1024, calloc(256, 4));
  const cl_kernel kernel = program_kernel(&p, "count");
  program_set(kernel, 0, sizeof input, &input);
  program_set(kernel, 1, sizeof total, &total);
  program_set(kernel, 2, 1024, NULL);
  program_set(kernel, 3, sizeof each, &each);
  for (int i = 0; i < chosen(launches, 2); i++)
    program_launch(&p, kernel, words / (size_t)each, local);
  must(clFinish(p.queue), "clFinish");
  program_close(&p);
}

/* Van der Pol's oscillator with a step that adapts to the error, so that work-items take different numbers of steps;
 * their states lie in global memory, as those of large systems do. */
static void solver(int launches) {
  static const char source[] =
      "float2 slope(float2 y, float mu) { return (float2)(y.y, mu * (1 - y.x * y.x) * y.y - y.x); }\n"
      "kernel void solve(global float *state, global const float *mu, float end) {\n"
      "  int i = get_global_id(0), n = get_global_size(0);\n"
      "  float t = 0, h = 0.01f;\n"
      "  for (int step = 0; t < end && step < 2000; step++) {\n"
      "    float2 y = (float2)(state[i], state[n + i]);\n"
      "    float2 k1 = slope(y, mu[i]), k2 = slope(y + h * k1, mu[i]);\n"
      "    float2 high = y + 0.5f * h * (k1 + k2), off = 0.5f * h * (k2 - k1);\n"
      "    float error = fmax(fabs(off.x), fabs(off.y));\n"
      "    if (error < 1e-3f) { t += h; state[i] = high.x; state[n + i] = high.y; h *= 1.3f; }\n"
      "    else h *= 0.6f;\n"
      "    if (h > 0.1f) h = 0.1f;\n"
      "  }\n"
      "}\n";
  const int items = 4096;
  const float end = 10;
  struct program p;
  float *state = malloc((size_t)items * 2 * sizeof *state), *mu = malloc((size_t)items * sizeof *mu);
  for (int i = 0; state && mu && i < items; i++) {
    state[i] = 0.5f + (float)(i % 64) / 32.0f;
    state[items + i] = (float)(i / 64) / 32.0f - 1.0f;
    mu[i] = 0.1f + 5.0f * (float)i / (float)items;
  }
  program_open(&p, CL_DEVICE_TYPE_CPU, 0, source, "");
  const cl_mem states = copied_buffer(&p, (size_t)items * 8, state), values = copied_buffer(&p, (size_t)items * 4, mu);
  const cl_kernel kernel = program_kernel(&p, "solve");
  program_set(kernel, 0, sizeof states, &states);
  program_set(kernel, 1, sizeof values, &values);
  program_set(kernel, 2, sizeof end, &end);
  for (int i = 0; i < chosen(launches, 2); i++)
    program_launch(&p, kernel, (size_t)items, 64);
  must(clFinish(p.queue), "clFinish");
  program_close(&p);
}

enum { EQUATIONS = 400 };

/* Writes the source of a kernel with a block of code for each equation. */
static char *cell_source(void) {
  const size_t room = (size_t)EQUATIONS * 256 + 1024;
  char *text = malloc(room), *to = text;
  must(text ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY, "malloc");
  to += sprintf(to,
                "kernel void cell(global const float *y, global float *dy, global const float *p) {\n"
                "  int c = get_global_id(0) * %d;\n",
                EQUATIONS);
  for (int i = 0; i < EQUATIONS; i++)
    to += sprintf(to,
                  "  { float a = y[c + %d], b = y[c + %d], k = p[%d];\n"
                  "    float g = a * %d.5f + b / (k + 1.25f); if (a > b) g = g * a - k; else g = b * g + k * %d.0f;\n"
                  "    dy[c + %d] = g - a * b; }\n",
                  i, (i * 7 + 3) % EQUATIONS, i, i % 9 + 1, i % 5 + 1, i);
  sprintf(to, "}\n");
  return text;
}

/* The equations of a heart's cell: much code, run once by few work-items in each launch. */
static void cell(int launches) {
  const int cells = 4;
  struct program p;
  unsigned state = 5;
  char *source = cell_source();
  float *values = malloc((size_t)cells * EQUATIONS * sizeof *values);
  for (int i = 0; values && i < cells * EQUATIONS; i++)
    values[i] = (float)next_random(&state) / (float)(1 << 24);
  program_open(&p, CL_DEVICE_TYPE_CPU, 0, source, "");
  free(source);
  const cl_mem y = copied_buffer(&p, (size_t)cells * EQUATIONS * 4, values);
  const cl_mem dy = copied_buffer(&p, (size_t)cells * EQUATIONS * 4, calloc((size_t)cells * EQUATIONS, 4));
  const cl_mem constants = copied_buffer(&p, EQUATIONS * 4, calloc(EQUATIONS, 4));
  const cl_kernel kernel = program_kernel(&p, "cell");
  program_set(kernel, 0, sizeof y, &y);
  program_set(kernel, 1, sizeof dy, &dy);
  program_set(kernel, 2, sizeof constants, &constants);
  for (int i = 0; i < chosen(launches, 20); i++)
    program_launch(&p, kernel, (size_t)cells, 1);
  must(clFinish(p.queue), "clFinish");
  program_close(&p);
}

const struct host_kind host_irregular[] = {
    {"dynamics", dynamics, "forces of 128 listed neighbours of 16,384 atoms, four launches"},
    {"histogram", histogram, "a histogram of 4 MiB with atomic operations, two launches"},
    {"solver", solver, "an ordinary differential equation with adaptive steps, two launches"},
    {"cell", cell, "400 equations, a block of code each, by 4 work-items, 20 launches"},
    {0},
};

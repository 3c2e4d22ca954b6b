/* Launches that repeat earlier ones, and launches that look like it and do not: other values in addresses, other data
 * in a buffer that decides, data that reaches a branch through a second argument for the same buffer. */
#include "program.h"

enum { ITEMS = 256 };

static const char source[] =
    "kernel void scale(global float *a, float s) { int i = get_global_id(0); a[i] = a[i] * s + 1; }\n"
    "kernel void shift(global const float *a, global float *b, int by) {\n"
    "  int i = get_global_id(0); b[i] = a[(i + by) & 255];\n"
    "}\n"
    "kernel void gather(global const float *a, global const int *at, global float *b) {\n"
    "  int i = get_global_id(0); b[i] = a[at[i]];\n"
    "}\n"
    "kernel void twice(global const int *read, global int *written, int s) {\n"
    "  int i = get_global_id(0);\n"
    "  written[i] += s;\n"
    "  barrier(CLK_GLOBAL_MEM_FENCE);\n"
    "  int other = read[i ^ 1];\n"
    "  barrier(CLK_GLOBAL_MEM_FENCE);\n"
    "  if (other > 300) written[i] = 0;\n"
    "}\n"
    "kernel void store(global int *a, int s) { int i = get_global_id(0); a[i] = s + i; }\n";

static cl_mem numbers(const struct program *p, int of_float, int step) {
  static float floats[ITEMS];
  static int ints[ITEMS];
  for (int i = 0; i < ITEMS; i++) {
    floats[i] = (float)i;
    ints[i] = i * step % ITEMS;
  }
  return program_buffer(p, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof ints,
                        of_float ? (void *)floats : (void *)ints);
}

static void launch(const struct program *p, const char *name, cl_uint buffers, const cl_mem *list, const void *value) {
  const cl_kernel kernel = program_kernel(p, name);
  for (cl_uint i = 0; i < buffers; i++)
    program_set(kernel, i, sizeof list[i], &list[i]);
  if (value)
    program_set(kernel, buffers, 4, value);
  program_launch(p, kernel, ITEMS, 64);
}

int main(void) {
  struct program p;
  program_open(&p, CL_DEVICE_TYPE_CPU, 0, source, "");
  const cl_mem a = numbers(&p, 1, 1), b = numbers(&p, 1, 1), at = numbers(&p, 0, 7), c = numbers(&p, 0, 1);
  for (int i = 0; i < 4; i++) { /* three repeat the first */
    const float s = (float)i * 0.5f;
    launch(&p, "scale", 1, &a, &s);
  }
  for (int by = 0; by < 4; by++) { /* by 0, 1, 0, 1: two repeat */
    const int shift = by % 2;
    launch(&p, "shift", 2, (cl_mem[]){a, b}, &shift);
  }
  launch(&p, "shift", 2, (cl_mem[]){b, a}, (int[]){1}); /* repeats with other names */
  for (int i = 0; i < 3; i++) {                         /* the second repeats; before the third `at` is written */
    if (i == 2)
      launch(&p, "store", 1, &at, (int[]){0});
    launch(&p, "gather", 3, (cl_mem[]){a, at, b}, NULL);
  }
  for (int i = 0; i < 3; i++) /* each reads what the one before wrote */
    launch(&p, "twice", 2, (cl_mem[]){c, c}, (int[]){i == 2 ? 90 : 45});
  must(clFinish(p.queue), "clFinish");
  program_close(&p);
  return 0;
}

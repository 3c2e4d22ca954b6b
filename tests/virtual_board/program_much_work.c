/* Three launches of 32,768 work-items: one of little work, one of much work whose work-groups are alike, and one of
 * much work whose work-groups differ from each other in no order. Prints nothing and does not ask for the time. */
#include "program.h"

#define LOCAL 64u
#define ITEMS 32768u
#define STEPS 500

static const char source[] =
    "#define SUM(count) \\\n"
    "  uint i = get_global_id(0), sum = 0; \\\n"
    "  for (int s = 0; s < (count); s++) \\\n"
    "    sum = sum * 3 + x[i + s % 16]; \\\n"
    "  y[i] = sum\n"
    "kernel void little(global const uint *x, global uint *y, int steps) { SUM(steps / 100); }\n"
    "kernel void alike(global const uint *x, global uint *y, int steps) { SUM(steps); }\n"
    "kernel void differs(global const uint *x, global uint *y, int steps) {\n"
    "  SUM(steps + (int)(((uint)get_group_id(0) * 2654435761u) >> 26));\n"
    "}\n";

static void launch(const struct program *p, const char *name, cl_mem x, cl_mem y) {
  const size_t global = ITEMS, local = LOCAL;
  const cl_int steps = STEPS;
  cl_kernel kernel = program_kernel(p, name);
  program_set(kernel, 0, sizeof x, &x);
  program_set(kernel, 1, sizeof y, &y);
  program_set(kernel, 2, sizeof steps, &steps);
  must(clEnqueueNDRangeKernel(p->queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL), "clEnqueueNDRangeKernel");
  clReleaseKernel(kernel);
}

int main(void) {
  static cl_uint in[ITEMS + 16], out[ITEMS];
  struct program p;
  program_open(&p, CL_DEVICE_TYPE_ALL, 0, source, "");
  cl_mem x = program_buffer(&p, CL_MEM_COPY_HOST_PTR, sizeof in, in);
  cl_mem y = program_buffer(&p, CL_MEM_READ_WRITE, sizeof out, NULL);
  launch(&p, "little", x, y);
  launch(&p, "alike", x, y);
  launch(&p, "differs", x, y);
  program_read(&p, y, sizeof out, out);
  clReleaseMemObject(x);
  clReleaseMemObject(y);
  program_close(&p);
  return 0;
}

/* A launch that is fine, one that reads behind its buffer, and two that do something else on OpenCL than in the
 * emulation, because their source asks which compiler it meets: another result (also only where OpenCL's compiler
 * optimises), or no end. With a second
 * argument the program aborts behind them. */
#include "program.h"

static const char source[] =
    "kernel void fine(global int *x) { x[get_global_id(0)] += 1; }\n"
    "kernel void behind(global int *x) { if (x[get_global_id(0) + 1] == 12345) x[0] = 1; }\n"
    "#ifdef POCL_DEVICE_ADDRESS_BITS\n"
    "#define ANSWER 1\n"
    "#else\n"
    "#define ANSWER 2\n"
    "#endif\n"
    "kernel void endless(global volatile int *x) {\n"
    "  while (ANSWER == 2 && x[1] < 100) x[2] = sin(sin(sin(sin(sin(sin(sin(sin((float)x[2]))))))));\n"
    "}\n"
    "kernel void differs(global int *x) { x[get_global_id(0)] = ANSWER; }\n"
    "#ifdef MODEST\n"
    "#define ASKED 2\n"
    "#else\n"
    "#define ASKED ANSWER\n"
    "#endif\n"
    "kernel void asked(global int *x) { x[get_global_id(0)] = ASKED; }\n"
    "#ifdef __OPTIMIZE__\n"
    "#define CHANGED ANSWER\n"
    "#else\n"
    "#define CHANGED 2\n"
    "#endif\n"
    "kernel void optimised(global int *x) { x[get_global_id(0)] = CHANGED; }\n"
    "kernel void spare(global int *x) {\n"
    "  local int t[64];\n"
    "  int l = get_local_id(0);\n"
    "  t[l] = l;\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  int sum = t[l] + t[l + 16];\n"
    "  x[get_global_id(0)] += l < x[63] + 64 ? 1 : sum;\n"
    "}\n"
    "kernel void garbage(global int *x) {\n"
    "  local int t[64];\n"
    "  int l = get_local_id(0);\n"
    "  t[l] = l;\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  x[get_global_id(0)] += t[l + 16] & 1;\n"
    "}\n"
    "kernel void relaxed(global float *x) { x[get_global_id(0)] = ANSWER == 1 ? 1.0f : 1.00001f; }\n";

/* Launches of which OpenCL refuses the size. */
static void launch_too_large(const struct program *p, cl_kernel kernel) {
  const size_t global[] = {1 << 20, 0xdeadbeefdeadbeef}, local[] = {1 << 20, 16};
  for (int i = 0; i < 2; i++)
    clEnqueueNDRangeKernel(p->queue, kernel, 1, NULL, &global[i], &local[i], 0, NULL, NULL);
}

/* Ends with the largest work-group of the device and of the kernel, in 64s. */
static int largest(const struct program *p, cl_kernel kernel) {
  size_t device = 0, own = 0, sizes[3] = {0};
  clGetDeviceInfo(p->device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof device, &device, NULL);
  clGetDeviceInfo(p->device, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof sizes, sizes, NULL);
  clGetKernelWorkGroupInfo(kernel, p->device, CL_KERNEL_WORK_GROUP_SIZE, sizeof own, &own, NULL);
  fprintf(stderr, "largest: %zu, %zu, %zu\n", device, sizes[0], own);
  return 0;
}

int main(int argc, char **argv) {
  int values[64] = {0};
  struct program p;
  program_open(&p, CL_DEVICE_TYPE_ALL, 0, source,
               argc > 1 && strcmp(argv[1], "relaxed") == 0 ? "-cl-fast-relaxed-math" : NULL);
  cl_mem buffer = program_buffer(&p, CL_MEM_COPY_HOST_PTR, sizeof values, values);
  const char *const names[] = {"fine", argc > 1 ? argv[1] : "behind", "fine"};
  for (int i = 0; i < 3; i++) {
    cl_kernel kernel = program_kernel(&p, names[i]);
    program_set(kernel, 0, sizeof buffer, &buffer);
    program_launch(&p, kernel, 64, 16);
    if (argc > 2 && i == 0 && strcmp(argv[2], "too-large") == 0)
      launch_too_large(&p, kernel);
    if (argc > 2 && i == 0 && strcmp(argv[2], "largest") == 0)
      largest(&p, kernel);
  }
  program_read(&p, buffer, sizeof values, values);
  if (argc > 2 && strcmp(argv[2], "dies") == 0)
    abort();
  return 0;
}

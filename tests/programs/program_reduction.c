/* A reduction as in the vendors' SDKs: one source built several times with other macros, the number of groups shrinks
 * from launch to launch, the work-group size asked of OpenCL; -cl-fast-relaxed-math. */
#include "program.h"

enum { COUNT = 1 << 14 };

static const char source[] =
    "kernel void reduce(global const T *in, global T *out, unsigned int n, local volatile T *part) {\n"
    "  unsigned int t = get_local_id(0), i = get_group_id(0) * (BLOCK * 2) + t, step = BLOCK * 2 * get_num_groups(0);\n"
    "  part[t] = 0;\n"
    "  while (i < n) {\n"
    "    part[t] += in[i];\n"
    "    if (i + BLOCK < n) part[t] += in[i + BLOCK];\n"
    "    i += step;\n"
    "  }\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "#pragma unroll\n"
    "  for (unsigned int s = BLOCK / 2; s > 0; s >>= 1) {\n"
    "    if (t < s) part[t] += part[t + s];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  }\n"
    "  if (t == 0) out[get_group_id(0)] = part[0];\n"
    "}\n";

static int values[COUNT];

static cl_kernel build(struct program *p, unsigned block) {
  char options[128];
  const char *text = source;
  cl_int status;
  size_t most;
  snprintf(options, sizeof options, "-D T=int -D BLOCK=%u -cl-fast-relaxed-math -cl-mad-enable", block);
  p->program = clCreateProgramWithSource(p->context, 1, &text, NULL, &status);
  must(status, "clCreateProgramWithSource");
  must(clBuildProgram(p->program, 0, NULL, options, NULL, NULL), "clBuildProgram");
  const cl_kernel kernel = program_kernel(p, "reduce");
  must(clReleaseProgram(p->program), "clReleaseProgram");
  p->program = NULL;
  must(clGetKernelWorkGroupInfo(kernel, p->device, CL_KERNEL_WORK_GROUP_SIZE, sizeof most, &most, NULL),
       "clGetKernelWorkGroupInfo");
  return most >= block ? kernel : NULL;
}

int main(void) {
  struct program p;
  int wanted = 0, found = 0;
  for (int i = 0; i < COUNT; i++)
    wanted += values[i] = i % 23 - 7;
  program_open(&p, CL_DEVICE_TYPE_GPU, 0, NULL, NULL);
  cl_mem buffers[] = {program_buffer(&p, CL_MEM_COPY_HOST_PTR, sizeof values, values),
                      program_buffer(&p, CL_MEM_READ_WRITE, sizeof values, NULL)};
  cl_uint left = COUNT;
  int round = 0;
  for (unsigned block = 128; left > 1; block /= 2, round++) {
    cl_kernel kernel = build(&p, block);
    const cl_uint groups = (left + 4 * block - 1) / (4 * block);
    program_set(kernel, 0, sizeof(cl_mem), &buffers[round % 2]);
    program_set(kernel, 1, sizeof(cl_mem), &buffers[1 - round % 2]);
    program_set(kernel, 2, sizeof left, &left);
    program_set(kernel, 3, block * sizeof(int), NULL);
    program_launch(&p, kernel, (size_t)groups * block, block);
    clReleaseKernel(kernel);
    left = groups;
  }
  program_read(&p, buffers[round % 2], sizeof found, &found);
  if (found != wanted)
    fprintf(stderr, "the sum is %d, wanted %d\n", found, wanted);
  return found == wanted ? 0 : 1;
}

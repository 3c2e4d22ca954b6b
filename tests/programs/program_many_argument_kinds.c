/* A kernel whose arguments are set once, in several places and out of order, and then changed one at a time: local
 * memory, a vector, 8-, 16- and 64-bit numbers, a constant buffer; three dimensions with an offset; all kernels of the
 * program made in one call. */
#include "program.h"

enum { COUNT = 256, GROUP = 32 };

static const char source[] =
    "kernel void reverse(global const float *in, global float *out, local float *room, float4 scale,\n"
    "                    char plus, ushort minus, ulong far, constant float *table) {\n"
    "  int l = get_local_id(0), n = get_local_size(0), i = get_global_id(0);\n"
    "  room[l] = in[i];\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  out[i] = room[n - 1 - l] * scale.z + plus - minus + (float)(far >> 40) + table[l & 3];\n"
    "}\n"
    "kernel void places(global int *out) {\n"
    "  int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);\n"
    "  out[((z - 1) * 4 + y - 2) * 8 + x - 3] = x * 100 + y * 10 + z;\n"
    "}\n";

static int check(const float *out, float scale) {
  float wanted[COUNT];
  for (int i = 0; i < COUNT; i++)
    wanted[i] = (float)(i / GROUP * GROUP + GROUP - 1 - i % GROUP) * scale - 3 - 500 + 4 + (float)(i % 4);
  return same_floats("out", out, wanted, COUNT);
}

static int places(const struct program *p, cl_kernel kernel) {
  const size_t offset[] = {3, 2, 1}, global[] = {8, 4, 2}, local[] = {4, 2, 1};
  int values[64];
  cl_mem out = program_buffer(p, 0, sizeof values, NULL);
  program_set(kernel, 0, sizeof out, &out);
  must(clEnqueueNDRangeKernel(p->queue, kernel, 3, offset, global, local, 0, NULL, NULL), "clEnqueueNDRangeKernel");
  program_read(p, out, sizeof values, values);
  for (int i = 0; i < 64; i++)
    if (values[i] != (i % 8 + 3) * 100 + (i / 8 % 4 + 2) * 10 + i / 32 + 1)
      return 0;
  return 1;
}

int main(void) {
  float in[COUNT], found[COUNT], table[] = {0, 1, 2, 3};
  cl_float4 scale = {{9, 9, 2, 9}};
  const cl_char plus = -3;
  const cl_ushort minus = 500;
  const cl_ulong far = (cl_ulong)4 << 40;
  struct program p;
  cl_kernel kernels[2];
  cl_uint count;
  char name[64];
  for (int i = 0; i < COUNT; i++)
    in[i] = (float)i;
  program_open(&p, CL_DEVICE_TYPE_ALL, 0, source, "-cl-fast-relaxed-math");
  must(clCreateKernelsInProgram(p.program, 2, kernels, &count), "clCreateKernelsInProgram");
  must(clGetKernelInfo(kernels[0], CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL), "clGetKernelInfo");
  cl_kernel reverse = kernels[strcmp(name, "reverse") != 0], other = kernels[strcmp(name, "reverse") == 0];
  cl_mem from = program_buffer(&p, CL_MEM_COPY_HOST_PTR, sizeof in, in), to = program_buffer(&p, 0, sizeof in, NULL);
  cl_mem constants = program_buffer(&p, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof table, table);
  program_set(reverse, 7, sizeof constants, &constants);
  program_set(reverse, 2, GROUP * sizeof(float), NULL);
  program_set(reverse, 6, sizeof far, &far);
  program_set(reverse, 5, sizeof minus, &minus);
  program_set(reverse, 4, sizeof plus, &plus);
  program_set(reverse, 1, sizeof to, &to);
  program_set(reverse, 0, sizeof from, &from);
  program_set(reverse, 3, sizeof scale, &scale);
  program_launch(&p, reverse, COUNT, GROUP);
  program_read(&p, to, sizeof found, found);
  int same = check(found, 2);
  scale.s[2] = 5;
  program_set(reverse, 3, sizeof scale, &scale);
  program_launch(&p, reverse, COUNT, GROUP);
  program_read(&p, to, sizeof found, found);
  same &= check(found, 5) & places(&p, other);
  return same ? 0 : 1;
}

/* Insists on a GPU, as most published programs do: asks for one by type, and looks once more at what it got. */
#include "program.h"

enum { COUNT = 512 };

static const char source[] =
    "__kernel __attribute__((reqd_work_group_size(32, 1, 1))) void square(__global float *x) {\n"
    "  x[get_global_id(0)] *= x[get_global_id(0)];\n"
    "}\n";

int main(void) {
  static float values[COUNT], wanted[COUNT];
  struct program p;
  cl_device_type type = 0;
  for (int i = 0; i < COUNT; i++) {
    values[i] = (float)i;
    wanted[i] = (float)(i * i);
  }
  program_open(&p, CL_DEVICE_TYPE_GPU, 0, source, "");
  must(clGetDeviceInfo(p.device, CL_DEVICE_TYPE, sizeof type, &type, NULL), "clGetDeviceInfo");
  if (!(type & CL_DEVICE_TYPE_GPU)) {
    fprintf(stderr, "the device is no GPU\n");
    return 1;
  }
  cl_mem buffer = program_buffer(&p, CL_MEM_COPY_HOST_PTR, sizeof values, values);
  cl_kernel kernel = program_kernel(&p, "square");
  program_set(kernel, 0, sizeof buffer, &buffer);
  program_launch(&p, kernel, COUNT, 0);
  program_read(&p, buffer, sizeof values, values);
  return same_floats("x", values, wanted, COUNT) ? 0 : 1;
}

/* Keeps the binary of a program and loads it again, as programs with a cache of their own do; builds with other options
 * then have no effect. The source includes a header from a folder that a definition gives: the argument. */
#include "program.h"

#include <limits.h>

enum { COUNT = 64 };

static const char source[] = "#define TEXT_(x) #x\n"
                             "#define TEXT(x) TEXT_(x)\n"
                             "#include TEXT(FOLDER/scale.clh)\n"
                             "kernel void scale(global float *x) { x[get_global_id(0)] *= SCALE + MORE; }\n";

int main(int argc, char **argv) {
  struct program p;
  char options[PATH_MAX + 64], driver[256];
  float x[COUNT], wanted[COUNT];
  snprintf(options, sizeof options, "-D FOLDER=%s -D MORE=2", argc > 1 ? argv[1] : ".");
  program_open(&p, CL_DEVICE_TYPE_ALL, 0, source, options);
  p.program = program_reloaded(&p, "-D MORE=100");
  for (int i = 0; i < COUNT; i++) {
    x[i] = (float)i;
    wanted[i] = (float)i * 5;
  }
  cl_mem buffer = program_buffer(&p, CL_MEM_COPY_HOST_PTR, sizeof x, x);
  cl_kernel kernel = program_kernel(&p, "scale");
  program_set(kernel, 0, sizeof buffer, &buffer);
  program_launch(&p, kernel, COUNT, 16);
  program_read(&p, buffer, sizeof x, x);
  must(clGetDeviceInfo(p.device, CL_DRIVER_VERSION, sizeof driver, driver, NULL), "CL_DRIVER_VERSION");
  if (!strstr(driver, "reassemble")) {
    printf("the version of the driver is that of the device: %s\n", driver);
    return 1;
  }
  return same_floats("x", x, wanted, COUNT) ? 0 : 1;
}

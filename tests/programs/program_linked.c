/* Programs in parts: a library of two sources that include headers given to OpenCL, one of which includes the other,
 * linked with a source that calls them, whose binary is loaded again. */
#include "program.h"

enum { COUNT = 96 };

static const char amount[] = "#ifndef AMOUNT_H\n#define AMOUNT_H\n#define AMOUNT 3\n#endif\n";
static const char declared[] =
    "#include \"amount.h\"\nint more(int x);\n  #  include <amount.h>\nfloat half_of(float x);\n";
static const char more[] = "#include \"parts/declared.h\"\nint more(int x) { return x + AMOUNT; }\n";
static const char half_of[] = "#include \"parts/declared.h\"\nfloat half_of(float x) { return x / 2; }";
static const char kernels[] = "#include \"parts/declared.h\"\n"
                              "kernel void change(global float *x) {\n"
                              "  int i = get_global_id(0);\n"
                              "  x[i] = half_of(x[i]) + more(i);\n"
                              "}\n";

static cl_program program_of(const struct program *p, const char *text) {
  cl_int status;
  const cl_program program = clCreateProgramWithSource(p->context, 1, &text, NULL, &status);
  must(status, "clCreateProgramWithSource");
  return program;
}

static cl_program compiled(const struct program *p, const char *text) {
  const char *names[] = {"amount.h", "parts/declared.h"};
  const cl_program headers[] = {program_of(p, amount), program_of(p, declared)}, program = program_of(p, text);
  must(clCompileProgram(program, 0, NULL, "-DUNUSED", 2, headers, names, NULL, NULL), "clCompileProgram");
  return program;
}

static cl_program linked(const struct program *p, const char *options, cl_program a, cl_program b) {
  cl_int status;
  const cl_program parts[] = {a, b},
                   program = clLinkProgram(p->context, 0, NULL, options, 2, parts, NULL, NULL, &status);
  must(status, "clLinkProgram");
  return program;
}

int main(void) {
  struct program p;
  float values[COUNT], wanted[COUNT];
  for (int i = 0; i < COUNT; i++) {
    values[i] = (float)(2 * i);
    wanted[i] = (float)(2 * i + 3);
  }
  program_open(&p, CL_DEVICE_TYPE_GPU, 0, NULL, NULL);
  cl_program library = linked(&p, "-create-library", compiled(&p, more), compiled(&p, half_of));
  p.program = linked(&p, "", compiled(&p, kernels), library);
  p.program = program_reloaded(&p, NULL);
  cl_mem buffer = program_buffer(&p, CL_MEM_COPY_HOST_PTR, sizeof values, values);
  cl_kernel kernel = program_kernel(&p, "change");
  program_set(kernel, 0, sizeof buffer, &buffer);
  program_launch(&p, kernel, COUNT, 32);
  program_read(&p, buffer, sizeof values, values);
  return same_floats("x", values, wanted, COUNT) ? 0 : 1;
}

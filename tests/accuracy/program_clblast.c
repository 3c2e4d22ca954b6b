/* Multiplies matrices by CLBlast's Xgemm kernel with the parameters that the arguments give, and checks the product.
 * Ends with 77 where CLBlast is not installed.
 *
 * Usage: program_clblast SIZE DEPTH NAME=VALUE..., of all parameters of Xgemm. A is stored by columns, B by rows, C by
 * columns, so that CLBlast starts no other kernel where the sizes are multiples of the tile. */
#include "program.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NOT_INSTALLED = 77, MOST_PARAMETERS = 24 };

/* As CLBlast's C interface has them: layouts, transpositions and precisions are numbered as in BLAS' C interface. */
enum { COLUMN_MAJOR = 102, NOT_TRANSPOSED = 111, TRANSPOSED = 112, SINGLE = 32 };
typedef int override_parameters(cl_device_id device, const char *kernel, int precision, size_t count,
                                const char **names, const size_t *values);
typedef int sgemm(int layout, int transpose_a, int transpose_b, size_t m, size_t n, size_t k, float alpha, cl_mem a,
                  size_t a_offset, size_t a_stride, cl_mem b, size_t b_offset, size_t b_stride, float beta, cl_mem c,
                  size_t c_offset, size_t c_stride, cl_command_queue *queue, cl_event *event);

struct clblast {
  override_parameters *override;
  sgemm *multiply;
};

static struct clblast load(void) {
  void *library = dlopen("libclblast.so.1", RTLD_NOW);
  struct clblast clblast = {0};
  if (!library)
    return clblast;
  *(void **)&clblast.override = dlsym(library, "CLBlastOverrideParameters");
  *(void **)&clblast.multiply = dlsym(library, "CLBlastSgemm");
  return clblast;
}

/* Splits "NAME=VALUE" arguments. Returns how many there are. */
static size_t parameters_of(int count, char **arguments, const char **names, size_t *values) {
  for (int i = 0; i < count && i < MOST_PARAMETERS; i++) {
    char *equals = strchr(arguments[i], '=');
    must(!equals ? CL_INVALID_VALUE : CL_SUCCESS, "NAME=VALUE");
    *equals = '\0';
    names[i] = arguments[i];
    values[i] = strtoul(equals + 1, NULL, 10);
  }
  return (size_t)count;
}

/* Sets Xgemm's parameters, and the size from which CLBlast takes that kernel to the least. */
static void override_all(const struct clblast *clblast, const struct program *p, int count, char **arguments) {
  const char *names[MOST_PARAMETERS], *least_name[] = {"XGEMM_MIN_INDIRECT_SIZE"};
  size_t values[MOST_PARAMETERS];
  const size_t least = 1, given = parameters_of(count, arguments, names, values);
  must(clblast->override(p->device, "Xgemm", SINGLE, given, names, values), "CLBlastOverrideParameters of Xgemm");
  must(clblast->override(p->device, "GemmRoutine", SINGLE, 1, least_name, &least),
       "CLBlastOverrideParameters of GemmRoutine");
}

/* Small whole numbers: floats compute them exactly, in whatever order they are added. */
static void fill(float *values, size_t count, int period) {
  for (size_t i = 0; i < count; i++)
    values[i] = (float)((int)(i % (size_t)period) - period / 2);
}

static void compute(float *c, const float *a, const float *b, size_t size, size_t depth) {
  for (size_t n = 0; n < size; n++)
    for (size_t m = 0; m < size; m++) {
      float sum = 0;
      for (size_t k = 0; k < depth; k++)
        sum += a[k * size + m] * b[k * size + n];
      c[n * size + m] = sum;
    }
}

static int multiply(const struct clblast *clblast, struct program *p, size_t size, size_t depth) {
  float *a = calloc(size * depth, sizeof *a), *b = calloc(size * depth, sizeof *b);
  float *c = calloc(size * size, sizeof *c), *wanted = calloc(size * size, sizeof *wanted);
  must(a && b && c && wanted ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY, "calloc");
  fill(a, size * depth, 7);
  fill(b, size * depth, 11);
  compute(wanted, a, b, size, depth);
  cl_mem buffers[] = {program_buffer(p, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, size * depth * sizeof *a, a),
                      program_buffer(p, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, size * depth * sizeof *b, b),
                      program_buffer(p, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, size * size * sizeof *c, c)};
  must(clblast->multiply(COLUMN_MAJOR, NOT_TRANSPOSED, TRANSPOSED, size, size, depth, 1, buffers[0], 0, size,
                         buffers[1], 0, size, 0, buffers[2], 0, size, &p->queue, NULL),
       "CLBlastSgemm");
  program_read(p, buffers[2], size * size * sizeof *c, c);
  const int same = same_floats("c", c, wanted, size * size);
  for (int i = 0; i < 3; i++)
    clReleaseMemObject(buffers[i]);
  free(a);
  free(b);
  free(c);
  free(wanted);
  return same;
}

int main(int count, char **arguments) {
  const struct clblast clblast = load();
  struct program p;
  if (!clblast.override || !clblast.multiply) {
    puts("CLBlast is not installed (Debian: libclblast1)");
    return NOT_INSTALLED;
  }
  if (count < 4 || count - 3 > MOST_PARAMETERS)
    return 2;
  program_open(&p, CL_DEVICE_TYPE_ALL, 0, "kernel void unused(void) {}", "");
  override_all(&clblast, &p, count - 3, arguments + 3);
  const int same = multiply(&clblast, &p, strtoul(arguments[1], NULL, 10), strtoul(arguments[2], NULL, 10));
  program_close(&p);
  return same ? 0 : 1;
}

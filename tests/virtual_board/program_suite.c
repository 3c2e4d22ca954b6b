/* Small programs of one form, after PolyBench's, Rodinia's and the vendors' samples, for calibrations: two inputs are
 * written to the device, a kernel is launched some times, and its result is read.
 * Usage: program_suite NAME; without, it lists the names. */
#include "program.h"

struct sample {
  const char *name;
  int n;                                          /* argument of the kernel */
  size_t dimensions, global[2], local[2], floats; /* floats: of each of the three buffers */
  int launches;
  const char *body; /* with a, b, c, n, i (and j in two dimensions) */
};

/* clang-format off */
static const struct sample samples[] = {
  {"gesummv", 1024, 1, {1024, 1}, {64, 1}, 1048576, 240,
   "float s = 0; for (int k = 0; k < n; k++) s += 1.5f * a[i * n + k] * b[k] + 1.2f * b[i * n + k] * b[k]; c[i] = s;"},
  {"atax", 1024, 1, {1024, 1}, {64, 1}, 1048576, 48,
   "float s = 0; for (int k = 0; k < n; k++) s += a[k * n + i] * b[k]; c[i] = s;"},
  {"syrk", 192, 2, {192, 192}, {16, 8}, 36864, 60,
   "float s = 0.5f * c[j * n + i]; for (int k = 0; k < n; k++) s += a[j * n + k] * a[i * n + k]; c[j * n + i] = s;"},
  {"mm2", 256, 2, {256, 256}, {16, 8}, 65536, 12,
   "float s = 0; for (int k = 0; k < n; k++) s += a[j * n + k] * b[k * n + i]; c[j * n + i] = s;"},
  {"jacobi", 1024, 2, {1024, 1024}, {64, 4}, 1048576, 480,
   "if (i > 0 && j > 0 && i < n - 1 && j < n - 1) c[j * n + i] = 0.2f * (a[j * n + i] + a[j * n + i - 1] + "
   "a[j * n + i + 1] + a[(j - 1) * n + i] + a[(j + 1) * n + i]);"},
  {"nbody", 2048, 1, {2048, 1}, {64, 1}, 8192, 16,
   "float x = a[4 * i], y = a[4 * i + 1], z = a[4 * i + 2], s = 0; for (int k = 0; k < n; k++) { float u = "
   "a[4 * k] - x, v = a[4 * k + 1] - y, w = a[4 * k + 2] - z, r = u * u + v * v + w * w + 0.01f; "
   "s += u * b[k] / (r * sqrt(r)); } c[i] = s;"},
  {"blackscholes", 0, 1, {262144, 1}, {128, 1}, 262144, 24,
   "float s = 10 + 90 * a[i], x = 1 + 99 * b[i], t = 1.5f, v = 0.3f, d = (log(s / x) + (0.02f + 0.5f * v * v) * t) "
   "/ (v * sqrt(t)); c[i] = s * (1 / (1 + exp(-1.7f * d))) - x * exp(-0.02f * t) * "
   "(1 / (1 + exp(-1.7f * (d - v * sqrt(t)))));"},
  {"mandelbrot", 256, 2, {256, 256}, {16, 8}, 65536, 24,
   "float x = 0, y = 0, u = i * 3.0f / n - 2.2f, v = j * 2.4f / n - 1.2f; int k = 0; for (; k < 200 && "
   "x * x + y * y < 4; k++) { float t = x * x - y * y + u; y = 2 * x * y + v; x = t; } c[j * n + i] = k;"},
  {"transpose", 1024, 2, {1024, 1024}, {16, 16}, 1048576, 40,
   "c[i * n + j] = a[j * n + i];"},
  {"saxpy", 0, 1, {1048576, 1}, {128, 1}, 1048576, 900,
   "c[i] += 2 * a[i] + b[i];"},
  {"correlation", 256, 1, {256, 1}, {16, 1}, 65536, 16,
   "for (int k = i; k < n; k++) { float s = 0; for (int m = 0; m < n; m++) s += a[m * n + i] * a[m * n + k]; "
   "c[i * n + k] = s; }"},
  {"spmv", 32, 1, {65536, 1}, {64, 1}, 2097152, 90,
   "float s = 0; for (int k = 0; k < n; k++) { int at = (i * 37 + k * k * 61) & 65535; s += a[i * n + k] * b[at]; } "
   "c[i] = s;"},
  {"reduction", 4096, 1, {256, 1}, {16, 1}, 1048576, 80,
   "float s = 0; for (int k = 0; k < n; k++) s += a[k * 256 + i]; c[i] = s;"},
  {"hotspot", 512, 2, {512, 512}, {32, 4}, 262144, 1320,
   "if (i > 0 && j > 0 && i < n - 1 && j < n - 1) { int k = j * n + i; c[k] = a[k] + 0.1f * (b[k] + (a[k - n] + "
   "a[k + n] - 2 * a[k]) * 0.3f + (a[k - 1] + a[k + 1] - 2 * a[k]) * 0.2f + (80 - a[k]) * 0.05f); }"},
};
/* clang-format on */

static const char *source_of(const struct sample *s) {
  static char text[4096];
  snprintf(text, sizeof text,
           "kernel void sample(global const float *a, global const float *b, global float *c, int n) {\n"
           "  int i = get_global_id(0), j = get_global_id(1);\n  %s\n}\n",
           s->body);
  return text;
}

static cl_mem input(const struct program *p, size_t floats, unsigned seed) {
  float *list = malloc(floats * sizeof *list);
  must(list ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY, "malloc");
  for (size_t i = 0; i < floats; i++)
    list[i] = (float)((i * 7 + seed) % 1021) / 1021.0f;
  const cl_mem buffer = program_buffer(p, CL_MEM_READ_WRITE, floats * sizeof *list, NULL);
  must(clEnqueueWriteBuffer(p->queue, buffer, CL_TRUE, 0, floats * sizeof *list, list, 0, NULL, NULL), "write");
  free(list);
  return buffer;
}

static void run(const struct sample *s) {
  struct program p;
  program_open(&p, CL_DEVICE_TYPE_ALL, 0, source_of(s), "");
  cl_mem buffers[3];
  const cl_kernel kernel = program_kernel(&p, "sample");
  for (cl_uint i = 0; i < 3; i++) {
    buffers[i] = input(&p, s->floats, i);
    program_set(kernel, i, sizeof buffers[i], &buffers[i]);
  }
  program_set(kernel, 3, sizeof s->n, &s->n);
  for (int i = 0; i < s->launches; i++)
    must(clEnqueueNDRangeKernel(p.queue, kernel, (cl_uint)s->dimensions, NULL, s->global, s->local, 0, NULL, NULL),
         "clEnqueueNDRangeKernel");
  float *result = malloc(s->floats * sizeof *result);
  must(result ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY, "malloc");
  program_read(&p, buffers[2], s->floats * sizeof *result, result);
  free(result);
  program_close(&p);
}

int main(int count, char **words) {
  for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
    if (count < 2)
      puts(samples[i].name);
    else if (strcmp(samples[i].name, words[1]) == 0) {
      run(&samples[i]);
      return 0;
    }
  }
  return count < 2 ? 0 : 2;
}

/* PolyBench's GEMVER: B = A + u1 v1^T + u2 v2^T, x = b B^T y + z, w = a B x, with a callback on an event from which the
 * host writes the next input, and vectors that lie in one host allocation as buffers of their own. */
#include "program.h"

enum { N = 40, VECTORS = 8 };
enum vector { U1, V1, U2, V2, Y, Z, X, W };

static const char source[] =
    "kernel void update(global float *A, global const float *u1, global const float *v1, global const float *u2,\n"
    "                   global const float *v2, int n) {\n"
    "  int j = get_global_id(0), i = get_global_id(1);\n"
    "  A[i * n + j] += u1[i] * v1[j] + u2[i] * v2[j];\n"
    "}\n"
    "kernel void transposed(global const float *A, global const float *y, global const float *z, global float *x, "
    "float b,\n"
    "                       int n) {\n"
    "  int i = get_global_id(0);\n"
    "  float sum = 0;\n"
    "  for (int j = 0; j < n; j++) sum += b * A[j * n + i] * y[j];\n"
    "  x[i] = sum + z[i];\n"
    "}\n"
    "kernel void times(global const float *A, global const float *x, global float *w, float a, int n) {\n"
    "  int i = get_global_id(0);\n"
    "  float sum = 0;\n"
    "  for (int j = 0; j < n; j++) sum += a * A[i * n + j] * x[j];\n"
    "  w[i] = sum;\n"
    "}\n";

static float A[N * N], vectors[VECTORS][1024] __attribute__((aligned(4096))), wanted[N];
static const float a = 1.25f, b = 0.75f;

static void compute(void) {
  float x[N], B[N * N];
  for (int i = 0; i < N * N; i++)
    A[i] = (float)(i % 6);
  for (int v = 0; v <= Z; v++)
    for (int i = 0; i < N; i++)
      vectors[v][i] = (float)((i + v) % 5) / 2;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      B[i * N + j] = A[i * N + j] + (vectors[U1][i] * vectors[V1][j] + vectors[U2][i] * vectors[V2][j]);
  for (int i = 0; i < N; i++) {
    float sum = 0;
    for (int j = 0; j < N; j++)
      sum += b * B[j * N + i] * vectors[Y][j];
    x[i] = sum + vectors[Z][i];
  }
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      wanted[i] += a * B[i * N + j] * x[j];
}

static void CL_CALLBACK note(cl_event event, cl_int status, void *user) {
  (void)event;
  *(volatile cl_int *)user = status;
}

static cl_kernel prepare(const struct program *p, const char *name, cl_mem matrix, const cl_mem *buffers, int count) {
  cl_kernel kernel = program_kernel(p, name);
  program_set(kernel, 0, sizeof matrix, &matrix);
  for (int i = 0; i < count; i++)
    program_set(kernel, (cl_uint)i + 1, sizeof(cl_mem), &buffers[i]);
  return kernel;
}

int main(void) {
  const int n = N;
  const size_t global[] = {N, N};
  struct program p;
  cl_mem buffers[VECTORS];
  cl_event updated;
  volatile cl_int told = CL_QUEUED;
  compute();
  program_open(&p, CL_DEVICE_TYPE_ACCELERATOR, 0, source, "-w -cl-denorms-are-zero");
  for (int v = 0; v < VECTORS; v++)
    buffers[v] = program_buffer(&p, CL_MEM_USE_HOST_PTR, sizeof vectors[v], vectors[v]);
  cl_mem matrix = program_buffer(&p, CL_MEM_COPY_HOST_PTR | CL_MEM_READ_WRITE, sizeof A, A);
  cl_kernel update = prepare(&p, "update", matrix, &buffers[U1], 4);
  program_set(update, 5, sizeof n, &n);
  must(clEnqueueNDRangeKernel(p.queue, update, 2, NULL, global, NULL, 0, NULL, &updated), "update");
  must(clSetEventCallback(updated, CL_COMPLETE, note, (void *)&told), "clSetEventCallback");
  cl_kernel transposed = prepare(&p, "transposed", matrix, &buffers[Y], 3);
  program_set(transposed, 4, sizeof b, &b);
  program_set(transposed, 5, sizeof n, &n);
  program_launch(&p, transposed, N, 0);
  cl_kernel times = prepare(&p, "times", matrix, &buffers[X], 2);
  program_set(times, 3, sizeof a, &a);
  program_set(times, 4, sizeof n, &n);
  program_launch(&p, times, N, 8);
  float found[N];
  program_read(&p, buffers[W], sizeof found, found);
  must(clFinish(p.queue), "clFinish");
  return same_floats("w", found, wanted, N) && told == CL_COMPLETE ? 0 : 1;
}

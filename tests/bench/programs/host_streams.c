/* Programs with regular accesses: large buffers that many launches change a little, and many short launches. */
#include "host_kinds.h"
#include "program.h"

static float *some_floats(size_t count) {
  float *list = malloc(count * sizeof *list);
  for (size_t i = 0; list && i < count; i++)
    list[i] = (float)(i % 1021) / 1024.0f;
  must(list ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY, "malloc");
  return list;
}

static cl_mem filled_buffer(const struct program *p, size_t count) {
  float *list = some_floats(count);
  const cl_mem buffer = program_buffer(p, CL_MEM_READ_WRITE, count * sizeof *list, NULL);
  must(clEnqueueWriteBuffer(p->queue, buffer, CL_TRUE, 0, count * sizeof *list, list, 0, NULL, NULL), "write");
  free(list);
  return buffer;
}

/* Reads the buffer, as a program does with its result. */
static void take_result(const struct program *p, cl_mem buffer, size_t bytes) {
  void *result = malloc(bytes);
  must(result ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY, "malloc");
  program_read(p, buffer, bytes, result);
  free(result);
  program_close((struct program *)p);
}

static void set_buffers(cl_kernel kernel, const cl_mem *buffers, cl_uint count) {
  for (cl_uint i = 0; i < count; i++)
    program_set(kernel, i, sizeof buffers[i], &buffers[i]);
}

static int chosen(int launches, int usual) {
  return launches > 0 ? launches : usual;
}

/* One launch a plane of a volume of 128 x 128 x 128 floats. */
static void convolution(int launches) {
  static const char source[] =
      "kernel void plane(global const float *in, global float *out, int n, int i) {\n"
      "  int k = get_global_id(0), j = get_global_id(1);\n"
      "  if (j < 1 || k < 1 || j > n - 2 || k > n - 2) return;\n"
      "  global const float *a = in + ((i - 1) * n + j) * n + k, *b = a + n * n, *c = b + n * n;\n"
      "  out[(i * n + j) * n + k] = 2 * a[-n - 1] + 4 * c[-n - 1] + 5 * a[-1] + 7 * c[-1] - 8 * a[n - 1] + 10 * c[n - "
      "1]"
      " - 3 * b[-n] + 6 * b[0] - 9 * b[n] + 2 * a[1 - n] + 4 * c[n + 1];\n"
      "}\n";
  const int n = 128;
  const size_t bytes = (size_t)n * n * n * sizeof(float), global[] = {128, 128}, local[] = {32, 8};
  struct program p;
  program_open(&p, CL_DEVICE_TYPE_CPU, 0, source, "");
  const cl_mem volumes[] = {filled_buffer(&p, bytes / sizeof(float)), filled_buffer(&p, bytes / sizeof(float))};
  const cl_kernel kernel = program_kernel(&p, "plane");
  set_buffers(kernel, volumes, 2);
  program_set(kernel, 2, sizeof n, &n);
  for (int i = 1; i <= chosen(launches, n - 2); i++) {
    program_set(kernel, 3, sizeof i, &i);
    must(clEnqueueNDRangeKernel(p.queue, kernel, 2, NULL, global, local, 0, NULL, NULL), "plane");
  }
  take_result(&p, volumes[1], bytes);
}

/* Rows of a grid, ten at a launch, as dynamic programming takes them. */
static void pathfinder(int launches) {
  static const char source[] =
      "kernel void rows(global const int *wall, global const int *from, global int *to, int columns, int start,\n"
      "                 int rows, local int *now, local int *next) {\n"
      "  int tx = get_local_id(0), size = get_local_size(0), x = (int)get_group_id(0) * (size - 2 * rows) - rows + "
      "tx;\n"
      "  int inside = min(max(x, 0), columns - 1);\n"
      "  now[tx] = from[inside];\n"
      "  barrier(CLK_LOCAL_MEM_FENCE);\n"
      "  for (int i = 0; i < rows; i++) {\n"
      "    int least = min(min(now[max(tx - 1, 0)], now[tx]), now[min(tx + 1, size - 1)]);\n"
      "    next[tx] = least + wall[columns * (start + i) + inside];\n"
      "    barrier(CLK_LOCAL_MEM_FENCE);\n"
      "    now[tx] = next[tx];\n"
      "    barrier(CLK_LOCAL_MEM_FENCE);\n"
      "  }\n"
      "  if (tx >= rows && tx < size - rows && x < columns) to[x] = now[tx];\n"
      "}\n";
  const int columns = 65536, rows = 10, rounds = chosen(launches, 10);
  const size_t local = 256, groups = (columns + local - 2 * rows - 1) / (local - 2 * rows), global = groups * local;
  struct program p;
  program_open(&p, CL_DEVICE_TYPE_CPU, 0, source, "");
  const cl_mem wall = filled_buffer(&p, (size_t)columns * rows * rounds);
  const cl_mem lines[] = {filled_buffer(&p, columns), filled_buffer(&p, columns)};
  const cl_kernel kernel = program_kernel(&p, "rows");
  program_set(kernel, 0, sizeof wall, &wall);
  program_set(kernel, 3, sizeof columns, &columns);
  program_set(kernel, 5, sizeof rows, &rows);
  program_set(kernel, 6, local * sizeof(int), NULL);
  program_set(kernel, 7, local * sizeof(int), NULL);
  for (int round = 0; round < rounds; round++) {
    const int start = round * rows;
    program_set(kernel, 1, sizeof(cl_mem), &lines[round % 2]);
    program_set(kernel, 2, sizeof(cl_mem), &lines[1 - round % 2]);
    program_set(kernel, 4, sizeof start, &start);
    program_launch(&p, kernel, global, local);
  }
  take_result(&p, lines[rounds % 2], columns * sizeof(int));
}

/* Levels of Haar's wavelets over a signal of 2^20 floats, two launches a level, again and again. */
static void wavelet(int launches) {
  static const char source[] = "kernel void split(global const float *in, global float *out, int half_size) {\n"
                               "  int i = get_global_id(0);\n"
                               "  float a = in[2 * i], b = in[2 * i + 1];\n"
                               "  out[i] = (a + b) * 0.5f;\n"
                               "  out[half_size + i] = (a - b) * 0.5f;\n"
                               "}\n"
                               "kernel void keep(global float *in, global const float *out) {\n"
                               "  int i = get_global_id(0);\n"
                               "  in[i] = out[i];\n"
                               "}\n";
  const size_t count = (size_t)1 << 20;
  struct program p;
  program_open(&p, CL_DEVICE_TYPE_CPU, 0, source, "");
  const cl_mem signals[] = {filled_buffer(&p, count), filled_buffer(&p, count)};
  const cl_kernel split = program_kernel(&p, "split"), keep = program_kernel(&p, "keep");
  set_buffers(split, signals, 2);
  set_buffers(keep, signals, 2);
  for (int i = 0; i < chosen(launches, 160) / 2; i++) {
    const int half = (int)(count >> (1 + i % 14));
    program_set(split, 2, sizeof half, &half);
    program_launch(&p, split, (size_t)half, 64);
    program_launch(&p, keep, (size_t)half, 64);
  }
  take_result(&p, signals[1], count * sizeof(float));
}

/* a = b + s * c over three buffers of 16 MiB. */
static void triad(int launches) {
  static const char source[] =
      "kernel void triad(global float *a, global const float *b, global const float *c, float s) {\n"
      "  int i = get_global_id(0);\n"
      "  a[i] = b[i] + s * c[i];\n"
      "}\n";
  const size_t count = (size_t)4 << 20;
  struct program p;
  program_open(&p, CL_DEVICE_TYPE_CPU, 0, source, "");
  const cl_mem buffers[] = {filled_buffer(&p, count), filled_buffer(&p, count), filled_buffer(&p, count)};
  const cl_kernel kernel = program_kernel(&p, "triad");
  set_buffers(kernel, buffers, 3);
  for (int i = 0; i < chosen(launches, 20); i++) {
    const float s = 1.0f / (float)(i + 1);
    program_set(kernel, 3, sizeof s, &s);
    program_launch(&p, kernel, count, 256);
  }
  take_result(&p, buffers[0], count * sizeof(float));
}

/* Heat on a grid of 512 x 512 floats, two buffers in turns. */
static void stencil(int launches) {
  static const char source[] =
      "kernel void heat(global const float *in, global float *out, int n) {\n"
      "  int x = get_global_id(0), y = get_global_id(1);\n"
      "  int w = max(x - 1, 0), e = min(x + 1, n - 1), s = max(y - 1, 0), t = min(y + 1, n - 1);\n"
      "  out[y * n + x] = 0.2f * (in[y * n + x] + in[y * n + w] + in[y * n + e] + in[s * n + x]\n"
      "                           + in[t * n + x]);\n"
      "}\n";
  const int n = 512;
  const size_t bytes = (size_t)n * n * sizeof(float), global[] = {512, 512}, local[] = {16, 16};
  struct program p;
  program_open(&p, CL_DEVICE_TYPE_CPU, 0, source, "");
  const cl_mem grids[] = {filled_buffer(&p, bytes / sizeof(float)), filled_buffer(&p, bytes / sizeof(float))};
  const cl_kernel kernel = program_kernel(&p, "heat");
  program_set(kernel, 2, sizeof n, &n);
  for (int i = 0; i < chosen(launches, 200); i++) {
    program_set(kernel, 0, sizeof(cl_mem), &grids[i % 2]);
    program_set(kernel, 1, sizeof(cl_mem), &grids[1 - i % 2]);
    must(clEnqueueNDRangeKernel(p.queue, kernel, 2, NULL, global, local, 0, NULL, NULL), "heat");
  }
  take_result(&p, grids[0], bytes);
}

/* The product of two matrices of 256 x 256, twice. */
static void product(int launches) {
  static const char source[] =
      "kernel void product(global const float *a, global const float *b, global float *c, int n) {\n"
      "  int x = get_global_id(0), y = get_global_id(1);\n"
      "  float sum = 0;\n"
      "  for (int k = 0; k < n; k++) sum += a[y * n + k] * b[k * n + x];\n"
      "  c[y * n + x] = sum;\n"
      "}\n";
  const int n = 512;
  const size_t bytes = (size_t)n * n * sizeof(float), global[] = {512, 512}, local[] = {16, 16};
  struct program p;
  program_open(&p, CL_DEVICE_TYPE_CPU, 0, source, "");
  const cl_mem m[] = {filled_buffer(&p, bytes / 4), filled_buffer(&p, bytes / 4), filled_buffer(&p, bytes / 4)};
  const cl_kernel kernel = program_kernel(&p, "product");
  program_set(kernel, 3, sizeof n, &n);
  for (int i = 0; i < chosen(launches, 2); i++) {
    const cl_mem turn[] = {m[i % 2], m[1 - i % 2], m[2]};
    set_buffers(kernel, turn, 3);
    must(clEnqueueNDRangeKernel(p.queue, kernel, 2, NULL, global, local, 0, NULL, NULL), "product");
  }
  take_result(&p, m[2], bytes);
}

/* Ten thousand launches over 4 KiB. */
static void small(int launches) {
  static const char source[] = "kernel void add(global float *a, float s) { a[get_global_id(0)] += s; }\n";
  const size_t count = 1024;
  struct program p;
  program_open(&p, CL_DEVICE_TYPE_CPU, 0, source, "");
  const cl_mem buffer = filled_buffer(&p, count);
  const cl_kernel kernel = program_kernel(&p, "add");
  program_set(kernel, 0, sizeof buffer, &buffer);
  for (int i = 0; i < chosen(launches, 10000); i++) {
    const float s = (float)(i % 7);
    program_set(kernel, 1, sizeof s, &s);
    program_launch(&p, kernel, count, 64);
  }
  take_result(&p, buffer, count * sizeof(float));
}

const struct host_kind host_streams[] = {
    {"convolution", convolution, "3-D convolution, a launch a plane, two buffers of 8 MiB"},
    {"pathfinder", pathfinder, "ten short launches that read parts of one buffer of 26 MB"},
    {"wavelet", wavelet, "160 launches of two kernels in turns over 4 MiB, most of them short"},
    {"triad", triad, "a = b + s * c over three buffers of 16 MiB, 20 launches"},
    {"stencil", stencil, "200 launches over two buffers of 1 MiB in turns"},
    {"product", product, "two products of matrices of 512 x 512"},
    {"small", small, "10,000 launches of 1024 work-items"},
    {0},
};

/* An OpenCL program as users have them, for test open_driver.sh: kernels that diverge, share memory, count atomically,
 * read images; launches of one to three dimensions, with offsets, of parts of buffers, many of one kernel, of a kernel
 * without operations; a queue that measures times. It checks all results itself, and ends with 1 where one is wrong.
 * Usage: application KERNELS.cl */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static cl_device_id device;
static cl_context context;
static cl_command_queue queue;
static cl_program program;
static bool is_wrong;

static void need(cl_int status, const char *what) {
  if (status != CL_SUCCESS) {
    fprintf(stderr, "%s: OpenCL error %d\n", what, (int)status);
    exit(2);
  }
}

static void open_device(void) {
  cl_platform_id platform;
  cl_int status;
  need(clGetPlatformIDs(1, &platform, NULL), "platform");
  need(clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 1, &device, NULL), "device");
  context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
  need(status, "context");
  queue = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &status);
  need(status, "queue");
}

static void build(const char *path) {
  static char source[1 << 16];
  const char *text = source;
  FILE *file = fopen(path, "r");
  cl_int status;
  if (!file || !fread(source, 1, sizeof source - 1, file))
    need(-1, path);
  fclose(file);
  program = clCreateProgramWithSource(context, 1, &text, NULL, &status);
  need(status, "program");
  need(clBuildProgram(program, 1, &device, "", NULL, NULL), "build");
}

static cl_mem buffer(size_t bytes, void *contents) {
  cl_int status;
  cl_mem made =
      clCreateBuffer(context, CL_MEM_READ_WRITE | (contents ? CL_MEM_COPY_HOST_PTR : 0), bytes, contents, &status);
  need(status, "buffer");
  return made;
}

static cl_kernel kernel(const char *name, cl_uint buffers, const cl_mem *memory) {
  cl_int status;
  cl_kernel made = clCreateKernel(program, name, &status);
  need(status, name);
  for (cl_uint i = 0; i < buffers; i++)
    need(clSetKernelArg(made, i, sizeof memory[i], &memory[i]), name);
  return made;
}

static void launch(cl_kernel made, cl_uint dimensions, const size_t *offset, const size_t *global,
                   const size_t *local) {
  need(clEnqueueNDRangeKernel(queue, made, dimensions, offset, global, local, 0, NULL, NULL), "launch");
}

static void read_back(cl_mem from, size_t bytes, void *to) {
  need(clEnqueueReadBuffer(queue, from, CL_TRUE, 0, bytes, to, 0, NULL, NULL), "read");
}

static void expect(bool holds, const char *what) {
  if (!holds)
    fprintf(stderr, "wrong: %s\n", what);
  is_wrong |= !holds;
}

static void run_divergent(void) {
  enum { COUNT = 300 };
  int out[COUNT] = {0}, count = COUNT;
  bool holds = true;
  const size_t global = COUNT;
  cl_mem memory = buffer(sizeof out, out);
  cl_kernel made = kernel("divergent", 1, &memory);
  need(clSetKernelArg(made, 1, sizeof count, &count), "count");
  launch(made, 1, NULL, &global, NULL);
  read_back(memory, sizeof out, out);
  for (int i = 0; i < COUNT; i++) {
    int steps = 0;
    for (int x = i; x > 1 && steps < 50; steps++)
      x = x & 1 ? 3 * x + 1 : x / 2;
    holds &= out[i] == (i % 5 == 4 && i > COUNT / 2 ? 0 : steps);
  }
  expect(holds, "divergent");
}

static void run_sums(void) {
  enum { COUNT = 1024, GROUP = 64 };
  int in[COUNT], out[COUNT / GROUP], wanted[COUNT / GROUP] = {0};
  const size_t global = COUNT, local = GROUP;
  cl_ulong start = 0, end = 0;
  cl_event event;
  bool holds = true;
  for (int i = 0; i < COUNT; i++)
    wanted[i / GROUP] += in[i] = i * i - 77;
  const cl_mem memory[] = {buffer(sizeof in, in), buffer(sizeof out, NULL)};
  cl_kernel made = kernel("sums", 2, memory);
  need(clSetKernelArg(made, 2, GROUP * sizeof(int), NULL), "local memory");
  need(clEnqueueNDRangeKernel(queue, made, 1, NULL, &global, &local, 0, NULL, &event), "launch");
  read_back(memory[1], sizeof out, out);
  for (int i = 0; i < COUNT / GROUP; i++)
    holds &= out[i] == wanted[i];
  expect(holds, "sums");
  need(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL), "start");
  need(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL), "end");
  expect(start < end, "times of a launch");
}

static void run_histogram(void) {
  enum { COUNT = 512 };
  unsigned char in[COUNT];
  unsigned out[17] = {0}, wanted[17] = {[16] = COUNT - 1};
  const size_t global = COUNT, local = 32;
  bool holds = true;
  for (int i = 0; i < COUNT; i++)
    wanted[(in[i] = (unsigned char)(i * 37 >> 2)) & 15]++;
  const cl_mem memory[] = {buffer(sizeof in, in), buffer(sizeof out, out)};
  launch(kernel("histogram", 2, memory), 1, NULL, &global, &local);
  read_back(memory[1], sizeof out, out);
  for (int i = 0; i < 17; i++)
    holds &= out[i] == wanted[i];
  expect(holds, "histogram");
}

static void run_images(void) {
  enum { WIDTH = 20, HEIGHT = 13 };
  unsigned char in[HEIGHT][WIDTH][4], out[HEIGHT][WIDTH][4];
  const cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
  const cl_image_desc shape = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = WIDTH, .image_height = HEIGHT};
  const size_t global[2] = {WIDTH, HEIGHT}, origin[3] = {0}, region[3] = {WIDTH, HEIGHT, 1};
  bool holds = true;
  cl_int status[2];
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++)
      for (int c = 0; c < 4; c++)
        in[y][x][c] = (unsigned char)((31 * y + 7 * x + 50 * c) % 120);
  const cl_mem images[] = {
      clCreateImage(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, &format, &shape, in, &status[0]),
      clCreateImage(context, CL_MEM_WRITE_ONLY, &format, &shape, NULL, &status[1])};
  need(status[0], "image");
  need(status[1], "image");
  launch(kernel("neighbours", 2, images), 2, NULL, global, NULL);
  need(clEnqueueReadImage(queue, images[1], CL_TRUE, origin, region, 0, 0, out, 0, NULL, NULL), "read");
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++)
      for (int c = 0; c < 4; c++)
        holds &= out[y][x][c] == in[y][x ? x - 1 : 0][c] + in[y][x < WIDTH - 1 ? x + 1 : x][c];
  expect(holds, "images");
}

static void run_places(void) {
  enum { X = 6, Y = 4, Z = 3 };
  int out[Z][Y][X];
  const size_t offset[3] = {5, 6, 7}, global[3] = {X, Y, Z}, local[3] = {3, 2, 1};
  cl_mem memory = buffer(sizeof out, NULL);
  bool holds = true;
  launch(kernel("places", 1, &memory), 3, offset, global, local);
  read_back(memory, sizeof out, out);
  for (int z = 0; z < Z; z++)
    for (int y = 0; y < Y; y++)
      for (int x = 0; x < X; x++)
        holds &= out[z][y][x] == x + 5 + 100 * (y + 6) + 10000 * (z + 7) + 1000000 * (y % 2);
  expect(holds, "three dimensions with offsets");
}

static void run_twice(void) {
  enum { COUNT = 256, PART = 64, LAUNCHES = 20 };
  int values[COUNT];
  const size_t global = PART;
  const cl_buffer_region region = {PART * sizeof(int), PART * sizeof(int)};
  bool holds = true;
  cl_int status;
  for (int i = 0; i < COUNT; i++)
    values[i] = i + 1;
  cl_mem whole = buffer(sizeof values, values);
  cl_mem part = clCreateSubBuffer(whole, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &status);
  need(status, "part of a buffer");
  cl_kernel made = kernel("twice", 1, &part);
  for (int i = 0; i < LAUNCHES; i++)
    launch(made, 1, NULL, &global, NULL);
  launch(kernel("nothing", 1, &whole), 1, NULL, &global, NULL);
  read_back(whole, sizeof values, values);
  for (int i = 0; i < COUNT; i++)
    holds &= values[i] == (i + 1) << (i / PART == 1 ? LAUNCHES : 0);
  expect(holds, "twenty launches on a part of a buffer");
}

static void run_records(void) {
  enum { COUNT = 40 };
  static const int digits[8] = {3, 1, 4, 1, 5, 9, 2, 6};
  typedef struct {
    int number;
    float parts[3];
  } record;
  record in[COUNT] = {{0}}, added = {.number = 5};
  cl_long out[COUNT];
  const size_t global = COUNT, local = 5;
  bool holds = true;
  for (int i = 0; i < COUNT; i++)
    in[i] = (record){i * 1000 - 7, {0, 2 * (float)i + 0.5f, 0}};
  const cl_mem memory[] = {buffer(sizeof in, in), buffer(sizeof out, NULL)};
  cl_kernel made = kernel("records", 2, memory);
  need(clSetKernelArg(made, 2, sizeof added, &added), "structure");
  launch(made, 1, NULL, &global, &local);
  read_back(memory[1], sizeof out, out);
  for (int i = 0, k = 0; i < COUNT; i++, k = 7 * i & 15)
    holds &= out[i] == in[i].number * INT64_C(1234567890123) + digits[(k + i) & 7] * k + 2 * i + 5;
  expect(holds, "structures");
}

int main(int argc, char **argv) {
  if (argc != 2)
    return 2;
  open_device();
  build(argv[1]);
  run_divergent();
  run_sums();
  run_histogram();
  run_images();
  run_places();
  run_twice();
  run_records();
  return is_wrong;
}

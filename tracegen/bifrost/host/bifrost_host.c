/* Runs a plan (host_plan.h) on the first OpenCL device: bifrost_host PLAN DATA. Built for the architecture of the open
 * driver's packages; it finds OpenCL's loader when it runs. */
#include <CL/cl.h>
#include <ctype.h>
#include <dlfcn.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tracegen/bifrost/host/host_plan.h"

#define FUNCTIONS(X)                                                                                                   \
  X(clGetPlatformIDs)                                                                                                  \
  X(clGetDeviceIDs)                                                                                                    \
  X(clCreateContext)                                                                                                   \
  X(clCreateCommandQueue)                                                                                              \
  X(clCreateProgramWithSource)                                                                                         \
  X(clBuildProgram)                                                                                                    \
  X(clGetProgramBuildInfo)                                                                                             \
  X(clCreateKernel)                                                                                                    \
  X(clCreateBuffer)                                                                                                    \
  X(clCreateSubBuffer)                                                                                                 \
  X(clCreateImage)                                                                                                     \
  X(clCreateSampler)                                                                                                   \
  X(clSetKernelArg)                                                                                                    \
  X(clEnqueueNDRangeKernel)                                                                                            \
  X(clEnqueueReadBuffer)                                                                                               \
  X(clEnqueueReadImage)                                                                                                \
  X(clFinish)

static struct {
#define X(name) __typeof__(name) *name;
  FUNCTIONS(X)
#undef X
} cl;

struct object {
  cl_mem memory;
  size_t offset, bytes, width, height;
  bool is_image;
};

struct launch {
  cl_kernel kernel;
  cl_uint dimensions, arguments;
  size_t global[3], local[3], offset[3];
  char name[512];
};

struct host {
  FILE *plan, *data;
  cl_device_id device;
  cl_context context;
  cl_command_queue queue;
  cl_program program;
  char *source;
  struct object objects[PLAN_MAX_OBJECTS];
  size_t object_count;
  struct launch launch; /* whose arguments are being set; no kernel: none */
};

static void stop(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));
static void stop(const char *format, ...) {
  va_list list;
  va_start(list, format);
  vfprintf(stderr, format, list);
  va_end(list);
  fputc('\n', stderr);
  exit(1);
}

/* Returns an explanation of errors that users can correct. */
static const char *error_text(cl_int status) {
  switch (status) {
  case CL_DEVICE_NOT_FOUND:
    return ": the driver finds no GPU";
  case CL_MEM_OBJECT_ALLOCATION_FAILURE:
  case CL_OUT_OF_RESOURCES:
  case CL_OUT_OF_HOST_MEMORY:
    return ": the driver has no room for it";
  case CL_INVALID_KERNEL_NAME:
    return ": the source has no kernel of this name";
  case CL_INVALID_KERNEL_ARGS:
  case CL_INVALID_ARG_INDEX:
  case CL_INVALID_ARG_SIZE:
  case CL_INVALID_ARG_VALUE:
    return ": the arguments of the launch are not those of the kernel";
  case CL_INVALID_WORK_GROUP_SIZE:
  case CL_INVALID_WORK_ITEM_SIZE:
    return ": the GPU takes no work-group of this size (256 work-items at most)";
  case CL_INVALID_BUFFER_SIZE:
  case CL_INVALID_IMAGE_SIZE:
    return ": the GPU takes nothing of this size";
  default:
    return "";
  }
}

static void need(cl_int status, const char *what) {
  if (status != CL_SUCCESS)
    stop("%s failed with OpenCL error %d%s", what, (int)status, error_text(status));
}

static bool is_part_of_name(char c) {
  return isalnum((unsigned char)c) || c == '_';
}

static bool has_word(const char *text, const char *word) {
  const size_t length = strlen(word);
  for (const char *at = strstr(text, word); at; at = strstr(at + 1, word))
    if ((at == text || !is_part_of_name(at[-1])) && !is_part_of_name(at[length]))
      return true;
  return false;
}

static void find_functions(void) {
  void *library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_GLOBAL);
  if (!library)
    stop("%s", dlerror());
#define X(name)                                                                                                        \
  if (!(cl.name = (__typeof__(cl.name))dlsym(library, #name)))                                                         \
    stop("libOpenCL.so.1 has no %s", #name);
  FUNCTIONS(X)
#undef X
}

static void open_device(struct host *h) {
  cl_platform_id platforms[16];
  cl_uint count = 0;
  cl_int status;
  need(cl.clGetPlatformIDs(16, platforms, &count), "looking for a platform");
  status = CL_DEVICE_NOT_FOUND;
  for (cl_uint i = 0; i < count && status != CL_SUCCESS; i++)
    status = cl.clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_GPU, 1, &h->device, NULL);
  need(status, "looking for a GPU");
  h->context = cl.clCreateContext(NULL, 1, &h->device, NULL, NULL, &status);
  need(status, "making a context");
  h->queue = cl.clCreateCommandQueue(h->context, h->device, 0, &status);
  need(status, "making a queue");
}

static void *allocate(size_t bytes) {
  void *memory = calloc(1, bytes ? bytes : 1);
  if (!memory)
    stop("no memory for %zu bytes", bytes);
  return memory;
}

static void read_source(struct host *h, const char *path) {
  FILE *file = fopen(path, "rb");
  long bytes;
  if (!file || fseek(file, 0, SEEK_END) != 0 || (bytes = ftell(file)) < 0)
    stop("%s cannot be read", path);
  rewind(file);
  h->source = allocate((size_t)bytes + 1);
  if (fread(h->source, 1, (size_t)bytes, file) != (size_t)bytes)
    stop("%s cannot be read", path);
  fclose(file);
}

static void build(struct host *h, const char *options) {
  static char log[1 << 16];
  const char *source = h->source;
  cl_int status;
  if (!source)
    stop("the plan has options before its source");
  if (has_word(source, "double"))
    fprintf(stderr, "note: the GPU's driver has no doubles; in kernels of this source, double is float\n");
  h->program = cl.clCreateProgramWithSource(h->context, 1, &source, NULL, &status);
  need(status, "making the program");
  status = cl.clBuildProgram(h->program, 1, &h->device, options, NULL, NULL);
  if (status != CL_SUCCESS) {
    cl.clGetProgramBuildInfo(h->program, h->device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
    stop("the driver does not build the program (OpenCL error %d):\n%s", (int)status, log);
  }
}

static void *read_data(struct host *h, size_t offset, size_t bytes) {
  void *contents = allocate(bytes);
  if (fseek(h->data, (long)offset, SEEK_SET) != 0 || fread(contents, 1, bytes, h->data) != bytes)
    stop("the data file ends early");
  return contents;
}

static struct object *new_object(struct host *h, size_t offset, size_t bytes) {
  struct object *object = &h->objects[h->object_count++];
  if (h->object_count > PLAN_MAX_OBJECTS)
    stop("the plan has too many buffers");
  object->offset = offset;
  object->bytes = bytes;
  return object;
}

static void make_buffer(struct host *h, const char *text) {
  struct object *object;
  size_t offset, bytes;
  cl_int status;
  void *contents;
  if (sscanf(text, "%zu %zu", &offset, &bytes) != 2)
    stop("a line of the plan is not understood: buffer %s", text);
  object = new_object(h, offset, bytes);
  contents = read_data(h, offset, bytes);
  object->memory = cl.clCreateBuffer(h->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes, contents, &status);
  free(contents);
  need(status, "making a buffer");
}

static void make_image(struct host *h, const char *text) {
  cl_image_desc shape = {.image_type = CL_MEM_OBJECT_IMAGE2D};
  cl_image_format format;
  struct object *object;
  size_t offset, bytes;
  cl_int status;
  void *contents;
  if (sscanf(text, "%zu %zu %zu %zu %u %u", &offset, &bytes, &shape.image_width, &shape.image_height,
             &format.image_channel_order, &format.image_channel_data_type) != 6)
    stop("a line of the plan is not understood: image %s", text);
  object = new_object(h, offset, bytes);
  object->is_image = true;
  object->width = shape.image_width;
  object->height = shape.image_height;
  contents = read_data(h, offset, bytes);
  object->memory =
      cl.clCreateImage(h->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, &format, &shape, contents, &status);
  free(contents);
  need(status, "making an image");
}

static void enqueue(struct host *h) {
  struct launch *l = &h->launch;
  if (!l->kernel)
    return;
  need(cl.clEnqueueNDRangeKernel(h->queue, l->kernel, l->dimensions, l->offset, l->global, l->local, 0, NULL, NULL),
       l->name);
  need(cl.clFinish(h->queue), l->name);
  l->kernel = NULL;
}

static void begin_launch(struct host *h, const char *text) {
  struct launch *l = &h->launch;
  cl_int status;
  enqueue(h);
  *l = (struct launch){0};
  if (sscanf(text, "%u %zu %zu %zu %zu %zu %zu %zu %zu %zu %511[^\n]", &l->dimensions, &l->global[0], &l->global[1],
             &l->global[2], &l->local[0], &l->local[1], &l->local[2], &l->offset[0], &l->offset[1], &l->offset[2],
             l->name) != 11)
    stop("a line of the plan is not understood: launch %s", text);
  l->kernel = cl.clCreateKernel(h->program, l->name, &status);
  need(status, l->name);
}

static void set_argument(struct host *h, size_t bytes, const void *value) {
  if (!h->launch.kernel)
    stop("the plan has an argument before its launch");
  need(cl.clSetKernelArg(h->launch.kernel, h->launch.arguments++, bytes, value), "setting an argument");
}

static struct object *find_object(struct host *h, size_t number) {
  if (number >= h->object_count)
    stop("the plan names buffer %zu before it is made", number);
  return &h->objects[number];
}

static void pass_buffer(struct host *h, const char *text) {
  size_t number, offset, span;
  const struct object *object;
  cl_mem memory;
  cl_int status = CL_SUCCESS;
  if (sscanf(text, "%zu %zu %zu", &number, &offset, &span) != 3)
    stop("a line of the plan is not understood: pass %s", text);
  object = find_object(h, number);
  memory = object->memory;
  if (offset || span) {
    const cl_buffer_region region = {offset, span ? span : object->bytes - offset};
    memory = cl.clCreateSubBuffer(memory, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &status);
  }
  need(status, "making a part of a buffer");
  set_argument(h, sizeof memory, &memory);
}

static void pass_value(struct host *h, const char *text) {
  unsigned char value[1024];
  size_t bytes = 0;
  unsigned byte;
  for (; bytes < sizeof value && sscanf(text + 2 * bytes, "%2x", &byte) == 1; bytes++)
    value[bytes] = (unsigned char)byte;
  set_argument(h, bytes, value);
}

static void pass_sampler(struct host *h, const char *text) {
  unsigned normalised, address, filter;
  cl_sampler sampler;
  cl_int status;
  if (sscanf(text, "%u %u %u", &normalised, &address, &filter) != 3)
    stop("a line of the plan is not understood: sampler %s", text);
  sampler = cl.clCreateSampler(h->context, normalised, address, filter, &status);
  need(status, "making a sampler");
  set_argument(h, sizeof sampler, &sampler);
}

static void pass_image(struct host *h, const char *text) {
  set_argument(h, sizeof(cl_mem), &find_object(h, strtoul(text, NULL, 10))->memory);
}

static void pass_local(struct host *h, const char *text) {
  set_argument(h, strtoul(text, NULL, 10), NULL);
}

static void pass_null(struct host *h, const char *text) {
  (void)text;
  set_argument(h, sizeof(cl_mem), NULL);
}

static const struct {
  const char *word;
  void (*run)(struct host *h, const char *rest);
} commands[] = {
    {"source", read_source},  {"options", build},      {"buffer", make_buffer},   {"image", make_image},
    {"launch", begin_launch}, {"null", pass_null},     {"local", pass_local},     {"value", pass_value},
    {"pass", pass_buffer},    {"picture", pass_image}, {"sampler", pass_sampler},
};

static void run_line(struct host *h, char *line) {
  char *rest = line + strcspn(line, " ");
  if (*rest)
    *rest++ = '\0';
  for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
    if (strcmp(line, commands[i].word) == 0) {
      commands[i].run(h, rest);
      return;
    }
  stop("the plan has an unknown command: %s", line);
}

static void write_back(struct host *h, const struct object *object) {
  const size_t origin[3] = {0, 0, 0}, shape[3] = {object->width, object->height, 1};
  void *contents = allocate(object->bytes);
  if (object->is_image)
    need(cl.clEnqueueReadImage(h->queue, object->memory, CL_TRUE, origin, shape, 0, 0, contents, 0, NULL, NULL),
         "reading an image");
  else
    need(cl.clEnqueueReadBuffer(h->queue, object->memory, CL_TRUE, 0, object->bytes, contents, 0, NULL, NULL),
         "reading a buffer");
  if (fseek(h->data, (long)object->offset, SEEK_SET) != 0 ||
      fwrite(contents, 1, object->bytes, h->data) != object->bytes)
    stop("the data file cannot be written");
  free(contents);
}

int main(int argc, char **argv) {
  static struct host h;
  char *line = NULL;
  size_t room = 0;
  if (argc != 3 || !(h.plan = fopen(argv[1], "r")) || !(h.data = fopen(argv[2], "r+b")))
    stop("usage: bifrost_host PLAN DATA");
  find_functions();
  open_device(&h);
  while (getline(&line, &room, h.plan) > 0) {
    line[strcspn(line, "\n")] = '\0';
    run_line(&h, line);
  }
  enqueue(&h);
  for (size_t i = 0; i < h.object_count; i++)
    write_back(&h, &h.objects[i]);
  if (fclose(h.data) != 0)
    stop("the data file cannot be written");
  return 0;
}

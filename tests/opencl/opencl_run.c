#include "opencl_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#define MAX_PLATFORMS    16
#define MAX_SOURCE_BYTES (1u << 20)

struct opencl_session {
  const struct workload *workload;
  char device_name[512];
  cl_device_id device;
  cl_context context;
  cl_command_queue queue;
  cl_mem *buffers;      /* by index of workload->buffers */
  cl_sampler *samplers; /* of all launches, until the end */
  size_t sampler_count;
  cl_program program; /* built last, from program_source */
  char *program_source;
};

static int check_call(cl_int status, const char *call, struct error *error) {
  return status == CL_SUCCESS ? 0 : error_set(error, ERROR_WORK, "%s failed with OpenCL error %d", call, (int)status);
}

static int find_device(struct opencl_session *s, struct error *error) {
  cl_platform_id platforms[MAX_PLATFORMS];
  cl_uint count = 0;
  if (clGetPlatformIDs(MAX_PLATFORMS, platforms, &count) != CL_SUCCESS)
    count = 0;
  for (cl_uint p = 0; p < count && p < MAX_PLATFORMS; p++) {
    if (clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, 1, &s->device, NULL) != CL_SUCCESS)
      continue;
    char platform[128] = "", device[128] = "";
    clGetPlatformInfo(platforms[p], CL_PLATFORM_VERSION, sizeof platform - 1, platform, NULL);
    clGetDeviceInfo(s->device, CL_DEVICE_NAME, sizeof device - 1, device, NULL);
    snprintf(s->device_name, sizeof s->device_name, "%s, %s", device, platform);
    return 0;
  }
  return error_set(error, ERROR_WORK, "no OpenCL device among %u platforms; on Debian: apt-get install pocl-opencl-icd",
                   (unsigned)count);
}

static int open_queue(struct opencl_session *s, struct error *error) {
  cl_int status;
  s->context = clCreateContext(NULL, 1, &s->device, NULL, NULL, &status);
  if (check_call(status, "clCreateContext", error))
    return -1;
  s->queue = clCreateCommandQueue(s->context, s->device, 0, &status);
  return check_call(status, "clCreateCommandQueue", error);
}

static size_t buffer_bytes(const struct workload_buffer *b) {
  return b->count * scalar_type_bytes(b->type);
}

static cl_mem create_image(struct opencl_session *s, const struct workload_buffer *b, void *contents, cl_int *status) {
  const cl_image_format format = {image_order_number((enum image_order)b->format.order),
                                  image_type_number((enum image_type)b->format.type)};
  const enum image_kind kind = (enum image_kind)b->image_kind;
  const cl_mem_flags flags = CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR;
  cl_image_desc description = {.image_type = image_kind_number(kind),
                               .image_width = b->width,
                               .image_height = b->height,
                               .image_depth = b->depth,
                               .image_array_size = kind == IMAGE_1D_ARRAY ? b->height : b->depth};
  if (kind != IMAGE_1D_BUFFER)
    return clCreateImage(s->context, flags, &format, &description, contents, status);
  description.buffer = clCreateBuffer(s->context, flags, buffer_bytes(b), contents, status);
  if (!description.buffer)
    return NULL;
  cl_mem image = clCreateImage(s->context, CL_MEM_READ_WRITE, &format, &description, NULL, status);
  clReleaseMemObject(description.buffer); /* the image keeps it */
  return image;
}

static int create_buffer(struct opencl_session *s, size_t index, struct error *error) {
  const struct workload_buffer *b = &s->workload->buffers[index];
  void *contents = malloc(buffer_bytes(b));
  if (!contents)
    return error_set(error, ERROR_WORK, "out of memory for buffer %s", b->name);
  workload_buffer_fill(b, contents);
  cl_int status;
  s->buffers[index] = b->width ? create_image(s, b, contents, &status)
                               : clCreateBuffer(s->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, buffer_bytes(b),
                                                contents, &status);
  free(contents);
  return check_call(status, b->width ? "clCreateImage" : "clCreateBuffer", error);
}

static int fill_session(struct opencl_session *s, struct error *error) {
  if (find_device(s, error) || open_queue(s, error))
    return -1;
  for (size_t i = 0; i < s->workload->buffer_count; i++)
    if (create_buffer(s, i, error))
      return -1;
  return 0;
}

int opencl_session_open(const struct workload *workload, struct opencl_session **out, struct error *error) {
  struct opencl_session *s = calloc(1, sizeof *s);
  *out = NULL;
  if (s)
    s->buffers = calloc(workload->buffer_count + 1, sizeof *s->buffers);
  if (!s || !s->buffers) {
    free(s);
    return error_no_memory(error);
  }
  s->workload = workload;
  if (fill_session(s, error)) {
    opencl_session_close(s);
    return -1;
  }
  *out = s;
  return 0;
}

static int refill_buffer(struct opencl_session *s, size_t index, struct error *error) {
  const struct workload_buffer *b = &s->workload->buffers[index];
  void *contents = malloc(buffer_bytes(b));
  if (!contents)
    return error_set(error, ERROR_WORK, "out of memory for buffer %s", b->name);
  workload_buffer_fill(b, contents);
  const cl_int status =
      clEnqueueWriteBuffer(s->queue, s->buffers[index], CL_TRUE, 0, buffer_bytes(b), contents, 0, NULL, NULL);
  free(contents);
  return check_call(status, "clEnqueueWriteBuffer", error);
}

int opencl_session_refill(struct opencl_session *s, struct error *error) {
  for (size_t i = 0; i < s->workload->buffer_count; i++)
    if (refill_buffer(s, i, error))
      return -1;
  return 0;
}

static void release_program(struct opencl_session *s) {
  if (s->program)
    clReleaseProgram(s->program);
  free(s->program_source);
  s->program = NULL;
  s->program_source = NULL;
}

void opencl_session_close(struct opencl_session *s) {
  if (!s)
    return;
  for (size_t i = 0; i < s->workload->buffer_count; i++)
    if (s->buffers[i])
      clReleaseMemObject(s->buffers[i]);
  for (size_t i = 0; i < s->sampler_count; i++)
    clReleaseSampler(s->samplers[i]);
  free(s->samplers);
  release_program(s);
  if (s->queue)
    clReleaseCommandQueue(s->queue);
  if (s->context)
    clReleaseContext(s->context);
  free(s->buffers);
  free(s);
}

const char *opencl_session_device(const struct opencl_session *session) {
  return session->device_name;
}

static int report_build(struct opencl_session *s, cl_program program, const char *source, struct error *error) {
  char log[3500] = "";
  size_t length = 0;
  clGetProgramBuildInfo(program, s->device, CL_PROGRAM_BUILD_LOG, 0, NULL, &length);
  if (length < sizeof log)
    clGetProgramBuildInfo(program, s->device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
  return error_at(error, ERROR_WORK, source, 0, 0, NULL, "does not build on %s with options \"%s\":\n%s",
                  s->device_name, s->workload->options, log);
}

/* A compiler may fuse a multiplication into an addition, and PoCL does where the CPU can; the emulator does not. The
 * build options have no word for it, the language has. */
static const char without_contraction[] = "#pragma OPENCL FP_CONTRACT OFF\n#line 1\n";

static int build(struct opencl_session *s, const char *source, cl_program *out, struct error *error) {
  char *text;
  size_t length;
  cl_int status;
  if (file_read(source, MAX_SOURCE_BYTES, &text, &length, error))
    return -1;
  const char *parts[] = {without_contraction, text};
  const size_t lengths[] = {sizeof without_contraction - 1, length};
  *out = clCreateProgramWithSource(s->context, 2, parts, lengths, &status);
  free(text);
  if (check_call(status, "clCreateProgramWithSource", error))
    return -1;
  if (clBuildProgram(*out, 1, &s->device, s->workload->options, NULL, NULL) == CL_SUCCESS)
    return 0;
  report_build(s, *out, source, error);
  clReleaseProgram(*out);
  *out = NULL;
  return -1;
}

/* A vector of three takes the room of four. */
static size_t scalar_bytes(const struct workload_argument *a) {
  return scalar_type_bytes(a->type) * (a->elements == 3 ? 4 : a->elements);
}

static cl_int set_sampler(struct opencl_session *s, cl_kernel kernel, cl_uint index, uint32_t bits) {
  static const cl_addressing_mode modes[] = {CL_ADDRESS_NONE, CL_ADDRESS_CLAMP_TO_EDGE, CL_ADDRESS_CLAMP,
                                             CL_ADDRESS_REPEAT, CL_ADDRESS_MIRRORED_REPEAT};
  cl_sampler *larger = realloc(s->samplers, (s->sampler_count + 1) * sizeof *larger);
  cl_int status = CL_OUT_OF_HOST_MEMORY;
  if (!larger)
    return status;
  s->samplers = larger;
  cl_sampler sampler = clCreateSampler(s->context, bits & SAMPLER_NORMALISED ? CL_TRUE : CL_FALSE,
                                       modes[(bits & SAMPLER_ADDRESS) / SAMPLER_CLAMP_TO_EDGE],
                                       bits & SAMPLER_LINEAR ? CL_FILTER_LINEAR : CL_FILTER_NEAREST, &status);
  if (status != CL_SUCCESS)
    return status;
  s->samplers[s->sampler_count++] = sampler;
  return clSetKernelArg(kernel, index, sizeof sampler, &sampler);
}

static cl_int set_argument(struct opencl_session *s, cl_kernel kernel, cl_uint index,
                           const struct workload_argument *a) {
  if (a->kind == ARGUMENT_SAMPLER)
    return set_sampler(s, kernel, index, a->sampler);
  if (a->kind == ARGUMENT_BUFFER || a->kind == ARGUMENT_IMAGE)
    return clSetKernelArg(kernel, index, sizeof(cl_mem), &s->buffers[a->buffer]);
  if (a->kind == ARGUMENT_NULL)
    return clSetKernelArg(kernel, index, sizeof(cl_mem), NULL);
  if (a->kind == ARGUMENT_LOCAL)
    return clSetKernelArg(kernel, index, a->bytes, NULL);
  return clSetKernelArg(kernel, index, scalar_bytes(a), a->value);
}

static int set_arguments(struct opencl_session *s, cl_kernel kernel, const struct workload_launch *launch,
                         struct error *error) {
  for (size_t i = 0; i < launch->argument_count; i++) {
    const cl_int status = set_argument(s, kernel, (cl_uint)i, &launch->arguments[i]);
    if (status != CL_SUCCESS)
      return error_at(error, ERROR_WORK, s->workload->path, launch->arguments[i].line, launch->arguments[i].column,
                      launch->kernel, "clSetKernelArg of argument %zu failed with OpenCL error %d", i, (int)status);
  }
  return 0;
}

static int enqueue(struct opencl_session *s, cl_kernel kernel, const struct workload_launch *launch,
                   struct error *error) {
  size_t global[3], local[3], offset[3];
  for (int d = 0; d < 3; d++) {
    global[d] = launch->global[d];
    local[d] = launch->local[d];
    offset[d] = launch->offset[d];
  }
  if (check_call(clEnqueueNDRangeKernel(s->queue, kernel, launch->dimensions, offset, global, local, 0, NULL, NULL),
                 "clEnqueueNDRangeKernel", error))
    return -1;
  return check_call(clFinish(s->queue), "clFinish", error);
}

/* Launches of one source share its program. */
static int have_program(struct opencl_session *s, const char *source, struct error *error) {
  if (s->program && strcmp(s->program_source, source) == 0)
    return 0;
  release_program(s);
  if (build(s, source, &s->program, error))
    return -1;
  s->program_source = strdup(source);
  return s->program_source ? 0 : error_no_memory(error);
}

int opencl_session_run(struct opencl_session *s, const char *source, const struct workload_launch *launch,
                       struct error *error) {
  if (have_program(s, source, error))
    return -1;
  cl_int status;
  cl_kernel kernel = clCreateKernel(s->program, launch->kernel, &status);
  int result = check_call(status, "clCreateKernel", error);
  if (!result) {
    result = set_arguments(s, kernel, launch, error) || enqueue(s, kernel, launch, error) ? -1 : 0;
    clReleaseKernel(kernel);
  }
  return result;
}

int opencl_session_read(struct opencl_session *s, size_t buffer, void *memory, struct error *error) {
  const struct workload_buffer *b = &s->workload->buffers[buffer];
  const size_t bytes = buffer_bytes(b), origin[3] = {0}, region[3] = {b->width, b->height, b->depth};
  if (b->width)
    return check_call(
        clEnqueueReadImage(s->queue, s->buffers[buffer], CL_TRUE, origin, region, 0, 0, memory, 0, NULL, NULL),
        "clEnqueueReadImage", error);
  return check_call(clEnqueueReadBuffer(s->queue, s->buffers[buffer], CL_TRUE, 0, bytes, memory, 0, NULL, NULL),
                    "clEnqueueReadBuffer", error);
}

#include "measure/session.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "measure/cold_caches.h"
#include "measure/images.h"

#define MAX_SOURCE_BYTES (1u << 20)

struct built_kernel {
  struct built_kernel *next;
  const char *source, *name; /* borrowed from the workload */
  cl_kernel kernel;
};

struct built_program {
  struct built_program *next;
  const char *source; /* borrowed from the workload */
  cl_program program;
};

struct session {
  const struct opencl_api *api;
  const struct device *device;
  cl_context context; /* NULL until a workload needs it, and after session_end with an error */
  cl_command_queue queue;
  struct cold_caches cold; /* of the context, made when it is first needed */
  cl_sampler samplers[IMAGES_SAMPLERS];
  const struct workload *workload; /* the one that runs, or NULL, with what follows */
  cl_mem *buffers;                 /* [workload->buffer_count] */
  void **contents;                 /* [workload->buffer_count]; NULL for a buffer that a kernel writes first */
  struct built_program *programs;
  struct built_kernel *kernels;
};

static size_t buffer_bytes(const struct workload_buffer *b) {
  return b->count * scalar_type_bytes(b->type);
}

int session_open(const struct opencl_api *api, const struct device *device, struct session **out, struct error *error) {
  struct session *s = calloc(1, sizeof *s);
  if (!s)
    return error_no_memory(error);
  s->api = api;
  s->device = device;
  *out = s;
  return 0;
}

static int open_context(struct session *s, struct error *error) {
  cl_int status = CL_SUCCESS;
  if (!s->context)
    s->context = s->api->clCreateContext(NULL, 1, &s->device->id, NULL, NULL, &status);
  if (opencl_check(status, "clCreateContext", error) != 0)
    return -1;
  if (!s->queue)
    s->queue = s->api->clCreateCommandQueue(s->context, s->device->id, CL_QUEUE_PROFILING_ENABLE, &status);
  return opencl_check(status, "clCreateCommandQueue", error);
}

static void close_context(struct session *s) {
  cold_caches_release(&s->cold, s->api);
  samplers_release(s->api, s->samplers);
  memset(s->samplers, 0, sizeof s->samplers);
  if (s->queue)
    s->api->clReleaseCommandQueue(s->queue);
  if (s->context)
    s->api->clReleaseContext(s->context);
  s->queue = NULL;
  s->context = NULL;
}

static int make_buffer(struct session *s, size_t i, struct error *error) {
  const struct workload_buffer *b = &s->workload->buffers[i];
  cl_int status;
  s->buffers[i] = b->width > 0 ? image_create(s->api, s->context, b, &status)
                               : s->api->clCreateBuffer(s->context, CL_MEM_READ_WRITE, buffer_bytes(b), NULL, &status);
  if (opencl_check(status, b->width > 0 ? "clCreateImage" : "clCreateBuffer", error) != 0)
    return -1;
  if (b->init == INIT_NONE)
    return 0;
  s->contents[i] = malloc(buffer_bytes(b));
  if (!s->contents[i])
    return error_set(error, ERROR_WORK, "out of memory for buffer %s", b->name);
  workload_buffer_fill(b, s->contents[i]);
  return 0;
}

int session_begin(struct session *s, const struct workload *workload, struct error *error) {
  s->workload = workload;
  s->buffers = calloc(workload->buffer_count + 1, sizeof *s->buffers);
  s->contents = calloc(workload->buffer_count + 1, sizeof *s->contents);
  if (!s->buffers || !s->contents)
    return error_no_memory(error);
  if (open_context(s, error) != 0)
    return -1;
  for (size_t i = 0; i < workload->buffer_count; i++)
    if (make_buffer(s, i, error) != 0)
      return -1;
  return 0;
}

static void close_kernels(struct session *s) {
  for (struct built_kernel *k = s->kernels, *next; k; k = next) {
    next = k->next;
    s->api->clReleaseKernel(k->kernel);
    free(k);
  }
  for (struct built_program *p = s->programs, *next; p; p = next) {
    next = p->next;
    s->api->clReleaseProgram(p->program);
    free(p);
  }
  s->kernels = NULL;
  s->programs = NULL;
}

void session_end(struct session *s, bool failed) {
  close_kernels(s);
  for (size_t i = 0; s->workload && i < s->workload->buffer_count; i++) {
    if (s->buffers && s->buffers[i])
      s->api->clReleaseMemObject(s->buffers[i]);
    if (s->contents)
      free(s->contents[i]);
  }
  free(s->buffers);
  free(s->contents);
  s->buffers = NULL;
  s->contents = NULL;
  s->workload = NULL;
  if (failed)
    close_context(s);
}

void session_close(struct session *s) {
  if (!s)
    return;
  session_end(s, true);
  free(s);
}

int session_fill(struct session *s, struct error *error) {
  for (size_t i = 0; i < s->workload->buffer_count; i++) {
    const struct workload_buffer *b = &s->workload->buffers[i];
    if (!s->contents[i])
      continue;
    const cl_int status = b->width > 0 ? image_write(s->api, s->queue, s->buffers[i], b, s->contents[i])
                                       : s->api->clEnqueueWriteBuffer(s->queue, s->buffers[i], CL_TRUE, 0,
                                                                      buffer_bytes(b), s->contents[i], 0, NULL, NULL);
    if (opencl_check(status, b->width > 0 ? "clEnqueueWriteImage" : "clEnqueueWriteBuffer", error) != 0)
      return -1;
  }
  return 0;
}

int session_empty_caches(struct session *s, struct error *error) {
  if (!s->cold.kernel && cold_caches_make(&s->cold, s->api, s->device, s->context, error) != 0)
    return -1;
  return cold_caches_read(&s->cold, s->api, s->queue, error);
}

static int report_build(struct session *s, cl_program program, const char *source, struct error *error) {
  char log[3000] = "";
  s->api->clGetProgramBuildInfo(program, s->device->id, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
  return error_at(error, ERROR_WORK, source, 0, 0, NULL, "%s does not build it with options \"%s\":\n%s",
                  s->device->name, s->workload->options, log);
}

static int build(struct session *s, const char *source, cl_program *out, struct error *error) {
  char *text;
  size_t length;
  cl_int status;
  if (file_read(source, MAX_SOURCE_BYTES, &text, &length, error) != 0)
    return -1;
  const char *const_text = text;
  *out = s->api->clCreateProgramWithSource(s->context, 1, &const_text, &length, &status);
  free(text);
  if (opencl_check(status, "clCreateProgramWithSource", error) != 0)
    return -1;
  if (s->api->clBuildProgram(*out, 1, &s->device->id, s->workload->options, NULL, NULL) == CL_SUCCESS)
    return 0;
  report_build(s, *out, source, error);
  s->api->clReleaseProgram(*out);
  return -1;
}

static int find_program(struct session *s, const char *source, cl_program *out, struct error *error) {
  for (const struct built_program *p = s->programs; p; p = p->next)
    if (strcmp(p->source, source) == 0) {
      *out = p->program;
      return 0;
    }
  struct built_program *p = malloc(sizeof *p);
  if (!p)
    return error_no_memory(error);
  *p = (struct built_program){.next = s->programs, .source = source};
  if (build(s, source, &p->program, error) != 0) {
    free(p);
    return -1;
  }
  s->programs = p;
  *out = p->program;
  return 0;
}

static int find_kernel(struct session *s, const char *source, const char *name, cl_kernel *out, struct error *error) {
  for (const struct built_kernel *k = s->kernels; k; k = k->next)
    if (strcmp(k->source, source) == 0 && strcmp(k->name, name) == 0) {
      *out = k->kernel;
      return 0;
    }
  cl_program program = NULL;
  cl_int status;
  if (find_program(s, source, &program, error) != 0)
    return -1;
  struct built_kernel *k = malloc(sizeof *k);
  if (!k)
    return error_no_memory(error);
  *k = (struct built_kernel){.next = s->kernels, .source = source, .name = name};
  k->kernel = s->api->clCreateKernel(program, name, &status);
  if (opencl_check(status, "clCreateKernel", error) != 0) {
    free(k);
    return -1;
  }
  s->kernels = k;
  *out = k->kernel;
  return 0;
}

/* Returns the bytes of a scalar argument; a vector of three takes the room of four. */
static size_t scalar_bytes(const struct workload_argument *a) {
  return scalar_type_bytes(a->type) * (a->elements == 3 ? 4 : a->elements);
}

static cl_int set_sampler(struct session *s, cl_kernel kernel, cl_uint index, uint32_t bits) {
  cl_sampler sampler = NULL;
  const cl_int status = sampler_find(s->api, s->context, s->samplers, bits, &sampler);
  return status == CL_SUCCESS ? s->api->clSetKernelArg(kernel, index, sizeof sampler, &sampler) : status;
}

static cl_int set_argument(struct session *s, cl_kernel kernel, cl_uint index, const struct workload_argument *a) {
  switch (a->kind) {
  case ARGUMENT_BUFFER:
  case ARGUMENT_IMAGE:
    return s->api->clSetKernelArg(kernel, index, sizeof(cl_mem), &s->buffers[a->buffer]);
  case ARGUMENT_NULL:
    return s->api->clSetKernelArg(kernel, index, sizeof(cl_mem), NULL);
  case ARGUMENT_LOCAL:
    return s->api->clSetKernelArg(kernel, index, a->bytes, NULL);
  case ARGUMENT_SAMPLER:
    return set_sampler(s, kernel, index, a->sampler);
  case ARGUMENT_SCALAR:
    return s->api->clSetKernelArg(kernel, index, scalar_bytes(a), a->value);
  }
  return CL_INVALID_ARG_VALUE;
}

static int set_arguments(struct session *s, cl_kernel kernel, const struct workload_launch *launch,
                         struct error *error) {
  for (size_t i = 0; i < launch->argument_count; i++)
    if (opencl_check(set_argument(s, kernel, (cl_uint)i, &launch->arguments[i]), "clSetKernelArg", error) != 0)
      return error_at(error, ERROR_WORK, s->workload->path, launch->arguments[i].line, launch->arguments[i].column,
                      launch->kernel, "argument %zu", i);
  return 0;
}

static int time_of(struct session *s, cl_event event, double *ns, struct error *error) {
  cl_ulong start = 0, end = 0;
  if (opencl_check(s->api->clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL),
                   "clGetEventProfilingInfo", error) != 0 ||
      opencl_check(s->api->clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL),
                   "clGetEventProfilingInfo", error) != 0)
    return -1;
  if (end <= start)
    return error_set(error, ERROR_WORK, "the device's profiling events say that the kernel ended before it began");
  *ns = (double)(end - start);
  return 0;
}

static int launch_and_wait(struct session *s, cl_kernel kernel, const struct workload_launch *launch, double *ns,
                           struct error *error) {
  size_t global[3], local[3], offset[3];
  for (int d = 0; d < 3; d++) {
    global[d] = launch->global[d];
    local[d] = launch->local[d];
    offset[d] = launch->offset[d];
  }
  cl_event event;
  if (opencl_check(
          s->api->clEnqueueNDRangeKernel(s->queue, kernel, launch->dimensions, offset, global, local, 0, NULL, &event),
          "clEnqueueNDRangeKernel", error) != 0)
    return -1;
  int status = opencl_check(s->api->clFinish(s->queue), "clFinish", error);
  if (status == 0)
    status = time_of(s, event, ns, error);
  s->api->clReleaseEvent(event);
  return status;
}

int session_run(struct session *s, const char *source, const struct workload_launch *launch, double *ns,
                struct error *error) {
  cl_kernel kernel = NULL;
  if (find_kernel(s, source, launch->kernel, &kernel, error) != 0 || set_arguments(s, kernel, launch, error) != 0)
    return -1;
  return launch_and_wait(s, kernel, launch, ns, error);
}

int session_read(struct session *s, size_t buffer, void *memory, struct error *error) {
  const struct workload_buffer *b = &s->workload->buffers[buffer];
  if (b->width > 0)
    return opencl_check(image_read(s->api, s->queue, s->buffers[buffer], b, memory), "clEnqueueReadImage", error);
  return opencl_check(s->api->clEnqueueReadBuffer(s->queue, s->buffers[buffer], CL_TRUE, 0,
                                                  buffer_bytes(&s->workload->buffers[buffer]), memory, 0, NULL, NULL),
                      "clEnqueueReadBuffer", error);
}

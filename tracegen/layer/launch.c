#include "layer/launch.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "layer/contents.h"
#include "layer/describe.h"
#include "layer/log.h"
#include "layer/written.h"

#define MAX_QUEUES 256
#define WANTED_ITEMS                                                                                                   \
  64 /* of a work-group that the program leaves to OpenCL: assumed, one NVIDIA or two Bifrost warps and more */
#define UNLIMITED_END UINT64_MAX

static struct {
  const char *kernel; /* NULL: all */
  uint64_t first, last, most, bytes;
  bool after; /* also keep what the launch leaves in its buffers */
} wanted;

static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
static double last_end_s;
static atomic_int open_user_events;

static uint64_t setting(const char *name, uint64_t otherwise) {
  const char *text = getenv(name);
  return text && *text ? strtoull(text, NULL, 10) : otherwise;
}

void launch_settings(void) {
  const char *kernel = getenv("REASSEMBLE_CAPTURE_KERNEL");
  wanted.kernel = kernel && *kernel ? kernel : NULL;
  wanted.first = setting("REASSEMBLE_CAPTURE_FIRST", 0);
  wanted.last = setting("REASSEMBLE_CAPTURE_LAST", UNLIMITED_END);
  wanted.most = setting("REASSEMBLE_CAPTURE_MOST", UNLIMITED_END);
  wanted.bytes = setting("REASSEMBLE_CAPTURE_BYTES", UNLIMITED_END);
  wanted.after = setting("REASSEMBLE_CAPTURE_AFTER", 1) != 0;
}

void launch_user_event(int change) {
  atomic_fetch_add(&open_user_events, change);
}

static bool skip(struct capture *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool skip(struct capture *c, const char *format, ...) {
  va_list list;
  va_start(list, format);
  vsnprintf(c->reason, sizeof c->reason, format, list);
  va_end(list);
  return false;
}

/* What can be said before anything is read. */

static void add_root(struct capture *c, struct memory_record *root) {
  for (size_t i = 0; i < c->root_count; i++)
    if (c->roots[i] == root)
      return;
  c->roots[c->root_count++] = root;
}

static bool check_argument(struct capture *c, cl_uint i) {
  const struct argument_record *a = &c->kernel.arguments[i];
  switch (a->state) {
  case ARGUMENT_BYTES:
  case ARGUMENT_ROOM:
  case ARGUMENT_SAMPLER:
    return true;
  case ARGUMENT_UNSET:
    return skip(c, "argument %u was never set", i);
  case ARGUMENT_NULL:
    return skip(c, "argument %u is a null buffer", i);
  case ARGUMENT_OTHER:
    return skip(c, "argument %u is %s", i, a->other);
  case ARGUMENT_MEMORY:
    break;
  }
  if (strcmp(a->memory->kind, "buffer") != 0 && strcmp(a->memory->kind, "image") != 0)
    return skip(c, "argument %u is %s", i, a->memory->kind);
  if (a->memory->references == 0)
    return skip(c, "argument %u is a memory object that was released", i);
  add_root(c, root_of(a->memory));
  return true;
}

static bool passes_filters(struct capture *c) {
  if (wanted.kernel && strcmp(wanted.kernel, c->kernel.name) != 0)
    return skip(c, "--kernel %s leaves it out", wanted.kernel);
  if (c->index < wanted.first || c->index > wanted.last)
    return skip(c, "--launch leaves it out");
  if (atomic_load(&log_control()->ended) >= wanted.most)
    return skip(c, "--most %" PRIu64 " launches were captured before", wanted.most);
  return true;
}

static bool has_source(struct capture *c) {
  const struct program_record *p = c->kernel.program;
  if (!p || !p->source)
    return skip(c, "%s", p && p->reason ? p->reason : "its program is not known");
  return true;
}

static bool can_capture(struct capture *c) {
  if (!passes_filters(c) || !has_source(c))
    return false;
  if (c->kernel.argument_count > MAX_ARGUMENTS)
    return skip(c, "it has %u arguments; at most %d are supported", c->kernel.argument_count, MAX_ARGUMENTS);
  for (cl_uint i = 0; i < c->kernel.argument_count; i++)
    if (!check_argument(c, i))
      return false;
  if (atomic_load(&open_user_events) > 0)
    return skip(c, "it was enqueued before a user event was set; what it will read is not known yet");
  return true;
}

/* The range. */

static void choose_local(struct capture *c, cl_device_id device) {
  size_t required[3] = {0}, room = WANTED_ITEMS;
  below->clGetKernelWorkGroupInfo(c->launch->kernel, device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof required,
                                  required, NULL);
  c->chose_local = true;
  for (unsigned d = 0; d < 3; d++) {
    size_t size = required[0] ? required[d] : room;
    while (!required[0] && c->global[d] % size)
      size--;
    c->local[d] = size;
    room /= size < room ? size : room;
  }
}

/* False: OpenCL will refuse the launch; nothing to capture. */
static bool read_range(struct capture *c) {
  const struct launch *l = c->launch;
  cl_device_id device = NULL;
  if (l->dimensions < 1 || l->dimensions > 3 || !l->global)
    return skip(c, "its range is not valid");
  for (unsigned d = 0; d < 3; d++) {
    c->global[d] = d < l->dimensions ? l->global[d] : 1;
    c->offset[d] = d < l->dimensions && l->offset ? l->offset[d] : 0;
    c->local[d] = d < l->dimensions && l->local ? l->local[d] : 1;
    if (c->global[d] == 0 || c->local[d] == 0)
      return skip(c, "its range is empty");
  }
  below->clGetCommandQueueInfo(l->queue, CL_QUEUE_DEVICE, sizeof device, &device, NULL);
  if (!l->local)
    choose_local(c, device);
  return true;
}

/* Waiting and reading. */

static bool open_reader(struct capture *c) {
  cl_device_id device;
  cl_int status;
  if (below->clGetCommandQueueInfo(c->launch->queue, CL_QUEUE_CONTEXT, sizeof c->context, &c->context, NULL) ||
      below->clGetCommandQueueInfo(c->launch->queue, CL_QUEUE_DEVICE, sizeof device, &device, NULL))
    return skip(c, "its queue is not valid");
  c->reader = below->clCreateCommandQueue(c->context, device, 0, &status);
  return status == CL_SUCCESS || skip(c, "no queue to read its buffers with: OpenCL error %d", status);
}

/* Everything that was enqueued before, in whatever order the queues run it. */
static void wait_for_context(struct capture *c) {
  cl_command_queue queues[MAX_QUEUES];
  records_lock();
  const size_t count = queues_of(c->context, queues, MAX_QUEUES);
  for (size_t i = 0; i < count; i++)
    below->clRetainCommandQueue(queues[i]);
  records_unlock();
  for (size_t i = 0; i < count; i++)
    below->clFlush(queues[i]);
  if (c->launch->wait_count && c->launch->wait_list)
    below->clWaitForEvents(c->launch->wait_count, c->launch->wait_list);
  for (size_t i = 0; i < count; i++) {
    below->clFinish(queues[i]);
    below->clReleaseCommandQueue(queues[i]);
  }
}

static bool fits(struct capture *c) {
  uint64_t bytes = 0, left;
  for (size_t i = 0; i < c->root_count; i++)
    bytes += c->roots[i]->bytes * (wanted.after ? 2 : 1);
  return room_wait(bytes, wanted.bytes, &left) ||
         skip(c, "its buffers need %" PRIu64 " bytes; %" PRIu64 " of %" PRIu64 " are left", bytes, left, wanted.bytes);
}

static bool save_buffer(struct capture *c, struct memory_record *root) {
  cl_int status = CL_SUCCESS;
  switch (content_save(root, c->reader, &status)) {
  case CONTENT_SAVED:
    return true;
  case CONTENT_NO_MEMORY:
    return skip(c, "no memory for a copy of %" PRIu64 " bytes", root->bytes);
  case CONTENT_NOT_READ:
    return skip(c, "buffer %" PRIu64 " cannot be read: OpenCL error %d", root->id, status);
  case CONTENT_NOT_WRITTEN:
    break;
  }
  return skip(c, "buffer %" PRIu64 " cannot be written to the capture's folder", root->id);
}

static bool save_buffers(struct capture *c) {
  for (size_t i = 0; i < c->root_count; i++)
    if (!save_buffer(c, c->roots[i]))
      return false;
  return true;
}

static bool save_program(struct capture *c) {
  struct program_record *p = c->kernel.program;
  char name[64];
  snprintf(name, sizeof name, "program-%" PRIu64 ".cl", p->id);
  if (!p->saved && !log_file(name, p->source, strlen(p->source)))
    return skip(c, "its source cannot be written to the capture's folder");
  p->saved = true;
  return true;
}

static bool save_inputs(struct capture *c) {
  if (!fits(c) || !open_reader(c))
    return false;
  wait_for_context(c);
  return save_program(c) && save_buffers(c);
}

/* The launch. */

static cl_int forward(const struct capture *c) {
  const struct launch *l = c->launch;
  return below->clEnqueueNDRangeKernel(l->queue, l->kernel, l->dimensions, l->offset, l->global,
                                       c->chose_local ? c->local : l->local, l->wait_count, l->wait_list, l->event);
}

static cl_int run_captured(struct capture *c) {
  const cl_int status = forward(c);
  const cl_int finished = status == CL_SUCCESS ? below->clFinish(c->launch->queue) : status;
  const bool after = finished == CL_SUCCESS && wanted.after && save_buffers(c);
  log_line(json_pack("{s:s, s:I, s:i, s:o*}", "event", "done", "index", (json_int_t)c->index, "status", (int)finished,
                     "after", after ? describe_contents(c) : NULL));
  atomic_fetch_add(&log_control()->ended, 1);
  return status;
}

static bool identify(struct capture *c) {
  records_lock();
  const struct kernel_record *kernel = kernel_find(c->launch->kernel);
  if (kernel)
    c->kernel = *kernel;
  const bool captures = !kernel ? skip(c, "its kernel is not known") : can_capture(c);
  records_unlock();
  return captures;
}

/* Nobody will see what this launch writes. */
static void count_as_written(const struct capture *c) {
  records_lock();
  if (!c->kernel.name)
    written_everything();
  for (cl_uint i = 0; i < c->kernel.argument_count && i < MAX_ARGUMENTS; i++)
    if (c->kernel.arguments[i].state == ARGUMENT_MEMORY)
      written_all(root_of(c->kernel.arguments[i].memory));
  records_unlock();
}

cl_int launch_run(const struct launch *launch) {
  struct capture *c = calloc(1, sizeof *c);
  if (!c)
    return CL_OUT_OF_HOST_MEMORY;
  pthread_mutex_lock(&one_at_a_time);
  const double start_s = log_clock();
  c->launch = launch;
  c->index = atomic_fetch_add(&log_control()->launches, 1);
  const bool taken = read_range(c) && identify(c) && save_inputs(c) && describe_launch(c, start_s, last_end_s);
  if (!taken) {
    c->chose_local = false;
    count_as_written(c);
    describe_launch(c, start_s, last_end_s);
  }
  const cl_int status = taken ? run_captured(c) : forward(c);
  if (c->reader)
    below->clReleaseCommandQueue(c->reader);
  last_end_s = log_clock();
  pthread_mutex_unlock(&one_at_a_time);
  free(c);
  return status;
}

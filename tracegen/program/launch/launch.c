#include "tracegen/program/launch/launch.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "tracegen/program/launch/describe.h"
#include "tracegen/program/launch/deferred_launch.h"
#include "tracegen/program/launch/initialised_bytes.h"
#include "tracegen/program/launch/log.h"
#include "tracegen/program/launch/repeated_launch.h"
#include "tracegen/program/launch/snapshot.h"
#include "tracegen/program/work_group_choice.h"

#define UNLIMITED_END UINT64_MAX

static struct {
  const char *kernel; /* NULL: all */
  uint64_t first, last, most;
} wanted;

static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
static double last_end_s;
static _Thread_local uint64_t last_index;

uint64_t launch_setting(const char *name, uint64_t otherwise) {
  const char *text = getenv(name);
  return text && *text ? strtoull(text, NULL, 10) : otherwise;
}

void launch_settings(void) {
  const char *kernel = getenv("REASSEMBLE_CAPTURE_KERNEL");
  wanted.kernel = kernel && *kernel ? kernel : NULL;
  wanted.first = launch_setting("REASSEMBLE_CAPTURE_FIRST", 0);
  wanted.last = launch_setting("REASSEMBLE_CAPTURE_LAST", UNLIMITED_END);
  wanted.most = launch_setting("REASSEMBLE_CAPTURE_MOST", UNLIMITED_END);
  snapshot_settings();
}

uint64_t launch_last_index(void) {
  return last_index;
}

void launch_lock(void) {
  pthread_mutex_lock(&one_at_a_time);
}

void launch_unlock(void) {
  pthread_mutex_unlock(&one_at_a_time);
}

/* Checks what can be checked before anything is read. */

static void add_root(struct captured_launch *c, struct memory_record *root) {
  for (size_t i = 0; i < c->root_count; i++)
    if (c->roots[i] == root)
      return;
  c->roots[c->root_count++] = root;
}

static bool check_argument(struct captured_launch *c, cl_uint i) {
  const struct argument_record *a = &c->kernel.arguments[i];
  switch (a->state) {
  case ARGUMENT_BYTES:
  case ARGUMENT_ROOM:
  case ARGUMENT_SAMPLER:
    return true;
  case ARGUMENT_UNSET:
    return launch_skip(c, "argument %u was never set", i);
  case ARGUMENT_NULL: /* a null pointer to the kernel */
    return strncmp(a->type, "image", 5) ? true : launch_skip(c, "argument %u is a null image", i);
  case ARGUMENT_OTHER:
    return launch_skip(c, "argument %u is %s", i, a->other);
  case ARGUMENT_MEMORY:
    break;
  }
  if (strcmp(a->memory->kind, "buffer") != 0 && strcmp(a->memory->kind, "image") != 0)
    return launch_skip(c, "argument %u is %s", i, a->memory->kind);
  if (a->memory->references == 0)
    return launch_skip(c, "argument %u is a memory object that was released", i);
  add_root(c, whole_buffer(a->memory));
  return true;
}

static bool passes_filters(struct captured_launch *c) {
  if (wanted.kernel && strcmp(wanted.kernel, c->kernel.name) != 0)
    return launch_skip(c, "--kernel %s leaves it out", wanted.kernel);
  if (c->index < wanted.first || c->index > wanted.last)
    return launch_skip(c, "--launch leaves it out");
  if (atomic_load(&log_control()->ended) + deferred_count() >= wanted.most)
    return launch_skip(c, "--most %" PRIu64 " launches were captured before", wanted.most);
  return true;
}

static bool has_source(struct captured_launch *c) {
  const struct program_record *p = c->kernel.program;
  if (!p || !p->source)
    return launch_skip(c, "%s",
                       p && p->reason ? p->reason : "its program is not known; was there no memory to note it?");
  return true;
}

static bool can_capture(struct captured_launch *c) {
  if (!passes_filters(c) || !has_source(c))
    return false;
  if (c->kernel.argument_count > MAX_ARGUMENTS)
    return launch_skip(c, "it has %u arguments; at most %d are supported", c->kernel.argument_count, MAX_ARGUMENTS);
  if (c->kernel.follows_pointers)
    return launch_skip(c, "it follows pointers in shared virtual memory (clSetKernelExecInfo)");
  for (cl_uint i = 0; i < c->kernel.argument_count; i++)
    if (!check_argument(c, i))
      return false;
  return true;
}

/* The range. */

void launch_choose_local(cl_kernel kernel, cl_device_id device, const size_t global[3], size_t local[3]) {
  size_t required[3] = {0};
  below->clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof required, required, NULL);
  work_group_choose(required, global, local);
}

/* Returns false when OpenCL will refuse the launch, so that there is nothing to capture. */
static bool read_range(struct captured_launch *c) {
  const struct launch *l = c->launch;
  cl_device_id device = NULL;
  if (l->dimensions < 1 || l->dimensions > 3 || !l->global)
    return launch_skip(c, "its range is not valid");
  for (unsigned d = 0; d < 3; d++) {
    c->global[d] = d < l->dimensions ? l->global[d] : 1;
    c->offset[d] = d < l->dimensions && l->offset ? l->offset[d] : 0;
    c->local[d] = d < l->dimensions && l->local ? l->local[d] : 1;
    if (c->global[d] == 0 || c->local[d] == 0)
      return launch_skip(c, "its range is empty");
  }
  below->clGetCommandQueueInfo(l->queue, CL_QUEUE_DEVICE, sizeof device, &device, NULL);
  c->chose_local = !l->local;
  if (c->chose_local)
    launch_choose_local(l->kernel, device, c->global, c->local);
  return true;
}

/* Waiting and reading. */

/* Waits for everything that was enqueued before, whatever the order of the queues. */
static bool wait_for_context(struct captured_launch *c) {
  records_lock();
  const size_t count = queues_of(c->context, NULL, 0);
  cl_command_queue *queues = malloc((count + 1) * sizeof *queues);
  if (queues)
    queues_of(c->context, queues, count);
  for (size_t i = 0; queues && i < count; i++)
    below->clRetainCommandQueue(queues[i]);
  records_unlock();
  if (!queues)
    return launch_skip(c, "no memory for a list of %zu queues", count);
  for (size_t i = 0; i < count; i++)
    below->clFlush(queues[i]);
  if (c->launch->wait_count && c->launch->wait_list)
    below->clWaitForEvents(c->launch->wait_count, c->launch->wait_list);
  for (size_t i = 0; i < count; i++) {
    below->clFinish(queues[i]);
    below->clReleaseCommandQueue(queues[i]);
  }
  free(queues);
  return true;
}

static bool reach_turn(struct captured_launch *c) {
  if (!snapshot_open(c))
    return false;
  snapshot_note_writes(c);
  return wait_for_context(c);
}

static bool save_inputs(struct captured_launch *c) {
  if (!snapshot_has_room(c) || !snapshot_save_inputs(c) || !describe_launch(c))
    return false;
  repeated_launch_keep(c);
  return true;
}

/* The launch. */

cl_int launch_forward(const struct captured_launch *c, cl_uint wait_count, const cl_event *wait_list, cl_event *event) {
  const struct launch *l = c->launch;
  return below->clEnqueueNDRangeKernel(l->queue, l->kernel, l->dimensions, l->offset, l->global,
                                       c->chose_local ? c->local : l->local, wait_count, wait_list, event);
}

static cl_int forward(const struct captured_launch *c) {
  return launch_forward(c, c->launch->wait_count, c->launch->wait_list, c->launch->event);
}

void launch_has_ended(struct captured_launch *c, cl_int status) {
  const bool succeeded = status == CL_SUCCESS;
  const bool after = !c->repeats && snapshot_save_outputs(c, succeeded);
  if (c->repeats)
    repeated_launch_ended(c, succeeded);
  log_line(json_pack("{s:s, s:I, s:i, s:o*}", "event", "done", "index", (json_int_t)c->index, "status", (int)status,
                     "after", after ? describe_contents(c) : NULL));
  atomic_fetch_add(&log_control()->ended, 1);
}

static cl_int run_captured(struct captured_launch *c) {
  const cl_int status = forward(c);
  launch_has_ended(c, status == CL_SUCCESS ? below->clFinish(c->launch->queue) : status);
  return status;
}

/* Leaves out the room for arguments that the kernel does not have. */
static void copy_kernel(struct kernel_record *to, const struct kernel_record *from) {
  const size_t count = from->argument_count < MAX_ARGUMENTS ? from->argument_count : MAX_ARGUMENTS;
  memcpy(to, from, offsetof(struct kernel_record, arguments) + count * sizeof from->arguments[0]);
}

static bool identify(struct captured_launch *c) {
  records_lock();
  const struct kernel_record *kernel = kernel_find(c->launch->kernel);
  if (kernel)
    copy_kernel(&c->kernel, kernel);
  const bool captures =
      !kernel ? launch_skip(c, "its kernel is not known; was there no memory to note it?") : can_capture(c);
  records_unlock();
  return captures;
}

/* The reader will not see what this launch writes, so all its arguments count as initialised, and as written. */
static void count_as_initialised(const struct captured_launch *c) {
  records_lock();
  if (!c->kernel.name || c->kernel.argument_count > MAX_ARGUMENTS)
    initialised_everything();
  for (cl_uint i = 0; i < c->kernel.argument_count && i < MAX_ARGUMENTS; i++)
    if (c->kernel.arguments[i].state == ARGUMENT_MEMORY)
      initialised_all(whole_buffer(c->kernel.arguments[i].memory));
  records_unlock();
}

void launch_is_not_captured(const struct captured_launch *c) {
  count_as_initialised(c);
  describe_launch(c);
}

void launch_free(struct captured_launch *c) {
  if (c->reader)
    below->clReleaseCommandQueue(c->reader);
  free(c);
}

/* Runs the launch and frees *c, or hands it to a deferred launch. */
static cl_int run(struct captured_launch *c) {
  cl_int status;
  bool taken = read_range(c) && identify(c);
  if (taken && deferred_is_needed()) {
    if (deferred_launch_start(c, &status))
      return status;
    taken = false;
  }
  taken = taken && reach_turn(c);
  c->repeats = taken && repeated_launch_find(c);
  taken = taken && (c->repeats ? describe_launch(c) : save_inputs(c));
  if (!taken) {
    c->chose_local = false;
    launch_is_not_captured(c);
  }
  status = taken ? run_captured(c) : forward(c);
  launch_free(c);
  return status;
}

cl_int launch_run(const struct launch *launch) {
  struct captured_launch *c = calloc(1, sizeof *c);
  if (!c)
    return CL_OUT_OF_HOST_MEMORY;
  launch_lock();
  c->launch = launch;
  c->start_s = log_clock();
  c->last_end_s = last_end_s;
  c->index = last_index = atomic_fetch_add(&log_control()->launches, 1);
  const cl_int status = run(c);
  last_end_s = log_clock();
  launch_unlock();
  return status;
}

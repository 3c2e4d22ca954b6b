#include "tracegen/program/launch/deferred_launch.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/opencl_status.h"
#include "tracegen/program/launch/log.h"
#include "tracegen/program/launch/snapshot.h"

#define MOST_DEFERRED 64 /* each has a thread; assumed to be enough */

struct deferred {
  struct captured_launch *capture;
  struct launch launch; /* a copy; what its pointers lead to is gone when the program's call has returned */
  cl_mem written;       /* a buffer of one byte, the layer's own */
  cl_event turn, gate, ran, seen;
};

static atomic_int open_user_events;
static atomic_uint count;

void deferred_count_user_event(int change) {
  atomic_fetch_add(&open_user_events, change);
}

bool deferred_is_needed(void) {
  return atomic_load(&open_user_events) > 0 || atomic_load(&count) > 0;
}

unsigned deferred_count(void) {
  return atomic_load(&count);
}

static void release_event(cl_event event) {
  if (event)
    below->clReleaseEvent(event);
}

/* Keeps what the launch needs, which the program may release meanwhile. */
static void retain_all(const struct deferred *h) {
  below->clRetainCommandQueue(h->launch.queue);
  for (size_t i = 0; i < h->capture->root_count; i++)
    below->clRetainMemObject(h->capture->roots[i]->handle);
}

/* `failed`: one of the commands failed, or what they waited for. The events of these are not released: PoCL 3.1 still
 * uses an event that failed after it has woken those that wait for it, and aborts the program when it was released. */
static void let_go(struct deferred *h, bool failed) {
  struct captured_launch *c = h->capture;
  for (size_t i = 0; i < c->root_count; i++)
    below->clReleaseMemObject(c->roots[i]->handle);
  below->clReleaseCommandQueue(h->launch.queue);
  release_event(h->gate);
  release_event(h->seen);
  if (!failed) {
    release_event(h->turn);
    release_event(h->ran);
  }
  if (h->written)
    below->clReleaseMemObject(h->written);
}

/* Enqueues a command without effect. A marker would not do: PoCL's waits for all commands before it even in queues that
 * have no order. */
static cl_int write_byte(const struct deferred *h, cl_uint wait_count, const cl_event *wait_list, cl_event *event) {
  static const char byte;
  return below->clEnqueueWriteBuffer(h->launch.queue, h->written, CL_FALSE, 0, 1, &byte, wait_count, wait_list, event);
}

static bool prepare(struct deferred *h) {
  struct captured_launch *c = h->capture;
  cl_int status;
  if (!snapshot_open(c))
    return false;
  h->written = below->clCreateBuffer(c->context, CL_MEM_READ_WRITE, 1, NULL, &status);
  if (h->written)
    h->gate = below->clCreateUserEvent(c->context, &status);
  if (h->gate)
    h->seen = below->clCreateUserEvent(c->context, &status);
  if (h->seen)
    status = write_byte(h, h->launch.wait_count, h->launch.wait_list, &h->turn);
  return status == CL_SUCCESS ||
         launch_skip(c, "it cannot be deferred until a user event is set: %s", OPENCL_STATUS(status));
}

/* Where OpenCL refuses the end, the program gets the launch's event, and later commands may write to the buffers before
 * they are read. */
static void put_end(const struct deferred *h) {
  const cl_event both[] = {h->ran, h->seen};
  if (write_byte(h, 2, both, h->launch.event) == CL_SUCCESS || !h->launch.event)
    return;
  *h->launch.event = h->ran;
  below->clRetainEvent(h->ran);
}

static cl_int enqueue(struct deferred *h) {
  const struct launch *l = &h->launch;
  cl_event *list = malloc((l->wait_count + 1) * sizeof *list);
  if (!list)
    return CL_OUT_OF_HOST_MEMORY;
  if (l->wait_count)
    memcpy(list, l->wait_list, l->wait_count * sizeof *list);
  list[l->wait_count] = h->gate;
  const cl_int status = launch_forward(h->capture, l->wait_count + 1, list, &h->ran);
  free(list);
  if (status == CL_SUCCESS)
    put_end(h);
  below->clFlush(l->queue);
  return status;
}

static void open_gates(const struct deferred *h) {
  below->clSetUserEventStatus(h->gate, CL_COMPLETE);
  below->clSetUserEventStatus(h->seen, CL_COMPLETE);
}

/* Captures the launch. Returns whether all commands succeeded. `came`: the launch's turn has come. */
static bool capture(struct deferred *h, bool came) {
  struct captured_launch *c = h->capture;
  if (!came)
    launch_skip(c, "what it waited for failed");
  const bool taken = came && snapshot_has_room(c) && snapshot_save_inputs(c) && describe_launch(c);
  if (!taken)
    launch_is_not_captured(c);
  below->clSetUserEventStatus(h->gate, CL_COMPLETE);
  const cl_int finished = below->clWaitForEvents(1, &h->ran);
  if (taken)
    launch_has_ended(c, finished);
  return came && finished == CL_SUCCESS;
}

static void *follow(void *deferred) {
  struct deferred *h = deferred;
  const bool came = below->clWaitForEvents(1, &h->turn) == CL_SUCCESS;
  launch_lock();
  const bool well = capture(h, came);
  launch_unlock();
  open_gates(h);
  let_go(h, !well);
  atomic_fetch_sub(&count, 1);
  launch_free(h->capture);
  free(h);
  return NULL;
}

/* From here on the launch runs, whether it is captured or not. */
static void start_following(struct deferred *h) {
  pthread_t thread;
  log_line(json_pack("{s:s, s:I, s:s}", "event", "deferred", "index", (json_int_t)h->capture->index, "kernel",
                     h->capture->kernel.name));
  atomic_fetch_add(&count, 1);
  if (pthread_create(&thread, NULL, follow, h) == 0) {
    pthread_detach(thread);
    return;
  }
  atomic_fetch_sub(&count, 1);
  launch_skip(h->capture, "no thread to wait until a user event is set");
  launch_is_not_captured(h->capture);
  open_gates(h);
  let_go(h, false);
  launch_free(h->capture);
  free(h);
}

bool deferred_launch_start(struct captured_launch *c, cl_int *status) {
  struct deferred *h = deferred_count() < MOST_DEFERRED ? calloc(1, sizeof *h) : NULL;
  if (!h)
    return launch_skip(c, "%u launches wait for user events already", deferred_count());
  *h = (struct deferred){.capture = c, .launch = *c->launch};
  retain_all(h);
  *status = prepare(h) ? enqueue(h) : CL_INVALID_OPERATION;
  if (*status == CL_SUCCESS) {
    c->launch = &h->launch;
    start_following(h);
    return true;
  }
  if (!c->reason[0])
    launch_skip(c, "OpenCL answered it with %s", OPENCL_STATUS(*status));
  if (h->gate && h->seen)
    open_gates(h);
  let_go(h, false);
  free(h);
  return false;
}

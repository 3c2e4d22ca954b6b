#include "tracegen/program/layer/deferred_launch.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "tracegen/program/layer/log.h"
#include "tracegen/program/layer/snapshot.h"

#define MOST_HELD 64 /* a thread each: assumed to be enough */

struct held {
  struct capture *capture;
  struct launch launch; /* a copy; what it points to is gone when the call returns */
  cl_mem written;       /* a byte of our own */
  cl_event turn, gate, ran, seen;
};

static atomic_int open_user_events;
static atomic_uint count;

void held_user_event(int change) {
  atomic_fetch_add(&open_user_events, change);
}

bool held_is_needed(void) {
  return atomic_load(&open_user_events) > 0 || atomic_load(&count) > 0;
}

unsigned held_count(void) {
  return atomic_load(&count);
}

static void release_event(cl_event event) {
  if (event)
    below->clReleaseEvent(event);
}

/* The program may release what the launch needs. */
static void retain_all(const struct held *h) {
  below->clRetainCommandQueue(h->launch.queue);
  for (size_t i = 0; i < h->capture->root_count; i++)
    below->clRetainMemObject(h->capture->roots[i]->handle);
}

/* `failed`: one of the commands did, or what they waited for. PoCL 3.1 goes on with events that fail after those who
 * wait for them have been woken, and aborts the program if one was released meanwhile: they are left to it. */
static void let_go(struct held *h, bool failed) {
  struct capture *c = h->capture;
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

/* A command without effect. Not a marker: PoCL's waits for all commands before, in queues without order, too. */
static cl_int write_byte(const struct held *h, cl_uint wait_count, const cl_event *wait_list, cl_event *event) {
  static const char byte;
  return below->clEnqueueWriteBuffer(h->launch.queue, h->written, CL_FALSE, 0, 1, &byte, wait_count, wait_list, event);
}

static bool prepare(struct held *h) {
  struct capture *c = h->capture;
  cl_int status;
  if (!reading_open(c))
    return false;
  h->written = below->clCreateBuffer(c->context, CL_MEM_READ_WRITE, 1, NULL, &status);
  if (h->written)
    h->gate = below->clCreateUserEvent(c->context, &status);
  if (h->gate)
    h->seen = below->clCreateUserEvent(c->context, &status);
  if (h->seen)
    status = write_byte(h, h->launch.wait_count, h->launch.wait_list, &h->turn);
  return status == CL_SUCCESS ||
         capture_skip(c, "it cannot be held until a user event is set: OpenCL error %d", status);
}

/* Without it, where OpenCL refuses it, others may write to the buffers before they are read. */
static void put_end(const struct held *h) {
  const cl_event both[] = {h->ran, h->seen};
  if (write_byte(h, 2, both, h->launch.event) == CL_SUCCESS || !h->launch.event)
    return;
  *h->launch.event = h->ran;
  below->clRetainEvent(h->ran);
}

static cl_int enqueue(struct held *h) {
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

static void open_gates(const struct held *h) {
  below->clSetUserEventStatus(h->gate, CL_COMPLETE);
  below->clSetUserEventStatus(h->seen, CL_COMPLETE);
}

/* Whether all went well. */
static bool capture(struct held *h, bool came) {
  struct capture *c = h->capture;
  if (!came)
    capture_skip(c, "what it waited for failed");
  const bool taken = came && reading_has_room(c) && reading_saves_inputs(c) && describe_launch(c);
  if (!taken)
    launch_is_not_captured(c);
  below->clSetUserEventStatus(h->gate, CL_COMPLETE);
  const cl_int finished = below->clWaitForEvents(1, &h->ran);
  if (taken)
    launch_has_ended(c, finished);
  return came && finished == CL_SUCCESS;
}

static void *follow(void *held) {
  struct held *h = held;
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

/* Once it is enqueued it runs, captured or not. */
static void start_following(struct held *h) {
  pthread_t thread;
  log_line(json_pack("{s:s, s:I, s:s}", "event", "held", "index", (json_int_t)h->capture->index, "kernel",
                     h->capture->kernel.name));
  atomic_fetch_add(&count, 1);
  if (pthread_create(&thread, NULL, follow, h) == 0) {
    pthread_detach(thread);
    return;
  }
  atomic_fetch_sub(&count, 1);
  capture_skip(h->capture, "no thread to wait until a user event is set");
  launch_is_not_captured(h->capture);
  open_gates(h);
  let_go(h, false);
  launch_free(h->capture);
  free(h);
}

bool held_launch(struct capture *c, cl_int *status) {
  struct held *h = held_count() < MOST_HELD ? calloc(1, sizeof *h) : NULL;
  if (!h)
    return capture_skip(c, "%u launches wait for user events already", held_count());
  *h = (struct held){.capture = c, .launch = *c->launch};
  retain_all(h);
  *status = prepare(h) ? enqueue(h) : CL_INVALID_OPERATION;
  if (*status == CL_SUCCESS) {
    c->launch = &h->launch;
    start_following(h);
    return true;
  }
  if (!c->reason[0])
    capture_skip(c, "OpenCL answered it with error %d", *status);
  if (h->gate && h->seen)
    open_gates(h);
  let_go(h, false);
  free(h);
  return false;
}

#include "tracegen/program/board/virtual_command.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "tracegen/program/board/device_time.h"
#include "tracegen/program/board/virtual_launch.h"
#include "tracegen/program/clock/simulated_clock.h"

/* Queues. */

struct known_queue {
  struct known_queue *next;
  cl_command_queue handle;
  uint32_t number;
};

static struct known_queue *queues;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static struct known_queue *add_queue(cl_command_queue handle) {
  cl_command_queue_properties properties = 0;
  struct known_queue *q = calloc(1, sizeof *q);
  below->clGetCommandQueueInfo(handle, CL_QUEUE_PROPERTIES, sizeof properties, &properties, NULL);
  const bool in_order = !(properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  const uint32_t number = virtual_act(&(struct action){.kind = ACTION_QUEUE, .in_order = in_order});
  if (!q || number == TIMELINE_NONE)
    virtual_end_without_memory();
  *q = (struct known_queue){queues, handle, number};
  return queues = q;
}

uint32_t virtual_queue_number(cl_command_queue handle) {
  pthread_mutex_lock(&mutex);
  struct known_queue *q = queues;
  while (q && q->handle != handle)
    q = q->next;
  const uint32_t number = q ? q->number : add_queue(handle)->number;
  pthread_mutex_unlock(&mutex);
  return number;
}

void virtual_queue_forget(cl_command_queue handle) {
  pthread_mutex_lock(&mutex);
  struct known_queue **link = &queues;
  while (*link && (*link)->handle != handle)
    link = &(*link)->next;
  struct known_queue *q = *link;
  if (q)
    *link = q->next;
  free(q);
  pthread_mutex_unlock(&mutex);
}

/* Commands whose time is known later. */

struct unresolved {
  struct unresolved *next;
  uint32_t command, queue;
  enum command_kind kind;
  uint64_t launch; /* whose prediction is the time */
  cl_event event;  /* by which the command is measured; NULL: it is not */
};

/* A launch that OpenCL has accepted and that has no prediction. */
struct failed_command {
  struct failed_command *next;
  uint32_t command, queue;
  bool told; /* by a call that waited for its queue */
};

static struct unresolved *unresolved;
static struct failed_command *failed;
static pthread_mutex_t resolving = PTHREAD_MUTEX_INITIALIZER;

static void resolve_later(uint32_t command, const struct virtual_command *c) {
  struct unresolved *u = calloc(1, sizeof *u);
  const bool measured = c->action.request.measured;
  if (!u)
    abort();
  if (measured)
    below->clRetainEvent(*c->event);
  pthread_mutex_lock(&resolving);
  *u = (struct unresolved){.next = unresolved,
                           .command = command,
                           .queue = c->action.request.queue,
                           .kind = c->action.request.kind,
                           .launch = c->action.launch,
                           .event = measured ? *c->event : NULL};
  unresolved = u;
  pthread_mutex_unlock(&resolving);
}

static int64_t time_of(const struct unresolved *u) {
  if (!u->event)
    return virtual_launch_ns(u->launch);
  const int64_t ns = device_time_of(u->event, u->kind);
  below->clReleaseEvent(u->event);
  return ns;
}

static void note_failure(const struct unresolved *u) {
  struct failed_command *f = calloc(1, sizeof *f);
  if (!f)
    virtual_end_without_memory();
  *f = (struct failed_command){.next = failed, .command = u->command, .queue = u->queue};
  failed = f;
}

bool virtual_has_failed(uint32_t command) {
  pthread_mutex_lock(&resolving);
  const struct failed_command *f = failed;
  while (f && f->command != command)
    f = f->next;
  pthread_mutex_unlock(&resolving);
  return f;
}

bool virtual_queue_has_failed(uint32_t number) {
  bool any = false;
  pthread_mutex_lock(&resolving);
  for (struct failed_command *f = failed; f; f = f->next)
    if (f->queue == number && !f->told)
      any = f->told = true;
  pthread_mutex_unlock(&resolving);
  return any;
}

static void resolve(uint32_t command) {
  struct unresolved **link = &unresolved;
  while (*link && (*link)->command != command)
    link = &(*link)->next;
  struct unresolved *u = *link;
  if (!u)
    return;
  const int64_t ns = time_of(u);
  virtual_act(
      &(struct action){.kind = ACTION_RESOLVE, .number = command, .ns = u->event ? ns : 0, .request.kernel_ns = ns});
  if (!u->event && ns == 0)
    note_failure(u);
  *link = u->next;
  free(u);
}

void virtual_resolve(void) {
  uint32_t command;
  pthread_mutex_lock(&resolving);
  while ((command = virtual_unknown()) != TIMELINE_NONE)
    resolve(command);
  pthread_mutex_unlock(&resolving);
}

/* Commands. */

void virtual_command_begin(struct virtual_command *c, enum command_kind kind, cl_command_queue queue, uint64_t bytes,
                           cl_uint wait_count, const cl_event *wait_list, cl_event *event) {
  virtual_enter();
  c->own = NULL;
  c->event = event || !device_time_is_on() ? event : &c->own;
  c->action = (struct action){.kind = ACTION_ENQUEUE, .launch = ACTION_NO_LAUNCH};
  c->action.request = (struct command_request){.kind = kind, .bytes = bytes, .deps = c->deps};
  c->action.request.dep_count = virtual_event_list(wait_count, wait_list, c->deps, ACTION_MOST_DEPS);
  c->action.request.queue = queue ? virtual_queue_number(queue) : TIMELINE_NONE;
  c->start_ns = real_clock(CLOCK_MONOTONIC);
}

static bool is_unknown(const struct command_request *r) {
  return r->measured ? r->measured_ns < 0 : r->kernel_ns < 0;
}

static void enqueue(struct virtual_command *c, cl_bool blocking, const cl_event *event) {
  if (device_time_is_on() && c->action.request.kind != COMMAND_MARKER)
    device_time_measure(c, blocking);
  const uint32_t command = virtual_act(&c->action);
  if (event && command != TIMELINE_NONE)
    virtual_event_note(*event, command);
  if (is_unknown(&c->action.request))
    resolve_later(command, c);
  if (blocking)
    virtual_wait(command);
}

cl_int virtual_command_end(struct virtual_command *c, cl_int status, cl_bool blocking, const cl_event *event) {
  if (status == CL_SUCCESS)
    enqueue(c, blocking, event);
  if (status == CL_SUCCESS && blocking && virtual_queue_has_failed(c->action.request.queue))
    status = CL_OUT_OF_RESOURCES;
  if (c->own)
    below->clReleaseEvent(c->own);
  virtual_leave();
  return status;
}

/* Waiting. */

static void await_place(uint32_t command) {
  static const struct timespec pause = {.tv_nsec = 100000};
  struct command_times times;
  while (!virtual_times(command, &times)) { /* another thread is about to place it */
    virtual_resolve();
    nanosleep(&pause, NULL);
  }
}

void virtual_wait_as(const struct action *wait) {
  const int64_t before = virtual_now();
  virtual_act(wait);
  if (virtual_now() > before && device_time_latency() > 0)
    virtual_act(&(struct action){.kind = ACTION_PASS, .state = HOST_AWAITS_GPU, .ns = device_time_latency()});
}

void virtual_wait(uint32_t command) {
  if (command == TIMELINE_NONE)
    return;
  await_place(command);
  virtual_wait_as(&(struct action){.kind = ACTION_WAIT, .number = command});
}

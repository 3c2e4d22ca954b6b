#include "tracegen/program/board/virtual_command.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "tracegen/program/board/virtual_launch.h"

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
  if (!q)
    abort();
  *q = (struct known_queue){queues, handle, virtual_act(&(struct action){.kind = ACTION_QUEUE, .in_order = in_order})};
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

/* Commands. */

void virtual_command_begin(struct virtual_command *c, enum command_kind kind, cl_command_queue queue, uint64_t bytes,
                           cl_uint wait_count, const cl_event *wait_list) {
  virtual_enter();
  c->action = (struct action){.kind = ACTION_ENQUEUE, .launch = ACTION_NO_LAUNCH};
  c->action.request = (struct command_request){.kind = kind, .bytes = bytes, .deps = c->deps};
  c->action.request.dep_count = virtual_event_list(wait_count, wait_list, c->deps, ACTION_MOST_DEPS);
  c->action.request.queue = queue ? virtual_queue_number(queue) : TIMELINE_NONE;
}

cl_int virtual_command_end(struct virtual_command *c, cl_int status, cl_bool blocking, const cl_event *event) {
  if (status == CL_SUCCESS) {
    const uint32_t command = virtual_act(&c->action);
    if (event && command != TIMELINE_NONE)
      virtual_event_note(*event, command);
    if (c->action.request.kernel_ns < 0)
      virtual_resolve_later(command, c->action.launch);
    if (blocking)
      virtual_wait(command);
  }
  virtual_leave();
  return status;
}

void virtual_wait(uint32_t command) {
  static const struct timespec pause = {.tv_nsec = 100000};
  struct command_times times;
  if (command == TIMELINE_NONE)
    return;
  while (!virtual_times(command, &times)) { /* another thread is about to place it */
    virtual_resolve();
    nanosleep(&pause, NULL);
  }
  virtual_act(&(struct action){.kind = ACTION_WAIT, .number = command});
}

/* Kernels whose time is known later. */

struct unresolved {
  struct unresolved *next;
  uint32_t command;
  uint64_t launch;
};

static struct unresolved *unresolved;
static pthread_mutex_t resolving = PTHREAD_MUTEX_INITIALIZER;

void virtual_resolve_later(uint32_t command, uint64_t launch) {
  struct unresolved *u = calloc(1, sizeof *u);
  if (!u)
    abort();
  pthread_mutex_lock(&resolving);
  *u = (struct unresolved){unresolved, command, launch};
  unresolved = u;
  pthread_mutex_unlock(&resolving);
}

static void resolve(uint32_t command) {
  struct unresolved **link = &unresolved;
  while (*link && (*link)->command != command)
    link = &(*link)->next;
  struct unresolved *u = *link;
  if (!u)
    return;
  const int64_t ns = virtual_launch_ns(u->launch);
  virtual_act(&(struct action){.kind = ACTION_RESOLVE, .number = command, .request.kernel_ns = ns});
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

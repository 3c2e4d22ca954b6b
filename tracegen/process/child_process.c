#include "tracegen/process/child_process.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/subprocess.h"

#define POLL_MS 50
/* A child ends its kernel itself, and says where it was: on a machine with much else to do that may come late. And a
 * kernel that may not take long may still have to be compiled. */
#define GRACE_S 10.0

/* Where the workload's file asks for the buffer. */
static int at_buffer(const struct workload *w, const struct workload_buffer *b, struct error *error) {
  if (error && b->line && w->path) {
    snprintf(error->file, sizeof error->file, "%s", w->path);
    error->line = b->line;
    error->column = b->column;
  }
  return -1;
}

static int place_buffers(struct arena *arena, const struct workload *w, struct error *error) {
  uint32_t offset;
  for (size_t i = 0; i < w->buffer_count; i++) {
    const struct workload_buffer *b = &w->buffers[i];
    if (arena_place(arena, b->name, b->count * scalar_type_bytes(b->type), &offset, error))
      return at_buffer(w, b, error);
    if ((b->init == INIT_NONE || b->undefined) && arena_allow_undefined(arena, error))
      return -1;
  }
  return 0;
}

static void share_order(struct child_process *p, const struct workload *w) {
  const size_t arguments = w->launches[0].argument_count * sizeof p->order->arguments[0];
  p->order_bytes = sizeof *p->order + arguments + w->buffer_count * sizeof p->order->buffer_names[0];
  p->order = subprocess_shared_memory(p->order_bytes);
  if (p->order) {
    p->order->arguments = (void *)(p->order + 1);
    p->order->buffer_names = (void *)((char *)p->order->arguments + arguments);
  }
}

int child_process_create(struct child_process *p, const struct workload *w, uint64_t memory, bool serves,
                         struct error *error) {
  *p = (struct child_process){.socket = -1};
  if (arena_create(&p->arena, memory, error) || place_buffers(&p->arena, w, error))
    return -1;
  p->report_bytes = sizeof *p->report + w->launch_count * sizeof p->report->launches[0];
  p->report = subprocess_shared_memory(p->report_bytes);
  if (serves)
    share_order(p, w);
  if (!p->report || (serves && !p->order))
    return error_set(error, ERROR_WORK, "no memory to share with a child process: %s", strerror(errno));
  return 0;
}

static void become_child(struct child_process *p, struct child_task *task) {
  task->arena = &p->arena;
  task->report = p->report;
  task->order = p->order;
  setpgid(0, 0); /* so that the compiler it starts can be stopped with it */
  subprocess_end_with_parent();
  subprocess_limit_memory(task->memory_limit);
  child_main(task);
}

int child_process_start(struct child_process *p, struct child_task task, struct error *error) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
    return error_set(error, ERROR_WORK, "cannot create a socket: %s", strerror(errno));
  p->report->phase_start_s = clock_seconds();
  fflush(NULL);
  p->child = fork();
  if (p->child == 0) {
    close(ends[0]);
    task.socket = ends[1];
    become_child(p, &task);
  }
  close(ends[1]);
  p->socket = ends[0];
  if (p->child > 0)
    return 0;
  p->child = 0;
  return error_set(error, ERROR_WORK, "cannot start a process: %s", strerror(errno));
}

void child_process_order(struct child_process *p, const struct workload *w, const char *trace_path) {
  const struct workload_launch *launch = &w->launches[0];
  struct child_order *o = p->order;
  child_fill_buffers(w, &p->arena);
  snprintf(o->name, sizeof o->name, "%s", w->name ? w->name : "");
  snprintf(o->trace_path, sizeof o->trace_path, "%s", trace_path ? trace_path : "");
  o->launch = *launch;
  memcpy(o->arguments, launch->arguments, launch->argument_count * sizeof o->arguments[0]);
  for (size_t i = 0; i < w->buffer_count; i++)
    snprintf(o->buffer_names[i], sizeof o->buffer_names[i], "%s", w->buffers[i].name);
  memset(p->report, 0, p->report_bytes);
  p->report->phase_start_s = clock_seconds();
  send(p->socket, "", 1, MSG_NOSIGNAL); /* one that is gone is found when its answer is awaited */
}

static void stop(struct child_process *p) {
  kill(-p->child, SIGKILL);
  kill(p->child, SIGKILL);
}

static int wait_for_end(struct child_process *p) {
  const int status = subprocess_wait(p->child);
  p->child = 0;
  return status;
}

int child_process_watch(struct child_process *p, double timeout_s, bool *timed_out) {
  struct pollfd fd = {.fd = p->socket, .events = POLLIN};
  int status;
  *timed_out = false;
  while (poll(&fd, 1, POLL_MS) <= 0)
    if (clock_seconds() - p->report->phase_start_s > timeout_s + GRACE_S) {
      *timed_out = true;
      stop(p);
      break;
    }
  if (!*timed_out && read(p->socket, &status, sizeof status) == sizeof status)
    return status;
  return wait_for_end(p); /* its end of the socket closed with it */
}

void child_process_end(struct child_process *p) {
  if (p->child > 0) {
    stop(p);
    wait_for_end(p);
  }
  if (p->socket >= 0)
    close(p->socket);
  if (p->report)
    munmap(p->report, p->report_bytes);
  if (p->order)
    munmap(p->order, p->order_bytes);
  arena_destroy(&p->arena);
  *p = (struct child_process){.socket = -1};
}

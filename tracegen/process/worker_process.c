#include "tracegen/process/worker_process.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/process/subprocess.h"

#define POLL_MS 50
/* The worker stops a kernel that takes too long itself and reports where it was, which may come late on a busy machine.
 */
#define REPORT_S     3.0
#define REPORT_SHARE 0.1 /* of the limit of time, where that is more */
/* A kernel with a short limit of time may still have to be compiled. */
#if defined(REASSEMBLE_SANITIZED)
#define LEAST_PHASE_S 10.0
#else
#define LEAST_PHASE_S 3.0
#endif

/* Gives the error the place in the workload's file that asks for the buffer. */
static int at_buffer(const struct workload *w, const struct workload_buffer *b, struct error *error) {
  if (error && b->line && w->path) {
    snprintf(error->file, sizeof error->file, "%s", w->path);
    error->line = b->line;
    error->column = b->column;
  }
  return -1;
}

static int place_buffers(struct arena *arena, const struct workload *w, enum undefined_reads reads,
                         struct error *error) {
  uint32_t offset;
  for (size_t i = 0; i < w->buffer_count; i++) {
    const struct workload_buffer *b = &w->buffers[i];
    if (arena_place(arena, b->name, b->count * scalar_type_bytes(b->type), &offset, error))
      return at_buffer(w, b, error);
    const bool undefined = b->undefined || (b->init == INIT_NONE && reads != UNDEFINED_READS_NONE);
    if (undefined && arena_allow_undefined(arena, error))
      return -1;
  }
  return 0;
}

static void share_request(struct worker_process *p, const struct workload *w) {
  const size_t arguments = w->launches[0].argument_count * sizeof p->request->arguments[0];
  p->request_bytes = sizeof *p->request + arguments + w->buffer_count * sizeof p->request->buffer_names[0];
  p->request = subprocess_one_writer_memory(p->request_bytes, &p->request_file);
  if (p->request) {
    p->request->arguments = (void *)(p->request + 1);
    p->request->buffer_names = (void *)((char *)p->request->arguments + arguments);
    p->request_arguments = p->request->arguments;
    p->request_names = p->request->buffer_names;
  }
}

int worker_process_create(struct worker_process *p, const struct workload *w, uint64_t memory,
                          enum undefined_reads reads, bool persistent, struct error *error) {
  *p = (struct worker_process){
      .socket = -1, .request_file = -1, .most_phases = 8 + 4 * (w->launch_count + w->check_count)};
  if (arena_create(&p->arena, memory, error) || place_buffers(&p->arena, w, reads, error))
    return -1;
  p->report_bytes = sizeof *p->report + w->launch_count * sizeof p->report->launches[0];
  p->report = subprocess_shared_memory(p->report_bytes);
  if (persistent)
    share_request(p, w);
  if (!p->report || (persistent && !p->request))
    return error_set(error, ERROR_WORK, "no memory to share with a child process: %s", strerror(errno));
  return 0;
}

static uint64_t buffer_bytes(const struct workload_buffer *b) {
  return b->count * scalar_type_bytes(b->type);
}

/* Makes the names of the chunks of a new arena, whose memory is zero. */
static int make_held(struct worker_process *p, const struct workload *w, const struct buffer_exchange *exchange,
                     struct error *error) {
  if (p->held)
    return 0;
  p->held = calloc(w->buffer_count + 1, sizeof *p->held);
  for (; p->held && p->held_count < w->buffer_count; p->held_count++) {
    const uint64_t chunks = exchange->chunk_count(buffer_bytes(&w->buffers[p->held_count]));
    uint64_t *held = p->held[p->held_count] = calloc(chunks + 1, sizeof *held);
    if (!held)
      break;
    for (uint64_t i = 0; i < chunks; i++)
      held[i] = exchange->zeros;
  }
  return p->held && p->held_count == w->buffer_count ? 0 : error_no_memory(error);
}

int worker_process_fill(struct worker_process *p, const struct workload *w, const struct buffer_exchange *exchange,
                        struct error *error) {
  if (make_held(p, w, exchange, error))
    return -1;
  for (size_t i = 0; i < w->buffer_count; i++)
    if (w->buffers[i].init == INIT_GIVEN &&
        exchange->fill(exchange->user, i, p->arena.base + p->arena.regions[i].offset, p->held[i], error))
      return -1;
  return 0;
}

int worker_process_take(struct worker_process *p, const struct workload *w, const struct buffer_exchange *exchange,
                        struct error *error) {
  for (size_t i = 0; i < w->buffer_count; i++)
    if (w->buffers[i].init == INIT_GIVEN &&
        exchange->take(exchange->user, i, p->arena.base + p->arena.regions[i].offset, p->held[i], error))
      return -1;
  return 0;
}

void worker_process_forget(struct worker_process *p, const struct workload *w, const struct buffer_exchange *exchange) {
  for (size_t i = 0; i < p->held_count; i++)
    memset(p->held[i], 0, exchange->chunk_count(buffer_bytes(&w->buffers[i])) * sizeof **p->held);
}

static void close_request_file(struct worker_process *p) {
  if (p->request_file >= 0)
    close(p->request_file);
  p->request_file = -1;
}

static void become_worker(struct worker_process *p, struct worker_task *task) {
  task->arena = &p->arena;
  task->report = p->report;
  task->request = p->request;
  task->request_is_safe = p->request && subprocess_only_reads(p->request, p->request_bytes, p->request_file);
  close_request_file(p);
  subprocess_close_kept();
  setpgid(0, 0); /* a group of its own, so that the compiler that it starts can be killed with it */
  subprocess_end_with_parent();
  subprocess_limit_memory(task->memory_limit);
  worker_main(task);
}

static void write_request(struct worker_process *p, const struct workload *w, const char *trace_path,
                          uint64_t max_instructions) {
  const struct workload_launch *launch = &w->launches[0];
  struct worker_request *r = p->request;
  snprintf(r->name, sizeof r->name, "%s", w->name ? w->name : "");
  snprintf(r->trace_path, sizeof r->trace_path, "%s", trace_path ? trace_path : "");
  r->max_instructions = max_instructions;
  r->launch = *launch;
  memcpy(p->request_arguments, launch->arguments, launch->argument_count * sizeof r->arguments[0]);
  for (size_t i = 0; i < w->buffer_count; i++)
    snprintf(p->request_names[i], sizeof r->buffer_names[i], "%s", w->buffers[i].name);
}

int worker_process_start(struct worker_process *p, struct worker_task task, struct error *error) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
    return error_set(error, ERROR_WORK, "cannot create a socket: %s", strerror(errno));
  if (p->request)
    write_request(p, task.workload, task.trace_paths ? task.trace_paths[0] : NULL, task.options->max_instructions);
  p->report->phase_start_s = clock_seconds();
  fflush(NULL);
  p->worker = fork();
  if (p->worker == 0) {
    close(ends[0]);
    task.socket = ends[1];
    become_worker(p, &task);
  }
  close(ends[1]);
  close_request_file(p);
  p->socket = ends[0];
  if (p->worker > 0)
    return 0;
  p->worker = 0;
  return error_set(error, ERROR_WORK, "cannot start a process: %s", strerror(errno));
}

void worker_process_order(struct worker_process *p, const struct workload *w, const char *trace_path,
                          uint64_t max_instructions) {
  worker_fill_buffers(w, &p->arena, false);
  write_request(p, w, trace_path, max_instructions);
  memset(p->report, 0, p->report_bytes);
  p->report->phase_start_s = clock_seconds();
  send(p->socket, "", 1, MSG_NOSIGNAL); /* a worker that is gone is noticed by worker_process_watch */
}

static void stop(struct worker_process *p) {
  kill(-p->worker, SIGKILL);
  kill(p->worker, SIGKILL);
}

static int wait_for_end(struct worker_process *p) {
  const int status = subprocess_wait(p->worker);
  p->worker = 0;
  return status;
}

/* The phases of an order as other processes see them. */
struct phase_watch {
  double reported_s, start_s; /* as the worker said last; as it is believed */
  size_t phases;
};

/* Returns whether the phase has taken too long. The worker says when it began; one that a kernel has taken over would
 * say so again and again, in the future, or no number at all. */
static bool takes_too_long(struct phase_watch *w, const struct worker_process *p, double limit_s) {
  const double now = clock_seconds(), reported = p->report->phase_start_s;
  if (reported != w->reported_s) {
    w->phases++;
    w->reported_s = reported;
    w->start_s = reported <= now ? reported : now;
  }
  return now - w->start_s > limit_s || w->phases > p->most_phases;
}

/* Returns the seconds that the present phase may take. */
static double phase_limit(const struct worker_process *p, double timeout_s) {
  return p->report->kernel_runs ? timeout_s + fmax(REPORT_S, REPORT_SHARE * timeout_s) : fmax(timeout_s, LEAST_PHASE_S);
}

int worker_process_watch(struct worker_process *p, double timeout_s, bool *timed_out) {
  struct pollfd fd = {.fd = p->socket, .events = POLLIN};
  struct phase_watch watch = {.start_s = clock_seconds()};
  struct phase_progress shown = {.quiet = p->quiet};
  int status;
  *timed_out = false;
  while (poll(&fd, 1, POLL_MS) <= 0) {
    phase_progress_show(&shown, p->report);
    if (takes_too_long(&watch, p, phase_limit(p, timeout_s))) {
      *timed_out = true;
      stop(p);
      break;
    }
  }
  phase_progress_end(&shown);
  if (!*timed_out && read(p->socket, &status, sizeof status) == sizeof status)
    return status;
  return wait_for_end(p); /* the worker closed its end of the socket, by ending */
}

void worker_process_end(struct worker_process *p) {
  if (p->worker > 0) {
    stop(p);
    wait_for_end(p);
  }
  if (p->socket >= 0)
    close(p->socket);
  close_request_file(p);
  if (p->report)
    munmap(p->report, p->report_bytes);
  if (p->request)
    munmap(p->request, p->request_bytes);
  for (size_t i = 0; i < p->held_count; i++)
    free(p->held[i]);
  free(p->held);
  arena_destroy(&p->arena);
  *p = (struct worker_process){.socket = -1, .request_file = -1};
}

#include "tracegen/process/worker_main.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/process/subprocess.h"
#include "tracegen/confine/sandbox.h"
#include "tracegen/process/worker_launch.h"

static bool is_zero(const struct workload_buffer *b) {
  return b->init == INIT_ZERO || b->init == INIT_NONE;
}

void worker_fill_buffers(const struct workload *w, const struct arena *arena, bool fresh) {
  for (size_t i = 0; i < w->buffer_count; i++) {
    const struct workload_buffer *b = &w->buffers[i];
    const struct arena_region *r = &arena->regions[i];
    if (!fresh || !is_zero(b))
      workload_buffer_fill(b, arena->base + r->offset);
    if (b->undefined)
      memcpy(arena->undefined + r->offset, b->undefined, r->bytes);
    if (b->init == INIT_NONE && arena->undefined)
      memset(arena->undefined + r->offset, 1, r->bytes);
  }
}

/* Starts translating the first source, so that the translator works while buffers are filled. */
static int begin_source(struct worker *k, struct error *error) {
  const struct workload *w = k->task->workload;
  worker_begin_phase(k, "compiling kernel", w->launches[0].kernel);
  k->task->report->launches[0].source_at_s = clock_seconds();
  return builds_begin(&k->builds, k->task, error);
}

static int prepare(struct worker *k, struct error *error) {
  const struct worker_task *task = k->task;
  const struct workload *w = task->workload;
  if (begin_source(k, error))
    return worker_error_at_launch(k, &w->launches[0], error);
  if (launch_trace_prepare(&k->trace, w, task->samples, task->arena, task->front_end->version(), error))
    return -1;
  k->trace.small = task->options->small_traces;
  worker_begin_phase(k, "filling the buffers of", w->name ? w->name : "");
  worker_fill_buffers(w, task->arena, true);
  sandbox_prepare(w->launch_count > 1);
  if (!task->request && task->front_end->load_compiler) /* other launches and checks are built after a kernel has run */
    task->front_end->load_compiler();
  if (task->front_end->early)
    task->front_end->early->in_child();
  return 0;
}

static int run_all(struct worker *k, struct error *error) {
  const struct worker_task *task = k->task;
  const struct workload *w = task->workload;
  struct worker_report *report = task->report;
  report->writer = getpid();
  k->to_stdout = task->trace_paths && strcmp(task->trace_paths[0], TRACE_TO_STDOUT) == 0;
  if (k->to_stdout)
    signal(SIGPIPE, SIG_IGN); /* where the reader is gone, the write fails */
  for (; report->launches_done < w->launch_count; report->launches_done++)
    if (worker_run_launch(k, report->launches_done, error))
      return -1;
  for (size_t i = 0; task->options->check && i < w->check_count; i++, report->checks_passed++)
    if (worker_run_check(k, &w->checks[i], error))
      return -1;
  return worker_close_trace(k, error);
}

static void run_or_give_up(struct worker *k) {
  if (run_all(k, &k->task->report->error))
    worker_give_up(k, &k->task->report->error);
  k->task->report->done = 1;
}

/* The persistent worker. It has built the kernel, and forks a runner, which runs the launch and those that are ordered
 * after it. A runner ends after a mistake, or when it should not go on (may_go_on); the worker then forks another one
 * for the next order. Both hold the socket to the parent: the runner uses it while it lives. A worker that has read a
 * kept program is the runner itself; when it ends, the parent starts another worker. */

#define MOST_RUNNER_CPU_S 30.0               /* a process of its own has so much at least to spare: SPARE_CPU_S */
#define MOST_RUNNER_BYTES ((size_t)64 << 20) /* that it has allocated and perhaps freed; assumed */

static size_t allocated_bytes(void) {
#ifdef __GLIBC__
  const struct mallinfo2 info = mallinfo2();
  return info.arena + info.hblkhd;
#else
  return SIZE_MAX;
#endif
}

/* Returns whether this process may run another launch: not where each launch needs a dry run, which it may not fork
 * once it is confined, nor where a kernel that has taken it over could change the next launch before a new runner,
 * which is confined a little later, reads it. */
static bool may_go_on(const struct worker *k) {
  return k->task->request_is_safe && !worker_dry_runs(k) && worker_cpu_seconds() < MOST_RUNNER_CPU_S &&
         allocated_bytes() < MOST_RUNNER_BYTES;
}

/* The launch that was ordered, and which of its work-groups run. */
struct ordered_launch {
  struct workload_launch launch;
  struct index_ranges sample;
};

/* Returns whether another launch was ordered. */
static bool answer_and_wait(int parent, int status) {
  char order;
  return write(parent, &status, sizeof status) == sizeof status && read(parent, &order, 1) == 1;
}

static void take_request(struct worker *k, struct ordered_launch *ordered);

/* Local memory starts with zeros in each launch, as in a new process: a kernel may read what it has not written. */
static void clear_local_memory(const struct arena *arena) {
  if (arena->local_bytes > 0)
    memset(arena->local, 0, arena->local_bytes);
}

/* Returns whether the worker may run its launches itself: where it has read a kept program, which the next worker reads
 * as soon as a runner is forked, and where no launch needs another process. */
static bool runs_itself(const struct worker *k) {
  return k->task->request_is_safe && !worker_dry_runs(k) && k->builds.kernels[0].program->was_kept;
}

static void run_orders(struct worker *k, struct ordered_launch *ordered) __attribute__((noreturn));
static void run_orders(struct worker *k, struct ordered_launch *ordered) {
  run_or_give_up(k);
  while (may_go_on(k) && answer_and_wait(k->task->socket, 0)) {
    take_request(k, ordered);
    clear_local_memory(k->task->arena);
    run_or_give_up(k);
  }
  _exit(0);
}

/* Starts a runner and waits until it has ended. */
static int run_apart(struct worker *k, struct ordered_launch *ordered, int *status, struct error *error) {
  const pid_t runner = fork();
  if (runner == 0) {
    subprocess_end_with_parent();
    run_orders(k, ordered);
  }
  if (runner < 0)
    return error_set(error, ERROR_WORK, "cannot start a process: %s", strerror(errno));
  *status = subprocess_wait(runner);
  return 0;
}

/* Returns the buffers with the names that requests give them; NULL when out of memory. */
static struct workload_buffer *buffers_of_requests(const struct workload *w, const struct worker_request *request) {
  struct workload_buffer *buffers = calloc(w->buffer_count + 1, sizeof *buffers);
  for (size_t i = 0; buffers && i < w->buffer_count; i++) {
    buffers[i] = w->buffers[i];
    buffers[i].name = request->buffer_names[i];
  }
  return buffers;
}

/* Takes over the launch that was ordered, and the names of its regions, which messages use. What the parent points to
 * outside of the request stays that of this process: the kernel's name and the choice of work-groups, in which all
 * launches of a worker agree (worker_pool.h). */
static void take_request(struct worker *k, struct ordered_launch *ordered) {
  const struct worker_request *request = k->task->request;
  struct workload_launch *launch = &ordered->launch;
  struct arena *arena = k->task->arena;
  char *kernel = launch->kernel;
  const struct group_choice groups = launch->groups;
  struct error error = ERROR_INIT;
  *launch = request->launch;
  launch->kernel = kernel;
  launch->groups = groups;
  launch->arguments = request->arguments;
  for (size_t i = 0; i < k->task->workload->buffer_count; i++)
    memcpy(arena->regions[i].name, request->buffer_names[i], sizeof arena->regions[i].name);
  index_ranges_clear(&ordered->sample);
  if (workload_chosen_groups(launch, &ordered->sample, &error))
    worker_give_up(k, &error);
}

static int serve(struct worker *k, struct error *error) {
  const struct worker_request *request = k->task->request;
  struct workload workload = *k->task->workload;
  struct ordered_launch ordered = {.launch = workload.launches[0]};
  struct worker_task task = *k->task;
  char *trace_path = (char *)request->trace_path;
  int status = 0;
  if (!worker_build_launch(k, 0, error))
    return -1;
  if (worker_dry_runs(k) && task.front_end->load_compiler) /* each runner builds the version for its dry run */
    task.front_end->load_compiler();
  workload.name = (char *)request->name;
  workload.launches = &ordered.launch;
  workload.buffers = buffers_of_requests(k->task->workload, request);
  if (!workload.buffers)
    return error_no_memory(error);
  task.workload = k->builds.workload = k->trace.workload = &workload;
  task.trace_paths = task.trace_paths ? &trace_path : NULL;
  task.samples = k->trace.samples = &ordered.sample;
  k->task = &task;
  do {
    take_request(k, &ordered);
    if (runs_itself(k))
      run_orders(k, &ordered);
    if (run_apart(k, &ordered, &status, error))
      return -1;
  } while (answer_and_wait(task.socket, status));
  _exit(0);
}

/* Keeps memory that one launch's recording freed for the next one's: fresh pages cost more than what is written to
 * them. */
static void keep_freed_memory(void) {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 256 << 20);
  mallopt(M_TOP_PAD, 1 << 20);
#endif
}

void worker_main(const struct worker_task *task) {
  struct worker k = {.task = task};
  signal(SIGXFSZ, SIG_IGN); /* a file beyond the limit (ulimit -f) is an error of writing */
  keep_freed_memory();
  if (prepare(&k, &task->report->error) || (task->request && serve(&k, &task->report->error)))
    worker_give_up(&k, &task->report->error);
  run_or_give_up(&k);
  _exit(0);
}

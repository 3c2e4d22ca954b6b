#include "tracegen/process/emulation_child.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/subprocess.h"
#include "trace/write/writer.h"
#include "tracegen/run/arguments.h"
#include "tracegen/process/builds.h"
#include "tracegen/process/check_results.h"
#include "tracegen/front/clang/compiler_process.h"
#include "tracegen/abi/kernel_abi.h"
#include "tracegen/process/launch_trace.h"
#include "tracegen/run/dry_run.h"
#include "tracegen/run/run_groups.h"

struct child {
  const struct child_task *task;
  struct built built;
  struct launch_trace trace;
  struct trace_writer *writer; /* of the launch that runs */
  bool to_stdout;              /* the trace: closed when everything else is done */
};

/* Of this process and of those it has waited for: workers. */
static double cpu_clock(void) {
  struct timespec own;
  struct rusage workers;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &own);
  getrusage(RUSAGE_CHILDREN, &workers);
  return (double)(own.tv_sec + workers.ru_utime.tv_sec + workers.ru_stime.tv_sec) + 1e-9 * (double)own.tv_nsec +
         1e-6 * (double)(workers.ru_utime.tv_usec + workers.ru_stime.tv_usec);
}

static void begin_phase(struct child *c, const char *what, const char *name) {
  struct child_report *report = c->task->report;
  report->phase_start_s = clock_seconds();
  snprintf(report->phase, sizeof report->phase, "%s %.80s", what, name);
}

/* No way back: the process ends, and the system frees what it holds. */
static void give_up(void *user, const struct error *error) __attribute__((noreturn));
static void give_up(void *user, const struct error *error) {
  struct child *c = user;
  if (error != &c->task->report->error)
    c->task->report->error = *error;
  if (c->writer)
    trace_writer_abort(c->writer);
  _exit(1);
}

static const struct kernel_program *build(struct child *c, const char *path, const struct workload_launch *launch,
                                          struct kernel_purpose purpose, struct error *error) {
  begin_phase(c, "compiling kernel", launch->kernel);
  return built_program(&c->built, path, launch, purpose, error);
}

/* Standard error: standard output is for results, or for the trace. */
static void print(const char *text, size_t length) {
  fwrite(text, 1, length, stderr);
}

static int open_writer(struct child *c, size_t index, const struct kernel_program *program, uint32_t local_bytes,
                       struct error *error) {
  if (launch_trace_open(&c->trace, index, program, local_bytes, c->task->trace_paths[index], &c->writer, error))
    return -1;
  trace_writer_count_bytes(c->writer, &c->task->report->launches[index].trace_bytes);
  return 0;
}

static int close_writer(struct child *c, struct error *error) {
  struct trace_writer *writer = c->writer;
  c->writer = NULL;
  return writer ? trace_writer_close(writer, error) : 0;
}

/* Running. */

/* What the trace's writer or the system says names no kernel. Both run out of memory where a work-group is too long. */
static int name_kernel(struct error *error, const char *kernel) {
  if (error->kind == ERROR_WORK && !error->file[0]) {
    char text[sizeof error->text];
    snprintf(text, sizeof text, "%s", error->text);
    snprintf(error->text, sizeof error->text, "kernel %.60s: %.3900s%s", kernel, text,
             strncmp(text, "out of memory", 13) == 0 ? "; use a smaller problem or a higher --memory" : "");
  }
  return -1;
}

static int run(struct child *c, const struct workload_launch *launch, const struct kernel_program *program,
               size_t traced_index, struct child_launch *result, struct error *error) {
  struct kernel_argument *arguments;
  uint32_t local_bytes;
  uint64_t instructions = 0;
  if (arguments_bind(c->task->workload, launch, program, c->task->arena, &arguments, &local_bytes, error))
    return -1;
  begin_phase(c, "running kernel", launch->kernel);
  const double start = clock_seconds(), cpu_start = cpu_clock();
  int status = traced_index != SIZE_MAX ? open_writer(c, traced_index, program, local_bytes, error) : 0;
  const struct run_request request = {.program = program,
                                      .launch = launch,
                                      .arguments = arguments,
                                      .arena = c->task->arena,
                                      .local_memory = c->task->arena->local,
                                      .local_bytes = local_bytes,
                                      .writer = traced_index != SIZE_MAX ? c->writer : NULL,
                                      .jobs = c->task->options->jobs,
                                      .memory_limit = c->task->memory_limit,
                                      .first_item_s = &result->first_item_s,
                                      .row_groups = &result->row_groups,
                                      .recording_limit = c->task->recording_limit,
                                      .undefined_reads = c->task->options->undefined_reads,
                                      .deadline_s = start + c->task->timeout_s,
                                      .limit_s = c->task->timeout_s,
                                      .print = c->task->options->no_print ? NULL : print,
                                      .fail = give_up,
                                      .user = c};
  if (!status && run_groups(&request, &instructions, error))
    status = name_kernel(error, launch->kernel);
  if (!status && !c->to_stdout)
    status = close_writer(c, error);
  result->run_s = clock_seconds() - start;
  result->cpu_s = cpu_clock() - cpu_start;
  result->instructions = instructions;
  free(arguments);
  return status;
}

/* An error that knows no file concerns what the workload's file says about the launch. */
static int at_launch(const struct child *c, const struct workload_launch *launch, struct error *error) {
  const char *path = c->task->workload->path;
  if (error->kind != ERROR_INPUT || error->file[0] || !path || !*path)
    return -1;
  snprintf(error->file, sizeof error->file, "%s", path);
  if (!error->key[0]) {
    error->line = launch->line;
    error->column = launch->column;
  }
  return -1;
}

/* Some argument is a buffer of which not every byte has been written. */
static bool reads_undefined_buffers(const struct child *c, const struct workload_launch *launch) {
  const struct arena *arena = c->task->arena;
  if (!arena->undefined || c->task->options->undefined_reads == UNDEFINED_READS_NONE)
    return false;
  for (size_t i = 0; i < launch->argument_count; i++) {
    const struct arena_region *r = &arena->regions[launch->arguments[i].buffer];
    if (launch->arguments[i].kind == ARGUMENT_BUFFER && memchr(arena->undefined + r->offset, 1, r->bytes))
      return true;
  }
  return false;
}

/* Kernels with private variables that some ways leave unwritten are tried out first. That the second version cannot be
 * built is no mistake of the kernel. */
static int rehearse(struct child *c, const struct workload_launch *launch, const struct kernel_program *program,
                    struct error *error) {
  struct error ignored = ERROR_INIT;
  struct kernel_argument *arguments;
  uint32_t local_bytes;
  if (!program->needs_checking || c->task->options->undefined_reads == UNDEFINED_READS_NONE)
    return 0;
  const struct kernel_program *follower =
      build(c, program->source, launch, (struct kernel_purpose){.original = program}, &ignored);
  if (!follower ||
      arguments_bind(c->task->workload, launch, follower, c->task->arena, &arguments, &local_bytes, &ignored))
    return 0;
  begin_phase(c, "looking for undefined values in kernel", launch->kernel);
  const struct run_request request = {.program = follower,
                                      .launch = launch,
                                      .arguments = arguments,
                                      .arena = c->task->arena,
                                      .local_memory = c->task->arena->local,
                                      .local_bytes = local_bytes,
                                      .memory_limit = c->task->memory_limit,
                                      .recording_limit = c->task->recording_limit,
                                      .undefined_reads = c->task->options->undefined_reads,
                                      .limit_s = c->task->timeout_s};
  const int status = rehearsal_run(&request, error);
  free(arguments);
  return status;
}

static const struct kernel_program *build_launch(struct child *c, size_t index, struct error *error) {
  const struct workload *w = c->task->workload;
  const double start = clock_seconds();
  const struct kernel_program *program =
      build(c, w->source, &w->launches[index],
            (struct kernel_purpose){.records = true, .tracks_buffers = reads_undefined_buffers(c, &w->launches[index])},
            error);
  c->task->report->launches[index].build_s += clock_seconds() - start;
  if (!program)
    at_launch(c, &w->launches[index], error);
  return program;
}

static int run_launch(struct child *c, size_t index, struct error *error) {
  const struct workload *w = c->task->workload;
  const double start = clock_seconds();
  const struct kernel_program *program = build_launch(c, index, error);
  if (!program)
    return -1;
  struct child_launch *result = &c->task->report->launches[index];
  if (rehearse(c, &w->launches[index], program, error))
    return -1;
  const int status = run(c, &w->launches[index], program, c->task->trace_paths ? index : SIZE_MAX, result, error);
  result->first_item_s -= result->source_at_s > 0 ? result->source_at_s : start;
  return status;
}

static int run_check(struct child *c, const struct workload_check *check, struct error *error) {
  struct child_launch ignored;
  const char *source = check->source ? check->source : c->task->workload->source;
  const struct kernel_program *program = build(c, source, &check->launch, (struct kernel_purpose){0}, error);
  if (!program)
    return at_launch(c, &check->launch, error);
  if (run(c, &check->launch, program, SIZE_MAX, &ignored, error))
    return -1;
  return check_compare(c->task->workload, check, c->task->arena, error);
}

void child_fill_buffers(const struct workload *w, const struct arena *arena) {
  for (size_t i = 0; i < w->buffer_count; i++) {
    const struct workload_buffer *b = &w->buffers[i];
    const struct arena_region *r = &arena->regions[i];
    workload_buffer_fill(b, arena->base + r->offset);
    if (b->undefined)
      memcpy(arena->undefined + r->offset, b->undefined, r->bytes);
    if (b->init == INIT_NONE)
      memset(arena->undefined + r->offset, 1, r->bytes);
  }
}

/* The first source: clang compiles it while buffers are filled. */
static int begin_source(struct child *c, struct error *error) {
  const struct workload *w = c->task->workload;
  begin_phase(c, "compiling kernel", w->launches[0].kernel);
  c->task->report->launches[0].source_at_s = clock_seconds();
  const int status = built_begin(&c->built, w, c->task->arena, c->task->options->check, error);
  c->built.lasts = c->task->order != NULL;
  return status;
}

/* While clang loads, this process has nothing else to do. */
static void prepare_llvm(void) {
  struct error later = ERROR_INIT;
  if (compiler_loads())
    kernel_warm_up(&later);
  else
    kernel_prepare();
}

static int prepare(struct child *c, struct error *error) {
  const struct workload *w = c->task->workload;
  if (begin_source(c, error))
    return at_launch(c, &w->launches[0], error);
  if (launch_trace_prepare(&c->trace, w, c->task->arena, error))
    return -1;
  begin_phase(c, "filling the buffers of", w->name ? w->name : "");
  child_fill_buffers(w, c->task->arena);
  prepare_llvm();
  return 0;
}

static int run_all(struct child *c, struct error *error) {
  const struct workload *w = c->task->workload;
  c->task->report->writer = getpid();
  c->to_stdout = c->task->trace_paths && strcmp(c->task->trace_paths[0], TRACE_TO_STDOUT) == 0;
  if (c->to_stdout)
    signal(SIGPIPE, SIG_IGN); /* a reader that went away is a failed write */
  for (; c->task->report->launches_done < w->launch_count; c->task->report->launches_done++)
    if (run_launch(c, c->task->report->launches_done, error))
      return -1;
  for (size_t i = 0; c->task->options->check && i < w->check_count; i++) {
    if (run_check(c, &w->checks[i], error))
      return -1;
    c->task->report->checks_passed++;
  }
  return close_writer(c, error);
}

static void run_and_end(struct child *c) __attribute__((noreturn));
static void run_and_end(struct child *c) {
  if (run_all(c, &c->task->report->error))
    give_up(c, &c->task->report->error);
  c->task->report->done = 1;
  _exit(0);
}

/* Serving. */

/* A launch leaves nothing behind in this process: it runs in one of its own. */
static int run_apart(struct child *c, int *status, struct error *error) {
  const pid_t runner = fork();
  if (runner == 0) {
    subprocess_end_with_parent();
    run_and_end(c);
  }
  if (runner < 0)
    return error_set(error, ERROR_WORK, "cannot start a process: %s", strerror(errno));
  *status = subprocess_wait(runner);
  return 0;
}

static bool answer_and_await(int parent, int status) {
  char order;
  return write(parent, &status, sizeof status) == sizeof status && read(parent, &order, 1) == 1;
}

static struct workload_buffer *buffers_of_orders(const struct workload *w, const struct child_order *order) {
  struct workload_buffer *buffers = calloc(w->buffer_count + 1, sizeof *buffers);
  for (size_t i = 0; buffers && i < w->buffer_count; i++) {
    buffers[i] = w->buffers[i];
    buffers[i].name = order->buffer_names[i];
  }
  return buffers;
}

/* What the parent cannot know of this process, or this process may not see changed. */
static void take_order(struct child_order *order, char *kernel, const struct workload *w, struct arena *arena) {
  order->launch.kernel = kernel;
  order->launch.arguments = order->arguments;
  for (size_t i = 0; i < w->buffer_count; i++)
    memcpy(arena->regions[i].name, order->buffer_names[i], sizeof arena->regions[i].name);
}

static int serve(struct child *c, struct error *error) {
  struct child_order *order = c->task->order;
  struct workload workload = *c->task->workload;
  struct child_task task = *c->task;
  char *kernel = workload.launches[0].kernel, *trace_path = order->trace_path;
  int status;
  if (!build_launch(c, 0, error) || run_apart(c, &status, error))
    return -1;
  workload.name = order->name;
  workload.launches = &order->launch;
  workload.buffers = buffers_of_orders(c->task->workload, order);
  if (!workload.buffers)
    return error_set(error, ERROR_WORK, "out of memory");
  task.workload = c->built.workload = c->trace.workload = &workload;
  task.trace_paths = task.trace_paths ? &trace_path : NULL;
  c->task = &task;
  while (answer_and_await(task.socket, status)) {
    take_order(order, kernel, &workload, task.arena);
    if (run_apart(c, &status, error))
      return -1;
  }
  _exit(0);
}

/* Memory that one launch's recording gave back serves the next one's: fresh pages cost more than what is written to
 * them. */
static void keep_freed_memory(void) {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 256 << 20);
  mallopt(M_TOP_PAD, 1 << 20);
#endif
}

void child_main(const struct child_task *task) {
  keep_freed_memory();
  struct child c = {.task = task};
  if (prepare(&c, &task->report->error) || (task->order && serve(&c, &task->report->error)))
    give_up(&c, &task->report->error);
  run_and_end(&c);
}

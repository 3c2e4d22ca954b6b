/* The side of the caller: starts the worker process, waits for it, judges how it ended and publishes the traces. */
#include "tracegen/process/emulation.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "base/process/early_end.h"
#include "tracegen/process/emulation_result.h"
#include "tracegen/process/kernel_list.h"
#include "tracegen/process/trace_files.h"
#include "tracegen/process/worker_pool.h"
#include "tracegen/process/worker_process.h"
#include "tracegen/confine/sandbox.h"
#include "tracegen/run/diagnose/mistakes.h"

#define DEFAULT_TIMEOUT_S    600.0
#define DEFAULT_MEMORY_BYTES ((uint64_t)8 << 30)
#define RECORDING_BYTES      ((uint64_t)4 << 30) /* limit of one work-group's recording */

struct emulation {
  const struct workload *workload;
  const struct emulate_options *options;
  const struct front_end *front_end;
  struct index_ranges *samples; /* by launch */
  struct worker_process process;
  bool persistent; /* the worker stays for later launches */
  struct trace_files files;
  struct error *error;
};

static double timeout_of(const struct emulate_options *options) {
  return options->timeout_s > 0 ? options->timeout_s : DEFAULT_TIMEOUT_S;
}

static uint64_t memory_of(const struct emulate_options *options) {
  return options->memory_bytes ? options->memory_bytes : DEFAULT_MEMORY_BYTES;
}

static const char *build_options(const struct workload *w) {
  return w->options ? w->options : "";
}

void emulate_expect(const struct front_end *front_end) {
  const struct front_end *f = front_end ? front_end : front_ends[0];
  if (f->early)
    f->early->expect();
}

/* The worker may have written anything to memory that both write. */
static size_t launches_done(const struct emulation *e) {
  const size_t done = e->process.report->launches_done;
  return done < e->workload->launch_count ? done : e->workload->launch_count;
}

static void end_texts(struct worker_report *r) {
  r->phase[sizeof r->phase - 1] = '\0';
  r->error.file[sizeof r->error.file - 1] = r->error.key[sizeof r->error.key - 1] = '\0';
  r->error.text[sizeof r->error.text - 1] = '\0';
}

/* A launch failed, so the traces of the launches before it are good. (Where a check fails, none is to be trusted.) */
static bool stopped_at_a_launch(const struct emulation *e) {
  const struct worker_report *report = e->process.report;
  return report && launches_done(e) < e->workload->launch_count && (!e->error || e->error->kind == ERROR_WORK);
}

static int judge(struct emulation *e, int status, bool timed_out) {
  struct worker_report *r = e->process.report;
  end_texts(r);
  if (timed_out)
    return error_set(e->error, ERROR_WORK, "%s took more than %g s and was stopped; a higher --timeout allows more",
                     r->phase, timeout_of(e->options));
  if (r->error.kind != ERROR_NONE) {
    if (e->error && e->error->kind == ERROR_NONE)
      *e->error = r->error;
    return -1;
  }
  if (WIFSIGNALED(status))
    return error_set(e->error, ERROR_WORK, "the emulator was killed by signal %d (%s) while %s%s", WTERMSIG(status),
                     strsignal(WTERMSIG(status)), r->phase, kernel_list_hint(WTERMSIG(status)));
  if (!r->done)
    return error_set(e->error, ERROR_WORK,
                     "the emulator ended early (status %d) while %s; the memory limit is %" PRIu64 " bytes",
                     WEXITSTATUS(status), r->phase, memory_of(e->options));
  return 0;
}

static int start(struct emulation *e) {
  const struct front_end_early *early = e->front_end->early;
  const struct workload *w = e->workload;
  const uint64_t memory = memory_of(e->options);
  const struct worker_task task = {.workload = w,
                                   .options = e->options,
                                   .front_end = e->front_end,
                                   .samples = e->samples,
                                   .trace_paths = e->files.staged,
                                   .staging = e->files.staging,
                                   .memory_limit = memory,
                                   .recording_limit = memory < RECORDING_BYTES ? memory : RECORDING_BYTES,
                                   .timeout_s = timeout_of(e->options)};
  if (early)
    early->before_fork(w->source, build_options(w));
  if (e->persistent)
    sandbox_prepare(false); /* once for all workers of a pool */
  const int status = worker_process_start(&e->process, task, e->error);
  if (early)
    early->after_fork(e->options->more_follow ? w->source : NULL, e->options->more_follow ? build_options(w) : NULL);
  return status;
}

static int start_or_order(struct emulation *e) {
  if (e->options->exchange && worker_process_fill(&e->process, e->workload, e->options->exchange, e->error))
    return -1;
  if (e->process.worker == 0)
    return start(e);
  worker_process_order(&e->process, e->workload, e->files.staged ? e->files.staged[0] : NULL,
                       e->options->max_instructions);
  return 0;
}

static int run_worker(struct emulation *e) {
  bool timed_out = false;
  int status = 0;
  e->process.quiet = e->options->quiet;
  const int failed = start_or_order(e);
  if (!failed)
    status = worker_process_watch(&e->process, timeout_of(e->options), &timed_out);
  if (e->front_end->early)
    e->front_end->early->child_ended();
  return failed ? -1 : judge(e, status, timed_out);
}

#define LEAST_STACK_BYTES ((rlim_t)256 << 10) /* LLVM's and the runner's own; kernels may need more (codegen/jit.c) */

static int check_stack(struct error *error) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_STACK, &limit) || limit.rlim_cur >= LEAST_STACK_BYTES)
    return 0;
  return error_set(error, ERROR_WORK, "the limit of the stack is %llu KiB, and emulation needs %llu (ulimit -s)",
                   (unsigned long long)limit.rlim_cur / 1024, (unsigned long long)LEAST_STACK_BYTES / 1024);
}

/* Gives the error the place of the launch in the workload's file. Returns -1. */
static int at_launch(const struct workload *w, const struct workload_launch *launch, struct error *error) {
  if (error && error->kind == ERROR_INPUT && launch->line && w->path && !error->file[0]) {
    snprintf(error->file, sizeof error->file, "%s", w->path);
    error->line = launch->line;
    error->column = launch->column;
  }
  return -1;
}

static int choose_groups(struct emulation *e) {
  const struct workload *w = e->workload;
  if (!(e->samples = calloc(w->launch_count + 1, sizeof *e->samples)))
    return error_no_memory(e->error);
  for (size_t i = 0; i < w->launch_count; i++)
    if (workload_chosen_groups(&w->launches[i], &e->samples[i], e->error))
      return at_launch(w, &w->launches[i], e->error);
  return 0;
}

/* Where only some work-groups run, results are incomplete: they are not checked, and bytes that nothing has written are
 * no mistake. */
static struct emulate_options options_of(const struct workload *w, const struct emulate_options *given) {
  struct emulate_options options = *given;
  for (size_t i = 0; i < w->launch_count; i++)
    if (w->launches[i].groups.kind != GROUPS_ALL) {
      options.check = false;
      options.undefined_reads = UNDEFINED_READS_NONE;
    }
  return options;
}

static int prepare(struct emulation *e) {
  const struct workload *w = e->workload;
  struct worker_pool *pool = e->options->pool;
  for (size_t i = 0; i < w->launch_count; i++)
    if (workload_check_range(&w->launches[i], e->error))
      return -1;
  if (choose_groups(e) || check_stack(e->error) || trace_files_name(&e->files, w, e->options, e->error))
    return -1;
  e->persistent = !e->files.to_stdout && !e->options->local_fill && worker_pool_accepts(pool, w);
  if (e->persistent && worker_pool_take(pool, e->front_end, w, &e->process))
    return 0;
  return worker_process_create(&e->process, w, memory_of(e->options), e->options->undefined_reads, e->persistent,
                               e->error);
}

static int copy_results(struct emulation *e, bool want_buffers, struct emulate_result *out) {
  return result_copy_launches(e->workload, e->process.report, e->files.paths, out, e->error) ||
                 (e->options->exchange &&
                  worker_process_take(&e->process, e->workload, e->options->exchange, e->error)) ||
                 (want_buffers && result_copy_buffers(e->workload, &e->process.arena, out, e->error)) ||
                 result_copy_undefined(e->workload, &e->process.arena, out, e->error)
             ? -1
             : 0;
}

static void discard(struct emulation *e, struct emulate_result *out) {
  if (e->options->exchange)
    worker_process_forget(&e->process, e->workload, e->options->exchange);
  if (stopped_at_a_launch(e))
    trace_files_publish(&e->files, launches_done(e), e->error);
  emulate_result_clear(out);
}

static void release(struct emulation *e) {
  for (size_t i = 0; e->samples && i < e->workload->launch_count; i++)
    index_ranges_clear(&e->samples[i]);
  free(e->samples);
  trace_files_clear(&e->files);
  if (e->persistent)
    worker_pool_give(e->options->pool, e->front_end, e->workload, &e->process);
  else
    worker_process_end(&e->process);
}

int emulate_workload(const struct workload *workload, const struct emulate_options *options, bool want_buffers,
                     struct emulate_result *out, struct error *error) {
  const struct emulate_options effective = options_of(workload, options);
  struct emulation e = {.workload = workload,
                        .options = &effective,
                        .front_end = options->front_end ? options->front_end : front_ends[0],
                        .process = {.socket = -1, .request_file = -1},
                        .error = error};
  *out = (struct emulate_result){0};
  if (e.front_end->emulate)
    return e.front_end->emulate(workload, &effective, want_buffers, out, error);
  early_end_stop_clock(); /* an emulation has a limit of its own */
  const int status = prepare(&e) || run_worker(&e) || copy_results(&e, want_buffers, out) ||
                             trace_files_publish(&e.files, workload->launch_count, error)
                         ? -1
                         : 0;
  if (status)
    discard(&e, out);
  release(&e);
  early_end_go_on();
  return status;
}

bool emulate_ran_out_of_time(const struct error *error) {
  return error->kind == ERROR_WORK && strstr(error->text, "; a higher --timeout allows more");
}

bool emulate_failed_by_local_read(const struct error *error) {
  return mistake_is_local_read(error);
}

void emulate_confinement(char *text, size_t size) {
  sandbox_describe(text, size);
}

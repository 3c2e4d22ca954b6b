#include "tracegen/process/worker_launch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/spill.h"
#include "tracegen/process/check_results.h"
#include "tracegen/run/independent_groups.h"
#include "tracegen/confine/sandbox.h"
#include "tracegen/run/arguments.h"
#include "tracegen/run/dry_run.h"
#include "tracegen/run/run_groups.h"

#define NO_LAUNCH SIZE_MAX

double worker_cpu_seconds(void) {
  struct rusage waited;
  getrusage(RUSAGE_CHILDREN, &waited);
  return clock_process_seconds() + (double)(waited.ru_utime.tv_sec + waited.ru_stime.tv_sec) +
         1e-6 * (double)(waited.ru_utime.tv_usec + waited.ru_stime.tv_usec);
}

void worker_begin_phase(struct worker *k, const char *what, const char *name) {
  struct worker_report *report = k->task->report;
  report->phase_start_s = clock_seconds();
  report->kernel_runs = false;
  report->groups_done = report->groups = 0;
  snprintf(report->phase, sizeof report->phase, "%s %.80s", what, name);
}

void worker_give_up(void *user, const struct error *error) {
  struct worker *k = user;
  if (error != &k->task->report->error)
    k->task->report->error = *error;
  if (k->writer)
    trace_writer_abort(k->writer);
  _exit(1);
}

int worker_error_at_launch(const struct worker *k, const struct workload_launch *launch, struct error *error) {
  const char *path = k->task->workload->path;
  if (error->kind != ERROR_INPUT || error->file[0] || !path || !*path)
    return -1;
  snprintf(error->file, sizeof error->file, "%s", path);
  if (!error->key[0]) {
    error->line = launch->line;
    error->column = launch->column;
  }
  return -1;
}

#define MOST_PLACES 8

/* The places for what a build writes: the cache of the front end, which is made where it is missing, and the trace's
 * own folder. */
static void list_writable(const struct worker_task *task, const char *const *files, const char *places[MOST_PLACES]) {
  const char *temporary = getenv("TMPDIR");
  struct error ignored = ERROR_INIT;
  size_t count = 0;
  places[count++] = "/dev/null";
  if (task->staging)
    places[count++] = task->staging;
  else if (task->trace_paths)
    places[count++] = temporary ? temporary : "/tmp"; /* for what a trace to standard output spills */
  for (; files && *files && count + 1 < MOST_PLACES; files++)
    if (access(*files, F_OK) != 0 || file_is_folder(*files)) {
      file_make_directories(*files, &ignored);
      places[count++] = *files;
    }
  places[count] = NULL;
}

/* The places of what a build reads, and of the compiler that it may have to load. */
static void list_readable(const struct front_end *front_end, const char *const *files,
                          const char *places[2 * MOST_PLACES]) {
  const char *const *compiler = front_end->compiler_files ? front_end->compiler_files() : NULL;
  size_t count = 0;
  for (; files && *files && count + 1 < MOST_PLACES; files++)
    places[count++] = *files;
  for (; compiler && *compiler && count + 1 < 2 * MOST_PLACES; compiler++)
    places[count++] = *compiler;
  places[count] = NULL;
}

/* Called before LLVM reads the first source. */
static int confine_compiling(struct worker *k, struct error *error) {
  const struct worker_task *task = k->task;
  const char *const *files = task->front_end->files ? task->front_end->files() : NULL;
  const char *writable[MOST_PLACES], *readable[2 * MOST_PLACES];
  if (k->compiles_confined)
    return 0;
  if (builds_fetch_sources(&k->builds, error))
    return -1;
  list_writable(task, files, writable);
  list_readable(task->front_end, files, readable);
  k->compiles_confined = true;
  return sandbox_enter_compiling(readable, writable, error);
}

static const struct kernel_program *build(struct worker *k, const char *path, const struct workload_launch *launch,
                                          struct kernel_purpose purpose, struct error *error) {
  worker_begin_phase(k, "compiling kernel", launch->kernel);
  if (confine_compiling(k, error))
    return NULL;
  return builds_program(&k->builds, path, launch, purpose, error);
}

/* Output of kernels goes to standard error, because standard output is for results or for the trace. */
static void print(const char *text, size_t length) {
  fwrite(text, 1, length, stderr);
}

/* Returns the limit of a launch. Launches of one persistent worker may have different ones. */
static uint64_t most_instructions(const struct worker *k) {
  return k->task->request ? k->task->request->max_instructions : k->task->options->max_instructions;
}

static int open_trace(struct worker *k, size_t index, const struct run_request *request, struct error *error) {
  if (launch_trace_open(&k->trace, index, request->program, request->local_bytes, request->sub_group,
                        k->task->trace_paths[index], &k->writer, error))
    return -1;
  trace_writer_limit_instructions(k->writer, most_instructions(k));
  trace_writer_count_bytes(k->writer, &k->task->report->launches[index].trace_bytes);
  return 0;
}

int worker_close_trace(struct worker *k, struct error *error) {
  struct trace_writer *writer = k->writer;
  k->writer = NULL;
  return writer ? trace_writer_close(writer, error) : 0;
}

/* Puts the kernel's name in front of errors of the trace's writer or the system, which name no kernel. Both run out of
 * memory where a work-group is too long. Returns -1. */
static int name_kernel(struct error *error, const char *kernel) {
  if (error->kind == ERROR_WORK && !error->file[0]) {
    char text[sizeof error->text];
    snprintf(text, sizeof text, "%s", error->text);
    snprintf(error->text, sizeof error->text, "kernel %.60s: %.3900s%s", kernel, text,
             strncmp(text, "out of memory", 13) == 0 ? "; use a smaller problem or a higher --memory" : "");
  }
  return -1;
}

/* The settings that all runs of a kernel have in common. */
static int bind(const struct worker *k, const struct workload_launch *launch, const struct kernel_program *program,
                struct run_request *out, struct error *error) {
  const struct worker_task *task = k->task;
  struct kernel_argument *arguments;
  *out = (struct run_request){.program = program,
                              .launch = launch,
                              .arena = task->arena,
                              .memory_limit = task->memory_limit,
                              .recording_limit = task->recording_limit,
                              .undefined_reads = task->options->undefined_reads,
                              .sub_group = launch_sub_group(launch, program, task->options->sub_group),
                              .limit_s = task->timeout_s};
  if (arguments_bind(task->workload, launch, program, task->arena, &arguments, &out->local_bytes, error))
    return -1;
  out->arguments = arguments;
  out->local_memory = task->arena->local;
  return 0;
}

static void release(struct run_request *request) {
  free((void *)request->arguments);
  free((void *)request->groups);
}

/* Lets only the chosen work-groups of launch number `index` run. */
static int choose_groups(const struct worker *k, size_t index, struct run_request *request,
                         struct emulate_launch *result, struct error *error) {
  const struct index_ranges *sample = &k->task->samples[index];
  const struct workload_launch *launch = request->launch;
  result->launch_groups = 1;
  for (int d = 0; d < 3; d++)
    result->launch_groups *= launch->global[d] / launch->local[d];
  result->groups = sample->count > 0 ? index_ranges_total(sample) : result->launch_groups;
  if (sample->count == 0)
    return 0;
  request->group_count = result->groups;
  request->groups = index_ranges_expand(sample);
  return request->groups ? 0 : error_no_memory(error);
}

#define SPARE_CPU_S 60.0 /* for compiling, and for stopping a kernel that takes too long */

/* Called before the first instruction of a kernel: what has to be opened from outside is there by then. */
static int confine(struct worker *k, struct error *error) {
  const struct worker_task *task = k->task;
  const struct workload *w = task->workload;
  const unsigned jobs = task->options->jobs > 1 ? task->options->jobs : 1;
  if (k->is_confined)
    return 0;
  spill_open();
  k->is_confined = true;
  return sandbox_enter(
      &(struct sandbox){.readable = task->front_end->files ? task->front_end->files() : NULL,
                        .folder = task->staging,
                        .may_fork = w->launch_count > 1,
                        .cpu_s = SPARE_CPU_S + (double)(w->launch_count + w->check_count) * jobs * task->timeout_s},
      error);
}

static int confine_dry_run(void) {
  struct error ignored = ERROR_INIT; /* the run itself meets it, too */
  return sandbox_enter(&(struct sandbox){.cpu_s = 1e9}, &ignored);
}

/* `index`: the number of the launch; NO_LAUNCH: a check. */
static int run(struct worker *k, const struct workload_launch *launch, const struct kernel_program *program,
               size_t index, struct emulate_launch *result, struct error *error) {
  struct run_request request;
  if (bind(k, launch, program, &request, error))
    return -1;
  worker_begin_phase(k, "running kernel", launch->kernel);
  k->task->report->kernel_runs = true;
  const bool traced = index != NO_LAUNCH && k->task->trace_paths;
  const double start = clock_seconds(), cpu_start = worker_cpu_seconds();
  int status = traced ? open_trace(k, index, &request, error) : 0;
  if (!status && index != NO_LAUNCH)
    status = choose_groups(k, index, &request, result, error);
  request.writer = traced ? k->writer : NULL;
  request.most_instructions = index != NO_LAUNCH ? most_instructions(k) : 0;
  request.jobs = k->task->options->jobs;
  request.first_item_s = &result->first_item_s;
  request.simd_groups = &result->simd_groups;
  result->outside = (struct outside_loads){0};
  request.outside = &result->outside;
  request.groups_done = &k->task->report->groups_done;
  k->task->report->groups = result->groups;
  request.deadline_s = start + k->task->timeout_s;
  request.print = k->task->options->no_print ? NULL : print;
  request.fail = worker_give_up;
  request.user = k;
  if (k->task->options->local_fill)
    memset(k->task->arena->local, k->task->options->local_fill, k->task->arena->local_bytes);
  if (!status)
    status = confine(k, error);
  if (!status && run_groups(&request, &result->work_item_instructions, error))
    status = name_kernel(error, launch->kernel);
  if (request.writer)
    trace_writer_outside_loads(request.writer, result->outside.count);
  if (!status && !k->to_stdout)
    status = worker_close_trace(k, error);
  result->run_s = clock_seconds() - start;
  result->cpu_s = worker_cpu_seconds() - cpu_start;
  release(&request);
  return status;
}

/* Returns whether some argument is a buffer of which not every byte has been written. */
static bool reads_undefined_buffers(const struct worker *k, const struct workload_launch *launch) {
  const struct arena *arena = k->task->arena;
  if (!arena->undefined || k->task->options->undefined_reads == UNDEFINED_READS_NONE)
    return false;
  for (size_t i = 0; i < launch->argument_count; i++) {
    const struct arena_region *r = &arena->regions[launch->arguments[i].buffer];
    if (launch->arguments[i].kind == ARGUMENT_BUFFER && memchr(arena->undefined + r->offset, 1, r->bytes))
      return true;
  }
  return false;
}

static bool reads_zero(const struct worker *k) {
  return k->task->options->out_of_bounds == OUT_OF_BOUNDS_READ_ZERO;
}

bool worker_dry_runs(const struct worker *k) {
  return k->builds.kernel_count > 0 && k->builds.kernels[0].program->needs_checking &&
         k->task->options->undefined_reads != UNDEFINED_READS_NONE;
}

/* Dry-runs kernels with private variables that some path leaves unwritten. It is no mistake of the kernel when the
 * version for the dry run cannot be built. */
static int dry_run_launch(struct worker *k, const struct workload_launch *launch, const struct kernel_program *program,
                          struct error *error) {
  struct error ignored = ERROR_INIT;
  struct run_request request;
  if (!program->needs_checking || k->task->options->undefined_reads == UNDEFINED_READS_NONE)
    return 0;
  const struct kernel_program *version = build(
      k, program->source, launch, (struct kernel_purpose){.original = program, .reads_zero = reads_zero(k)}, &ignored);
  if (!version || bind(k, launch, version, &request, &ignored))
    return 0;
  worker_begin_phase(k, "looking for undefined values in kernel", launch->kernel);
  request.confine = confine_dry_run;
  const int status = dry_run(&request, error);
  release(&request);
  return status;
}

const struct kernel_program *worker_build_launch(struct worker *k, size_t index, struct error *error) {
  const struct workload *w = k->task->workload;
  const struct workload_launch *launch = &w->launches[index];
  const double start = clock_seconds();
  const struct kernel_purpose purpose = {
      .records = true,
      .tracks_buffers = reads_undefined_buffers(k, launch),
      .may_be_undefined = k->task->options->undefined_reads == UNDEFINED_READS_NONE,
      .reads_zero = reads_zero(k),
      .unoptimised = k->task->options->unoptimised,
  };
  const struct kernel_program *program = build(k, w->source, launch, purpose, error);
  k->task->report->launches[index].build_s += clock_seconds() - start;
  if (!program)
    worker_error_at_launch(k, launch, error);
  return program;
}

static int check_independence(const struct worker *k, size_t index, const struct kernel_program *program,
                              struct error *error) {
  const struct workload *w = k->task->workload;
  return k->task->samples[index].count > 0 ? independent_groups_check(w, &w->launches[index], program, error) : 0;
}

int worker_run_launch(struct worker *k, size_t index, struct error *error) {
  const struct workload_launch *launch = &k->task->workload->launches[index];
  struct emulate_launch *result = &k->task->report->launches[index];
  const double start = clock_seconds();
  const struct kernel_program *program = worker_build_launch(k, index, error);
  if (!program || check_independence(k, index, program, error) || dry_run_launch(k, launch, program, error))
    return -1;
  result->inputs = program->inputs;
  result->inputs.everything |= program->needs_checking;
  const int status = run(k, launch, program, index, result, error);
  result->first_item_s -= result->source_at_s > 0 ? result->source_at_s : start;
  return status;
}

int worker_run_check(struct worker *k, const struct workload_check *check, struct error *error) {
  struct emulate_launch ignored = {0};
  const char *source = check->source ? check->source : k->task->workload->source;
  const struct kernel_program *program = build(k, source, &check->launch, (struct kernel_purpose){0}, error);
  if (!program)
    return worker_error_at_launch(k, &check->launch, error);
  if (run(k, &check->launch, program, NO_LAUNCH, &ignored, error))
    return -1;
  return check_compare(k->task->workload, check, k->task->arena, error);
}

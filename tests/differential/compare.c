#include "compare.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "opencl_run.h"
#include "trace/trace.h"
#include "tracegen/emulate.h"
#include "workload/workload.h"

#define LIMIT_S 120 /* of a phase of the emulation */

/* Processor time of OpenCL, where a launch takes 0.1 s with its compilation; ten times as long by the clock. */
#define OPENCL_LIMIT_S(launches) (10 + (unsigned)(launches))

/* The report of the process that runs OpenCL; the buffers' contents follow it. */
struct opencl_report {
  int done;
  struct error error;
};

static size_t buffer_bytes(const struct workload_buffer *b) {
  return (b->count * scalar_type_bytes(b->type) + 15) & ~(size_t)15;
}

static void fail(struct outcome *out, enum outcome_kind kind, const struct error *error) {
  out->kind = kind;
  snprintf(out->start, sizeof out->start, "%.23s", error->text);
  snprintf(out->text, sizeof out->text, "%s:%u: %.3000s", error->file, error->line, error->text);
}

static void read_traces(const struct emulate_result *emulated, struct outcome *out) {
  for (size_t i = 0; i < emulated->launch_count; i++) {
    const struct emulate_launch *launch = &emulated->launches[i];
    struct error error = ERROR_INIT;
    struct trace *trace;
    const int status = trace_load(launch->trace_path, &trace, &error);
    unlink(launch->trace_path);
    if (out->kind == OUTCOME_AGREE && status)
      fail(out, OUTCOME_TRACE_FAILS, &error);
    else if (out->kind == OUTCOME_AGREE &&
             (!trace->work_item_instructions || trace->work_item_instructions != launch->work_item_instructions)) {
      error_set(&error, ERROR_WORK, "the trace of %s has %" PRIu64 " instructions, the emulator ran %" PRIu64,
                launch->kernel, trace->work_item_instructions, launch->work_item_instructions);
      fail(out, OUTCOME_TRACE_FAILS, &error);
    }
    if (out->kind == OUTCOME_TRACE_FAILS && !out->launch_known) {
      out->launch = i;
      out->launch_known = 1;
    }
    if (!status)
      trace_destroy(trace);
  }
}

/* Again, one work-item after the other where there were rows of them: nothing may differ. */

static bool same_file(const char *path, const char *other) {
  struct error error = ERROR_INIT;
  char *a = NULL, *b = NULL;
  size_t length = 0, other_length = 0;
  const bool read =
      !file_read(path, SIZE_MAX, &a, &length, &error) && !file_read(other, SIZE_MAX, &b, &other_length, &error);
  const bool same = read && length == other_length && memcmp(a, b, length) == 0;
  free(a);
  free(b);
  return same;
}

static bool same_buffers(const struct workload *w, const struct emulate_result *a, const struct emulate_result *b) {
  for (size_t i = 0; i < w->buffer_count; i++)
    if (workload_first_difference(w->buffers[i].type, a->buffers[i], b->buffers[i], w->buffers[i].count, 0, 0) >= 0)
      return false;
  return true;
}

static void compare_runs(const struct workload *w, const struct emulate_result *rows,
                         const struct emulate_result *items, struct outcome *out) {
  struct error error = ERROR_INIT;
  for (size_t i = 0; i < items->launch_count; i++) {
    if (out->kind == OUTCOME_AGREE && !same_file(rows->launches[i].trace_path, items->launches[i].trace_path)) {
      error_set(&error, ERROR_WORK, "the trace of %s depends on how work-items are run", items->launches[i].kernel);
      fail(out, OUTCOME_TRACE_FAILS, &error);
      out->launch = i;
      out->launch_known = 1;
    }
    unlink(items->launches[i].trace_path);
  }
  if (out->kind == OUTCOME_AGREE && !same_buffers(w, rows, items)) {
    error_set(&error, ERROR_WORK, "buffers depend on how work-items are run");
    fail(out, OUTCOME_TRACE_FAILS, &error);
  }
}

static void run_again(const struct workload *w, const char *scratch, const struct emulate_result *rows,
                      struct outcome *out) {
  char *folder = text_format("%s/again", scratch);
  const struct emulate_options options = {.trace_directory = folder, .timeout_s = LIMIT_S, .quiet = true, .jobs = 2};
  struct error error = ERROR_INIT;
  struct emulate_result items;
  setenv("REASSEMBLE_SIMD", "never", 1);
  setenv("REASSEMBLE_CODEGEN_TIER", "optimising", 1);
  if (emulate_workload(w, &options, true, &items, &error))
    fail(out, OUTCOME_EMULATOR_FAILS, &error);
  else {
    compare_runs(w, rows, &items, out);
    emulate_result_clear(&items);
  }
  rmdir(folder);
  free(folder);
}

static int run_opencl(const struct workload *w, unsigned char *contents, struct error *error) {
  struct opencl_session *session;
  if (opencl_session_open(w, &session, error))
    return -1;
  for (size_t i = 0; i < w->launch_count; i++)
    if (opencl_session_run(session, w->source, &w->launches[i], error))
      return -1;
  for (size_t i = 0; i < w->buffer_count; i++) {
    if (opencl_session_read(session, i, contents, error))
      return -1;
    contents += buffer_bytes(&w->buffers[i]);
  }
  return 0;
}

static bool is_endless(int status) {
  return WIFSIGNALED(status) && (WTERMSIG(status) == SIGALRM || WTERMSIG(status) == SIGXCPU);
}

/* Runs OpenCL in a child; the report's memory is shared. */
static void run_opencl_apart(const struct workload *w, struct opencl_report *report, struct outcome *out) {
  fflush(NULL);
  const pid_t pid = fork();
  if (pid == 0) {
    const unsigned limit_s = OPENCL_LIMIT_S(w->launch_count);
    setrlimit(RLIMIT_CPU, &(struct rlimit){.rlim_cur = limit_s, .rlim_max = limit_s + 1});
    alarm(10 * limit_s);
    report->done = !run_opencl(w, (unsigned char *)(report + 1), &report->error);
    _exit(0);
  }
  int status = 0;
  if (pid < 0 || waitpid(pid, &status, 0) < 0 || WIFSIGNALED(status))
    error_set(&report->error, ERROR_WORK, "the process that ran OpenCL was killed by signal %d", WTERMSIG(status));
  if (!report->done)
    fail(out, is_endless(status) ? OUTCOME_OPENCL_ENDLESS : OUTCOME_OPENCL_FAILS, &report->error);
}

static size_t launch_of_buffer(const struct workload *w, size_t buffer) {
  for (size_t i = 0; i < w->launch_count; i++)
    for (size_t a = 0; a < w->launches[i].argument_count; a++)
      if (w->launches[i].arguments[a].kind == ARGUMENT_BUFFER && w->launches[i].arguments[a].buffer == buffer)
        return i;
  return 0;
}

static uint64_t bits_of(const unsigned char *memory, size_t bytes) {
  uint64_t bits = 0;
  memcpy(&bits, memory, bytes);
  return bits;
}

static void compare_buffers(const struct workload *w, void **emulated, const unsigned char *opencl,
                            struct outcome *out) {
  for (size_t i = 0; i < w->buffer_count && out->kind == OUTCOME_AGREE; i++) {
    const struct workload_buffer *b = &w->buffers[i];
    const size_t bytes = scalar_type_bytes(b->type);
    const ptrdiff_t at = workload_first_difference(b->type, emulated[i], opencl, b->count, 0, 0);
    if (at >= 0) {
      out->kind = OUTCOME_DIFFER;
      out->launch_known = 1;
      out->launch = launch_of_buffer(w, i);
      snprintf(out->text, sizeof out->text,
               "kernel %s, buffer %s, %s %td: 0x%" PRIx64 " emulated, 0x%" PRIx64 " in OpenCL",
               w->launches[out->launch].kernel, b->name, scalar_type_name(b->type), at,
               bits_of((unsigned char *)emulated[i] + (size_t)at * bytes, bytes),
               bits_of(opencl + (size_t)at * bytes, bytes));
    }
    opencl += buffer_bytes(b);
  }
}

static void compare_with_opencl(struct workload *w, const struct emulate_result *emulated, const char *opencl_options,
                                struct outcome *out) {
  size_t bytes = sizeof(struct opencl_report);
  for (size_t i = 0; i < w->buffer_count; i++)
    bytes += buffer_bytes(&w->buffers[i]);
  struct opencl_report *report = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (report == MAP_FAILED) {
    struct error error = ERROR_INIT;
    error_no_memory(&error);
    fail(out, OUTCOME_OPENCL_FAILS, &error);
    return;
  }
  char *own_options = w->options;
  if (opencl_options)
    w->options = text_format("%s %s", own_options ? own_options : "", opencl_options);
  run_opencl_apart(w, report, out);
  if (opencl_options)
    free(w->options);
  w->options = own_options;
  if (out->kind == OUTCOME_AGREE)
    compare_buffers(w, emulated->buffers, (const unsigned char *)(report + 1), out);
  munmap(report, bytes);
}

void compare_workload_file(const char *path, const char *scratch, const char *opencl_options, struct outcome *out) {
  const struct emulate_options options = {.trace_directory = scratch, .timeout_s = LIMIT_S, .quiet = true};
  struct error error = ERROR_INIT;
  struct workload *w = NULL;
  struct emulate_result emulated;
  *out = (struct outcome){.kind = OUTCOME_AGREE};
  setenv("REASSEMBLE_SIMD", "always", 1);
  unsetenv("REASSEMBLE_CODEGEN_TIER");
  if (workload_load(path, &w, &error) || emulate_workload(w, &options, true, &emulated, &error)) {
    fail(out, OUTCOME_EMULATOR_FAILS, &error);
    workload_destroy(w);
    return;
  }
  run_again(w, scratch, &emulated, out);
  read_traces(&emulated, out);
  if (out->kind == OUTCOME_AGREE)
    compare_with_opencl(w, &emulated, opencl_options, out);
  emulate_result_clear(&emulated);
  workload_destroy(w);
}

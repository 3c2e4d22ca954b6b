/* The parent's side: a child process with limits does the work; here it gets it, and is judged. */
#include "tracegen/emulate.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "tracegen/process/child_process.h"
#include "tracegen/front/clang/compiler_process.h"
#include "tracegen/front/front_end.h"
#include "tracegen/process/worker_pool.h"

#define DEFAULT_TIMEOUT_S    600.0
#define DEFAULT_MEMORY_BYTES ((uint64_t)8 << 30)
#define RECORDING_BYTES      ((uint64_t)4 << 30) /* of one work-group, uncompressed */

struct emulation {
  const struct workload *workload;
  const struct emulate_options *options;
  struct child_process process;
  bool serves;         /* the child is there for launches to come, too */
  char **trace_paths;  /* final names; NULL without tracing */
  char **staged_paths; /* where the child writes */
  struct error *error;
};

const char *emulate_front_end(void) {
  static char text[256];
  const char *slash = strrchr(REASSEMBLE_POCL_LIBRARY, '/');
  snprintf(text, sizeof text, "clang %s + LLVM %s + PoCL built-ins %s", REASSEMBLE_LLVM_VERSION,
           REASSEMBLE_LLVM_VERSION, slash ? slash + 1 : REASSEMBLE_POCL_LIBRARY);
  return text;
}

static double timeout_of(const struct emulate_options *options) {
  return options->timeout_s > 0 ? options->timeout_s : DEFAULT_TIMEOUT_S;
}

static uint64_t memory_of(const struct emulate_options *options) {
  return options->memory_bytes ? options->memory_bytes : DEFAULT_MEMORY_BYTES;
}

/* Names of traces. */

static bool to_stdout(const struct emulation *e) {
  return e->options->trace_directory && strcmp(e->options->trace_directory, TRACE_TO_STDOUT) == 0;
}

static int name_trace(struct emulation *e, size_t i) {
  const char *directory = e->options->trace_directory;
  if (to_stdout(e)) {
    e->trace_paths[i] = strdup(TRACE_TO_STDOUT);
    e->staged_paths[i] = strdup(TRACE_TO_STDOUT);
    return e->trace_paths[i] && e->staged_paths[i] ? 0 : error_set(e->error, ERROR_WORK, "out of memory");
  }
  const char *name = e->options->trace_name                    ? e->options->trace_name
                     : e->workload->name && *e->workload->name ? e->workload->name
                                                               : e->workload->launches[i].kernel;
  e->trace_paths[i] = e->workload->launch_count == 1 ? text_format("%s/%s.rtrace", directory, name)
                                                     : text_format("%s/%s.%zu.rtrace", directory, name, i);
  e->staged_paths[i] = e->trace_paths[i] ? text_format("%s.new-%ld", e->trace_paths[i], (long)getpid()) : NULL;
  return e->staged_paths[i] ? 0 : error_set(e->error, ERROR_WORK, "out of memory");
}

static int name_traces(struct emulation *e) {
  const size_t count = e->workload->launch_count;
  if (!e->options->trace_directory)
    return 0;
  if (to_stdout(e) && count != 1)
    return error_set(e->error, ERROR_INPUT,
                     "workload %s has %zu launches, and standard output takes one trace: write them to a folder",
                     e->workload->name ? e->workload->name : "", count);
  if (!to_stdout(e) && file_make_directories(e->options->trace_directory, e->error))
    return -1;
  e->trace_paths = calloc(count, sizeof *e->trace_paths);
  e->staged_paths = calloc(count, sizeof *e->staged_paths);
  if (!e->trace_paths || !e->staged_paths)
    return error_set(e->error, ERROR_WORK, "out of memory");
  for (size_t i = 0; i < count; i++)
    if (name_trace(e, i))
      return -1;
  return 0;
}

/* Whatever the child left: whole staged traces, and the partial file that base/file.h names after the process. */
static void remove_staged(struct emulation *e) {
  for (size_t i = 0; e->staged_paths && e->process.report && !to_stdout(e) && i < e->workload->launch_count; i++) {
    if (!e->staged_paths[i])
      continue;
    unlink(e->staged_paths[i]);
    char *partial = text_format("%s.tmp-%ld", e->staged_paths[i], (long)e->process.report->writer);
    if (partial)
      unlink(partial);
    free(partial);
  }
}

static int publish_traces(struct emulation *e, size_t count) {
  for (size_t i = 0; e->staged_paths && !to_stdout(e) && i < count; i++)
    if (file_target_publish(e->staged_paths[i], e->trace_paths[i], e->error)) {
      while (i-- > 0)
        if (!file_target_is_written_through(e->trace_paths[i]))
          unlink(e->trace_paths[i]);
      return -1;
    }
  return 0;
}

/* A launch went wrong: the traces of those before it are good. (Where a check fails, no trace is to be trusted.) */
static bool stopped_at_a_launch(const struct emulation *e) {
  const struct child_report *report = e->process.report;
  return report && report->launches_done < e->workload->launch_count && (!e->error || e->error->kind == ERROR_WORK);
}

/* The child. */

static int judge(struct emulation *e, int status, bool timed_out) {
  const struct child_report *r = e->process.report;
  if (timed_out)
    return error_set(e->error, ERROR_WORK, "%s took more than %g s and was stopped; a higher --timeout allows more",
                     r->phase, timeout_of(e->options));
  if (r->error.kind != ERROR_NONE) {
    if (e->error && e->error->kind == ERROR_NONE)
      *e->error = r->error;
    return -1;
  }
  if (WIFSIGNALED(status))
    return error_set(e->error, ERROR_WORK, "the emulator was killed by signal %d (%s) while %s", WTERMSIG(status),
                     strsignal(WTERMSIG(status)), r->phase);
  if (!r->done)
    return error_set(e->error, ERROR_WORK,
                     "the emulator ended early (status %d) while %s; the memory limit is %" PRIu64 " bytes",
                     WEXITSTATUS(status), r->phase, memory_of(e->options));
  return 0;
}

static const char *build_options(const struct workload *w) {
  return w->options ? w->options : "";
}

static void expect_this(const struct workload *w) {
  front_end_expect();
  if (w->source)
    front_end_correct(w->source, build_options(w));
}

static void expect_another(const struct workload *w) {
  if (w->source)
    front_end_remember(w->source, build_options(w));
  front_end_expect();
}

static int start(struct emulation *e) {
  const struct child_task task = {.workload = e->workload,
                                  .options = e->options,
                                  .trace_paths = e->staged_paths,
                                  .memory_limit = memory_of(e->options),
                                  .recording_limit =
                                      memory_of(e->options) < RECORDING_BYTES ? memory_of(e->options) : RECORDING_BYTES,
                                  .timeout_s = timeout_of(e->options)};
  expect_this(e->workload);
  const int status = child_process_start(&e->process, task, e->error);
  compiler_hand_over();
  if (e->options->more_follow)
    expect_another(e->workload);
  return status;
}

static int run_child(struct emulation *e) {
  bool timed_out;
  if (e->process.child > 0)
    child_process_order(&e->process, e->workload, e->staged_paths ? e->staged_paths[0] : NULL);
  else if (start(e)) {
    compiler_take_back();
    return -1;
  }
  const int status = child_process_watch(&e->process, timeout_of(e->options), &timed_out);
  compiler_take_back();
  return judge(e, status, timed_out);
}

/* Before and after. */

static int prepare(struct emulation *e) {
  const struct workload *w = e->workload;
  for (size_t i = 0; i < w->launch_count; i++)
    if (workload_check_range(&w->launches[i], e->error))
      return -1;
  e->serves = !to_stdout(e) && kept_children_may_serve(e->options->kept, w);
  if (!(e->serves && kept_children_take(e->options->kept, w, &e->process)) &&
      child_process_create(&e->process, w, memory_of(e->options), e->serves, e->error))
    return -1;
  return name_traces(e);
}

static int copy_buffers(const struct emulation *e, struct emulate_result *out) {
  const struct workload *w = e->workload;
  out->buffers = calloc(w->buffer_count + 1, sizeof *out->buffers);
  if (!out->buffers)
    return error_set(e->error, ERROR_WORK, "out of memory");
  for (; out->buffer_count < w->buffer_count; out->buffer_count++) {
    const struct arena_region *r = &e->process.arena.regions[out->buffer_count];
    void *copy = malloc(r->bytes ? r->bytes : 1);
    if (!copy)
      return error_set(e->error, ERROR_WORK, "out of memory for a copy of buffer %s", r->name);
    memcpy(copy, e->process.arena.base + r->offset, r->bytes);
    out->buffers[out->buffer_count] = copy;
  }
  return 0;
}

static int copy_undefined(const struct emulation *e, struct emulate_result *out) {
  const struct workload *w = e->workload;
  out->undefined = calloc(w->buffer_count + 1, sizeof *out->undefined);
  if (!out->undefined)
    return error_set(e->error, ERROR_WORK, "out of memory");
  for (; out->undefined_count < w->buffer_count; out->undefined_count++) {
    const struct arena_region *r = &e->process.arena.regions[out->undefined_count];
    char *copy = NULL;
    if (w->buffers[out->undefined_count].undefined && !(copy = malloc(r->bytes + 1)))
      return error_set(e->error, ERROR_WORK, "out of memory");
    if (copy)
      memcpy(copy, e->process.arena.undefined + r->offset, r->bytes);
    out->undefined[out->undefined_count] = copy;
  }
  return 0;
}

static int copy_launches(const struct emulation *e, struct emulate_result *out) {
  const struct workload *w = e->workload;
  out->launches = calloc(w->launch_count + 1, sizeof *out->launches);
  if (!out->launches)
    return error_set(e->error, ERROR_WORK, "out of memory");
  for (; out->launch_count < w->launch_count; out->launch_count++) {
    const size_t i = out->launch_count;
    const struct child_launch *r = &e->process.report->launches[i];
    out->launches[i] = (struct emulate_launch){.kernel = strdup(w->launches[i].kernel),
                                               .trace_path = e->trace_paths ? strdup(e->trace_paths[i]) : NULL,
                                               .trace_bytes = r->trace_bytes,
                                               .work_item_instructions = r->instructions,
                                               .row_groups = r->row_groups,
                                               .build_s = r->build_s,
                                               .run_s = r->run_s,
                                               .source_at_s = r->source_at_s,
                                               .first_item_s = r->first_item_s,
                                               .cpu_s = r->cpu_s};
    if (!out->launches[i].kernel || (e->trace_paths && !out->launches[i].trace_path))
      return error_set(e->error, ERROR_WORK, "out of memory");
  }
  out->checks_passed = e->process.report->checks_passed;
  return 0;
}

static void release(struct emulation *e) {
  for (size_t i = 0; i < e->workload->launch_count; i++) {
    if (e->trace_paths)
      free(e->trace_paths[i]);
    if (e->staged_paths)
      free(e->staged_paths[i]);
  }
  free(e->trace_paths);
  free(e->staged_paths);
  if (e->serves)
    kept_children_give(e->options->kept, e->workload, &e->process);
  else
    child_process_end(&e->process);
}

int emulate_workload(const struct workload *workload, const struct emulate_options *options, bool want_buffers,
                     struct emulate_result *out, struct error *error) {
  struct emulation e = {.workload = workload, .options = options, .process.socket = -1, .error = error};
  *out = (struct emulate_result){0};
  int status = prepare(&e) || run_child(&e) || copy_launches(&e, out) || (want_buffers && copy_buffers(&e, out)) ||
                       copy_undefined(&e, out) || publish_traces(&e, workload->launch_count)
                   ? -1
                   : 0;
  if (status) {
    if (stopped_at_a_launch(&e))
      publish_traces(&e, e.process.report->launches_done);
    remove_staged(&e);
    emulate_result_clear(out);
  }
  release(&e);
  return status;
}

void emulate_expect(void) {
  front_end_expect();
}

void emulate_result_clear(struct emulate_result *result) {
  for (size_t i = 0; i < result->launch_count; i++) {
    free(result->launches[i].trace_path);
    free(result->launches[i].kernel);
  }
  for (size_t i = 0; i < result->buffer_count; i++)
    free(result->buffers[i]);
  for (size_t i = 0; i < result->undefined_count; i++)
    free(result->undefined[i]);
  free(result->launches);
  free(result->buffers);
  free(result->undefined);
  *result = (struct emulate_result){0};
}

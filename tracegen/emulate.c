/* The parent's side: a child process with limits does the work; here it is started, watched and judged. */
#include "tracegen/emulate.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "base/file.h"
#include "base/text.h"
#include "tracegen/arena.h"
#include "tracegen/child.h"
#include "tracegen/compiler_process.h"
#include "tracegen/front_end.h"

#define DEFAULT_TIMEOUT_S    600.0
#define DEFAULT_MEMORY_BYTES ((uint64_t)8 << 30)
#define RECORDING_BYTES      ((uint64_t)4 << 30) /* of one work-group, uncompressed */
#define POLL_MS              50
#define GRACE_S              1.0 /* for a child that is late, to say where its kernel is */

struct emulation {
  const struct workload *workload;
  const struct emulate_options *options;
  struct arena arena;
  struct child_report *report;
  size_t report_bytes;
  char **trace_paths;  /* final names; NULL without tracing */
  char **staged_paths; /* where the child writes */
  pid_t child;
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
  const char *name = e->workload->name && *e->workload->name ? e->workload->name : e->workload->launches[i].kernel;
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
  for (size_t i = 0; e->staged_paths && !to_stdout(e) && i < e->workload->launch_count; i++) {
    if (!e->staged_paths[i])
      continue;
    unlink(e->staged_paths[i]);
    char *partial = text_format("%s.tmp-%ld", e->staged_paths[i], (long)e->child);
    if (partial)
      unlink(partial);
    free(partial);
  }
}

static int publish_traces(struct emulation *e, size_t count) {
  for (size_t i = 0; e->staged_paths && !to_stdout(e) && i < count; i++)
    if (rename(e->staged_paths[i], e->trace_paths[i])) {
      error_set(e->error, ERROR_WORK, "cannot rename %s to %s: %s", e->staged_paths[i], e->trace_paths[i],
                strerror(errno));
      while (i-- > 0)
        unlink(e->trace_paths[i]);
      return -1;
    }
  return 0;
}

/* A launch went wrong: the traces of those before it are good. (Where a check fails, no trace is to be trusted.) */
static bool stopped_at_a_launch(const struct emulation *e) {
  return e->report && e->report->launches_done < e->workload->launch_count &&
         (!e->error || e->error->kind == ERROR_WORK);
}

/* The child. */

static void limit_memory(uint64_t bytes) {
#if !defined(REASSEMBLE_SANITIZED)
  /* Data only: address space is reserved generously and costs nothing. Shared buffers are limited by the arena. */
  const struct rlimit limit = {bytes, bytes};
  setrlimit(RLIMIT_DATA, &limit);
#else
  (void)bytes; /* the sanitizer's shadow memory counts as data */
#endif
  const struct rlimit no_core = {0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
}

static void become_child(struct emulation *e) {
  const struct child_task task = {.workload = e->workload,
                                  .options = e->options,
                                  .trace_paths = e->staged_paths,
                                  .arena = &e->arena,
                                  .memory_limit = memory_of(e->options),
                                  .recording_limit =
                                      memory_of(e->options) < RECORDING_BYTES ? memory_of(e->options) : RECORDING_BYTES,
                                  .timeout_s = timeout_of(e->options),
                                  .report = e->report};
  setpgid(0, 0); /* so that the compiler it starts can be stopped with it */
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
  limit_memory(memory_of(e->options));
  child_main(&task);
}

static void stop_child(struct emulation *e) {
  kill(-e->child, SIGKILL);
  kill(e->child, SIGKILL);
}

/* Waits until the child is gone. The pipe's other end closes with it; a phase that takes too long ends it. */
static int watch(struct emulation *e, int pipe_end, bool *timed_out) {
  int status = 0;
  struct pollfd fd = {.fd = pipe_end, .events = POLLIN};
  *timed_out = false;
  while (poll(&fd, 1, POLL_MS) <= 0)
    if (child_clock() - e->report->phase_start_s > timeout_of(e->options) + GRACE_S) {
      *timed_out = true;
      stop_child(e);
      break;
    }
  while (waitpid(e->child, &status, 0) < 0 && errno == EINTR)
    continue;
  return status;
}

static int judge(struct emulation *e, int status, bool timed_out) {
  const struct child_report *r = e->report;
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

static int run_child(struct emulation *e) {
  int ends[2];
  bool timed_out;
  if (pipe2(ends, O_CLOEXEC))
    return error_set(e->error, ERROR_WORK, "cannot create a pipe: %s", strerror(errno));
  expect_this(e->workload);
  e->report->phase_start_s = child_clock();
  fflush(NULL);
  e->child = fork();
  if (e->child == 0) {
    close(ends[0]);
    become_child(e);
  }
  close(ends[1]);
  compiler_hand_over();
  if (e->options->more_follow)
    expect_another(e->workload);
  if (e->child < 0) {
    close(ends[0]);
    compiler_take_back();
    return error_set(e->error, ERROR_WORK, "cannot start a process: %s", strerror(errno));
  }
  const int status = watch(e, ends[0], &timed_out);
  compiler_take_back();
  close(ends[0]);
  return judge(e, status, timed_out);
}

/* Before and after. */

/* Where the workload's file asks for the buffer. */
static int at_buffer(struct emulation *e, const struct workload_buffer *b) {
  if (e->error && b->line && e->workload->path) {
    snprintf(e->error->file, sizeof e->error->file, "%s", e->workload->path);
    e->error->line = b->line;
    e->error->column = b->column;
  }
  return -1;
}

static int prepare(struct emulation *e) {
  const struct workload *w = e->workload;
  uint32_t offset;
  for (size_t i = 0; i < w->launch_count; i++)
    if (workload_check_range(&w->launches[i], e->error))
      return -1;
  if (arena_create(&e->arena, memory_of(e->options), e->error))
    return -1;
  for (size_t i = 0; i < w->buffer_count; i++) {
    const struct workload_buffer *b = &w->buffers[i];
    if (arena_place(&e->arena, b->name, b->count * scalar_type_bytes(b->type), &offset, e->error))
      return at_buffer(e, b);
    if ((b->init == INIT_NONE || b->undefined) && arena_allow_undefined(&e->arena, e->error))
      return -1;
  }
  e->report_bytes = sizeof *e->report + w->launch_count * sizeof e->report->launches[0];
  e->report = mmap(NULL, e->report_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (e->report == MAP_FAILED) {
    e->report = NULL;
    return error_set(e->error, ERROR_WORK, "no memory to share with a child process: %s", strerror(errno));
  }
  return name_traces(e);
}

static int copy_buffers(const struct emulation *e, struct emulate_result *out) {
  const struct workload *w = e->workload;
  out->buffers = calloc(w->buffer_count + 1, sizeof *out->buffers);
  if (!out->buffers)
    return error_set(e->error, ERROR_WORK, "out of memory");
  for (; out->buffer_count < w->buffer_count; out->buffer_count++) {
    const struct arena_region *r = &e->arena.regions[out->buffer_count];
    void *copy = malloc(r->bytes ? r->bytes : 1);
    if (!copy)
      return error_set(e->error, ERROR_WORK, "out of memory for a copy of buffer %s", r->name);
    memcpy(copy, e->arena.base + r->offset, r->bytes);
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
    const struct arena_region *r = &e->arena.regions[out->undefined_count];
    char *copy = NULL;
    if (w->buffers[out->undefined_count].undefined && !(copy = malloc(r->bytes + 1)))
      return error_set(e->error, ERROR_WORK, "out of memory");
    if (copy)
      memcpy(copy, e->arena.undefined + r->offset, r->bytes);
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
    const struct child_launch *r = &e->report->launches[i];
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
  out->checks_passed = e->report->checks_passed;
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
  if (e->report)
    munmap(e->report, e->report_bytes);
  arena_destroy(&e->arena);
}

int emulate_workload(const struct workload *workload, const struct emulate_options *options, bool want_buffers,
                     struct emulate_result *out, struct error *error) {
  struct emulation e = {.workload = workload, .options = options, .child = -1, .error = error};
  *out = (struct emulate_result){0};
  int status = prepare(&e) || run_child(&e) || copy_launches(&e, out) || (want_buffers && copy_buffers(&e, out)) ||
                       copy_undefined(&e, out) || publish_traces(&e, workload->launch_count)
                   ? -1
                   : 0;
  if (status) {
    if (stopped_at_a_launch(&e))
      publish_traces(&e, e.report->launches_done);
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

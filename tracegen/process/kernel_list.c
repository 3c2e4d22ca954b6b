#include "tracegen/process/kernel_list.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/process/subprocess.h"
#include "tracegen/confine/sandbox.h"

#define CONSTANTS_BYTES ((uint64_t)1 << 30) /* limit of a program's constants */
#define DATA_BYTES      ((uint64_t)8 << 30) /* limit of a building process' memory, as `trace` has by default */
#define NOT_TRIED       2                   /* exit code of a building process that cannot be confined */

struct source {
  const struct front_end *front_end;
  struct front_module module;
  double timeout_s;
  kernel_viewer *viewer;
  void *user;
};

/* In memory that the building process shares with this one. */
struct shared {
  struct kernel_summary kernel;
  struct error viewer; /* the viewer's error, which is no fault of the kernel */
};

/* The building process. */

static void describe_arguments(const struct kernel_program *program, struct kernel_summary *out) {
  size_t used = 0;
  for (uint32_t i = 0; i < program->parameter_count && used < sizeof out->arguments; i++) {
    const struct kernel_parameter *p = &program->parameters[i];
    used += (size_t)snprintf(out->arguments + used, sizeof out->arguments - used, "%s%s%s%s%s%s", i ? ", " : "",
                             p->is_pointer ? trace_space_name(p->space) : "", p->is_pointer ? " " : "", p->type_name,
                             p->name[0] ? " " : "", p->name);
  }
}

static void describe(const struct kernel_program *program, struct kernel_summary *out) {
  describe_arguments(program, out);
  out->blocks = program->code.block_count;
  for (uint32_t b = 0; b < program->code.block_count; b++)
    out->operations += program->counted_ops[b];
  out->registers = program->registers;
  out->local_bytes = program->local_bytes;
  out->private_bytes = program->private_bytes;
  memcpy(out->required_local, program->required_local, sizeof out->required_local);
  out->barrier = program->has_barrier;
}

/* Lets the viewer print to the file `view`, which the parent reads. */
static int print_view(const struct source *source, const struct kernel_program *program, int view,
                      struct error *error) {
  if (dup2(view, STDOUT_FILENO) < 0)
    return error_set(error, ERROR_WORK, "cannot redirect standard output: %s", strerror(errno));
  return source->viewer(source->user, program->name, &program->code, program->ir, error) || fflush(stdout) ? -1 : 0;
}

static void build(const struct source *source, int view, struct shared *shared) {
  struct kernel_summary *out = &shared->kernel;
  struct arena arena;
  struct kernel_program *program;
  const struct front_request request = {.kernel = out->name, .arena = &arena};
  if (arena_create(&arena, CONSTANTS_BYTES, &out->refusal) ||
      source->front_end->build(&source->module, &request, &program, &out->refusal))
    _exit(1);
  describe(program, out);
  if (source->viewer)
    print_view(source, program, view, &shared->viewer);
  _exit(0);
}

/* The parent. */

/* Returns the status of the process; -1: it took too long and was killed. */
static int wait_with_limit(pid_t process, int pipe_end, double timeout_s) {
  struct pollfd fd = {.fd = pipe_end, .events = POLLIN};
  int ready;
  while ((ready = poll(&fd, 1, (int)(timeout_s * 1000))) < 0 && errno == EINTR)
    continue;
  if (ready <= 0)
    kill(process, SIGKILL);
  const int status = subprocess_wait(process);
  return ready <= 0 ? -1 : status;
}

const char *kernel_list_hint(int signal) {
  return signal == SIGABRT || signal == SIGSEGV ? "; LLVM ends like this when memory runs out" : "";
}

static void judge(int status, double timeout_s, struct kernel_summary *out) {
  if (status == -1)
    error_set(&out->refusal, ERROR_WORK, "kernel %s: compiling it took more than %g s", out->name, timeout_s);
  else if (WIFSIGNALED(status))
    error_set(&out->refusal, ERROR_WORK, "kernel %s: the compiler was killed by signal %d (%s)%s", out->name,
              WTERMSIG(status), strsignal(WTERMSIG(status)), kernel_list_hint(WTERMSIG(status)));
  else if (WEXITSTATUS(status)) /* a reason that the process gave before is kept */
    error_set(&out->refusal, ERROR_WORK, "kernel %s: the compiler ended with exit code %d", out->name,
              WEXITSTATUS(status));
  out->is_unknown =
      (status != -1 && (WIFSIGNALED(status) || WEXITSTATUS(status) == NOT_TRIED)) || error_is_no_memory(&out->refusal);
}

/* Takes what the viewer printed, and closes the file. */
static int read_view(FILE *file, struct kernel_summary *out, struct error *error) {
  const long length = fseek(file, 0, SEEK_END) ? -1 : ftell(file);
  out->view = length < 0 ? NULL : calloc((size_t)length + 1, 1);
  if (length >= 0 && !out->view)
    error_no_memory(error);
  rewind(file);
  const bool whole = out->view && fread(out->view, 1, (size_t)length, file) == (size_t)length;
  fclose(file);
  return whole ? 0 : error_set(error, ERROR_WORK, "cannot read the view of kernel %s", out->name);
}

static int build_apart(const struct source *source, FILE *view, struct shared *shared, struct error *error) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC))
    return error_set(error, ERROR_WORK, "cannot create a pipe: %s", strerror(errno));
  fflush(NULL);
  const pid_t process = fork();
  if (process == 0) {
    subprocess_end_with_parent();
    close(ends[0]);
    subprocess_limit_memory(DATA_BYTES);
    if (sandbox_enter_compiling(source->front_end->files ? source->front_end->files() : NULL, NULL,
                                &shared->kernel.refusal))
      _exit(NOT_TRIED);
    build(source, view ? fileno(view) : -1, shared);
  }
  close(ends[1]);
  if (process > 0)
    judge(wait_with_limit(process, ends[0], source->timeout_s), source->timeout_s, &shared->kernel);
  close(ends[0]);
  return process > 0 ? 0 : error_set(error, ERROR_WORK, "cannot start a process: %s", strerror(errno));
}

static int build_one(const struct source *source, struct shared *shared, struct kernel_summary *out,
                     struct error *error) {
  FILE *view = source->viewer ? tmpfile() : NULL;
  if (source->viewer && !view)
    return error_set(error, ERROR_WORK, "cannot create a temporary file: %s", strerror(errno));
  *shared = (struct shared){.kernel = *out, .viewer = ERROR_INIT};
  int status = build_apart(source, view, shared, error);
  *out = shared->kernel;
  if (!status && shared->viewer.kind != ERROR_NONE) {
    *error = shared->viewer;
    status = -1;
  }
  if (view && status)
    fclose(view);
  return status || !view ? status : read_view(view, out, error);
}

static int build_all(const struct source *source, struct kernel_list *out, struct error *error) {
  struct shared *shared = subprocess_shared_memory(sizeof *shared);
  if (!shared)
    return error_set(error, ERROR_WORK, "no memory to share with a child process: %s", strerror(errno));
  int status = 0;
  for (size_t i = 0; i < out->count && !status; i++)
    status = build_one(source, shared, &out->kernels[i], error);
  munmap(shared, sizeof *shared);
  return status;
}

static int name_kernels(const struct source *source, struct kernel_list *out, struct error *error) {
  char **names;
  size_t count;
  if (source->front_end->kernel_names(&source->module, &names, &count, error))
    return -1;
  out->kernels = calloc(count + 1, sizeof *out->kernels);
  for (size_t i = 0; i < count; i++) {
    if (out->kernels)
      snprintf(out->kernels[i].name, sizeof out->kernels[i].name, "%s", names[i]);
    free(names[i]);
  }
  free(names);
  out->count = out->kernels ? count : 0;
  return out->kernels ? 0 : error_no_memory(error);
}

int kernel_list_read(const struct front_end *front_end, const char *path, const char *options, double timeout_s,
                     kernel_viewer *viewer, void *user, struct kernel_list *out, struct error *error) {
  struct source source = {.front_end = front_end, .timeout_s = timeout_s, .viewer = viewer, .user = user};
  *out = (struct kernel_list){0};
  int status = front_end->begin(path, options, error) || front_end->finish(path, &source.module, error) ||
                       name_kernels(&source, out, error) || build_all(&source, out, error)
                   ? -1
                   : 0;
  free(source.module.bytes);
  if (status)
    kernel_list_clear(out);
  return status;
}

void kernel_list_clear(struct kernel_list *list) {
  for (size_t i = 0; i < list->count; i++)
    free(list->kernels[i].view);
  free(list->kernels);
  *list = (struct kernel_list){0};
}

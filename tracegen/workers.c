#include "tracegen/workers.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "trace/bytes.h"

#define PIPE_BYTES (1 << 20)

struct message {
  uint64_t failed, instructions, length;
};

struct worker {
  pid_t process; /* 0: none */
  int from;      /* -1: none */
};

static int write_all(int to, const void *data, size_t length) {
  for (const char *at = data; length > 0;) {
    const ssize_t count = write(to, at, length);
    if (count < 0 && errno != EINTR)
      return -1;
    at += count > 0 ? count : 0;
    length -= count > 0 ? (size_t)count : 0;
  }
  return 0;
}

static int read_all(int from, void *data, size_t length) {
  for (char *at = data; length > 0;) {
    const ssize_t count = read(from, at, length);
    if (count == 0 || (count < 0 && errno != EINTR))
      return -1;
    at += count > 0 ? count : 0;
    length -= count > 0 ? (size_t)count : 0;
  }
  return 0;
}

int worker_send(const struct worker_pipe *pipe, const struct worker_record *record) {
  const struct message m = {.instructions = record->instructions, .length = record->length};
  return write_all(pipe->end, &m, sizeof m) || write_all(pipe->end, record->data, record->length) ? -1 : 0;
}

void worker_fail(void *user, const struct error *error) {
  const struct worker_pipe *pipe = user;
  const struct message m = {.failed = 1, .length = sizeof *error};
  if (write_all(pipe->end, &m, sizeof m) == 0)
    write_all(pipe->end, error, sizeof *error);
  _exit(1);
}

static void become_worker(const struct worker_task *task, int end, unsigned index, unsigned count)
    __attribute__((noreturn));
static void become_worker(const struct worker_task *task, int end, unsigned index, unsigned count) {
  struct worker_pipe pipe = {.end = end};
  struct error error = ERROR_INIT;
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
  if (task->work(task->user, &pipe, task->first + index, count, &error))
    worker_fail(&pipe, &error);
  _exit(0);
}

static int start(struct worker *w, const struct worker_task *task, unsigned index, unsigned count,
                 struct error *error) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC))
    return error_set(error, ERROR_WORK, "cannot create a pipe: %s", strerror(errno));
#ifdef F_SETPIPE_SZ
  fcntl(ends[1], F_SETPIPE_SZ, PIPE_BYTES); /* a smaller one only makes workers wait sooner */
#endif
  w->process = fork();
  if (w->process == 0)
    become_worker(task, ends[1], index, count);
  close(ends[1]);
  w->from = ends[0];
  if (w->process > 0)
    return 0;
  w->process = 0;
  return error_set(error, ERROR_WORK, "cannot start a process: %s", strerror(errno));
}

static int take_error(const struct worker *w, const struct message *m, struct error *error) {
  struct error theirs;
  if (m->length != sizeof theirs || read_all(w->from, &theirs, sizeof theirs))
    return error_set(error, ERROR_WORK, "a process that emulates work-groups failed and did not say why");
  if (error != NULL && error->kind == ERROR_NONE)
    *error = theirs;
  return -1;
}

static int take(const struct worker *w, const struct worker_task *task, uint64_t group, struct bytes *buffer,
                struct error *error) {
  struct message m;
  if (read_all(w->from, &m, sizeof m))
    return error_set(error, ERROR_WORK,
                     "a process that emulates work-groups ended early, at work-group %llu; was there enough memory?",
                     (unsigned long long)group);
  if (m.failed)
    return take_error(w, &m, error);
  buffer->length = 0;
  if (!bytes_reserve(buffer, m.length + 1))
    return error_set(error, ERROR_WORK, "out of memory for the record of work-group %llu", (unsigned long long)group);
  if (read_all(w->from, buffer->data, m.length))
    return error_set(error, ERROR_WORK, "a process that emulates work-groups ended in the middle of work-group %llu",
                     (unsigned long long)group);
  const struct worker_record record = {.instructions = m.instructions, .length = m.length, .data = buffer->data};
  return task->take(task->user, group, &record, error);
}

static void stop(struct worker *w) {
  if (w->from >= 0)
    close(w->from);
  if (w->process == 0)
    return;
  kill(w->process, SIGKILL); /* one that has sent everything has nothing left to do */
  while (waitpid(w->process, NULL, 0) < 0 && errno == EINTR)
    continue;
}

int workers_run(const struct worker_task *task, unsigned count, struct error *error) {
  struct worker *workers = calloc(count, sizeof *workers);
  struct bytes buffer = {0};
  int status = workers != NULL ? 0 : error_set(error, ERROR_WORK, "out of memory");
  for (unsigned i = 0; workers != NULL && i < count; i++)
    workers[i].from = -1;
  for (unsigned i = 0; status == 0 && i < count; i++)
    status = start(&workers[i], task, i, count, error);
  for (uint64_t group = task->first; status == 0 && group < task->end; group++)
    status = take(&workers[(group - task->first) % count], task, group, &buffer, error);
  for (unsigned i = 0; workers != NULL && i < count; i++)
    stop(&workers[i]);
  free(workers);
  bytes_clear(&buffer);
  return status;
}

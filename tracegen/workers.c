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

#define PIPE_BYTES  (1 << 20)
#define WRITE_BYTES ((size_t)64 << 10) /* gathered before they are written */
#define READ_BYTES  ((size_t)256 << 10)
#define ALIGNMENT   16 /* of messages, as malloc aligns: a record's words are read where they lie */

struct message {
  uint64_t failed, instructions, length, unused;
};

struct worker {
  pid_t process; /* 0: none */
  int from;      /* -1: none */
  struct bytes arrived;
  size_t taken; /* of them */
};

static size_t padded(size_t length) {
  return (length + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

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

static int flush(struct worker_pipe *pipe) {
  const int status = write_all(pipe->end, pipe->gathered.data, pipe->gathered.length);
  pipe->gathered.length = 0;
  return status;
}

static int gather(struct worker_pipe *pipe, const struct message *m, const void *data) {
  static const char padding[ALIGNMENT];
  bytes_append(&pipe->gathered, m, sizeof *m);
  bytes_append(&pipe->gathered, data, (size_t)m->length);
  bytes_append(&pipe->gathered, padding, padded((size_t)m->length) - (size_t)m->length);
  return pipe->gathered.failed ? -1 : 0;
}

int worker_send(struct worker_pipe *pipe, const struct worker_record *record) {
  const struct message m = {.instructions = record->instructions, .length = record->length};
  if (gather(pipe, &m, record->data))
    return -1;
  return pipe->gathered.length >= WRITE_BYTES ? flush(pipe) : 0;
}

void worker_fail(void *user, const struct error *error) {
  struct worker_pipe *pipe = user;
  const struct message m = {.failed = 1, .length = sizeof *error};
  if (gather(pipe, &m, error) == 0)
    flush(pipe);
  _exit(1);
}

void worker_end(struct worker_pipe *pipe) {
  _exit(flush(pipe) ? 1 : 0);
}

/* Reads on until `length` bytes lie there that were not taken. Those that were give way, in whole steps of ALIGNMENT.
 */
static int arrive(struct worker *w, size_t length) {
  struct bytes *b = &w->arrived;
  if (b->length - w->taken >= length)
    return 0;
  if (b->length > w->taken) /* before the first bytes there is no memory */
    memmove(b->data, b->data + w->taken, b->length - w->taken);
  b->length -= w->taken;
  w->taken = 0;
  if (!bytes_reserve(b, length > READ_BYTES ? length : READ_BYTES))
    return -1;
  while (b->length < length) {
    const ssize_t count = read(w->from, b->data + b->length, b->capacity - b->length);
    if (count == 0 || (count < 0 && errno != EINTR))
      return -1;
    b->length += count > 0 ? (size_t)count : 0;
  }
  return 0;
}

static const void *take_bytes(struct worker *w, size_t length) {
  if (arrive(w, length))
    return NULL;
  const void *at = w->arrived.data + w->taken;
  w->taken += length;
  return at;
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
  worker_end(&pipe);
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

static int take_error(struct worker *w, const struct message *m, struct error *error) {
  const struct error *theirs = m->length == sizeof *theirs ? take_bytes(w, sizeof *theirs) : NULL;
  if (theirs == NULL)
    return error_set(error, ERROR_WORK, "a process that emulates work-groups failed and did not say why");
  if (error != NULL && error->kind == ERROR_NONE)
    *error = *theirs;
  return -1;
}

static int ended_early(const struct worker *w, uint64_t group, struct error *error) {
  if (w->arrived.failed)
    return error_set(error, ERROR_WORK, "out of memory for the record of work-group %llu", (unsigned long long)group);
  return error_set(error, ERROR_WORK,
                   "a process that emulates work-groups ended early, at work-group %llu; was there enough memory?",
                   (unsigned long long)group);
}

static int take(struct worker *w, const struct worker_task *task, uint64_t group, struct error *error) {
  const struct message *head = take_bytes(w, sizeof *head);
  if (head == NULL)
    return ended_early(w, group, error);
  const struct message m = *head; /* it may move */
  if (m.failed)
    return take_error(w, &m, error);
  struct worker_record record = {.instructions = m.instructions, .length = m.length};
  record.data = take_bytes(w, padded((size_t)m.length));
  if (record.data == NULL)
    return ended_early(w, group, error);
  return task->take(task->user, group, &record, error);
}

static void stop(struct worker *w) {
  bytes_clear(&w->arrived);
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
  int status = workers != NULL ? 0 : error_set(error, ERROR_WORK, "out of memory");
  for (unsigned i = 0; workers != NULL && i < count; i++)
    workers[i].from = -1;
  for (unsigned i = 0; status == 0 && i < count; i++)
    status = start(&workers[i], task, i, count, error);
  for (uint64_t group = task->first; status == 0 && group < task->end; group++)
    status = take(&workers[(group - task->first) % count], task, group, error);
  for (unsigned i = 0; workers != NULL && i < count; i++)
    stop(&workers[i]);
  free(workers);
  return status;
}

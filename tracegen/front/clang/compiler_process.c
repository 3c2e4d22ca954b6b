#include "tracegen/front/clang/compiler_process.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/process/subprocess.h"
#include "trace/format/bytes.h"
#include "tracegen/front/clang/bitcode_end.h"
#include "tracegen/front/clang/compile_errors.h"
#include "tracegen/front/clang/confine_compiler.h"

#define MAX_MESSAGE_BYTES (1 << 20)  /* warnings may come before the first error */
#define MOST_MEMORY       (1u << 30) /* bytes; a kernel takes it 100 MB */
#define YOUNG_S           0.012      /* of the 25 ms and more that loading takes (measured, docs/emulation-speed.md) */

/* A compiler; keeper 0: there is none. */
struct compiler {
  pid_t keeper;                                 /* the process that starts clang and reports how it ended */
  double started_s;                             /* by clock_seconds */
  int arguments, source, out, messages, status; /* this process' ends of the pipes; -1: closed */
};

static struct compiler waiting;
static struct bytes readable; /* by the one that waits or compiles: folders as confine_compiler.h has them */
static pid_t handed_over;     /* the keeper of a compiler that belongs to another process; 0: none */
static pid_t leaving;         /* the keeper of a compiler that has written everything and is about to end; 0: none */

static bool append(struct compiler_bytes *b, const char *data, size_t length) {
  if (b->length + length > b->limit) {
    b->overflow = true;
    length = b->limit - b->length;
  }
  if (!array_room(&b->data, &b->capacity, b->length + length + 1, 1))
    return false;
  memcpy(b->data + b->length, data, length);
  b->length += length;
  b->data[b->length] = 0;
  return true;
}

/* Reads both pipes until clang closes them or the bitcode is complete: ending takes clang another 2 ms. */
static int collect(int out_pipe, int message_pipe, struct compiler_bytes *out, struct compiler_bytes *message) {
  struct pollfd fds[2] = {{.fd = out_pipe, .events = POLLIN}, {.fd = message_pipe, .events = POLLIN}};
  struct compiler_bytes *targets[2] = {out, message};
  char chunk[65536];
  while ((fds[0].fd >= 0 || fds[1].fd >= 0) && !bitcode_is_complete(out->data, out->length)) {
    if (poll(fds, 2, -1) < 0 && errno != EINTR)
      return -1;
    for (int i = 0; i < 2; i++) {
      if (fds[i].fd < 0 || !fds[i].revents)
        continue;
      const ssize_t n = read(fds[i].fd, chunk, sizeof chunk);
      if (n == 0 || (n < 0 && errno != EINTR))
        fds[i].fd = -1;
      else if (n > 0 && !append(targets[i], chunk, (size_t)n))
        return -1;
    }
  }
  return 0;
}

/* Returns the bytes of memory that clang may use: what this process may, and no more than any kernel needs. */
static size_t most_memory(void) {
  struct rlimit limit;
  const bool limited = getrlimit(RLIMIT_DATA, &limit) == 0 && limit.rlim_cur < MOST_MEMORY;
  return limited ? (size_t)limit.rlim_cur : MOST_MEMORY;
}

static void limit_own_memory(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_DATA, &limit) == 0) {
    limit.rlim_cur = most_memory();
    setrlimit(RLIMIT_DATA, &limit);
  }
}

#define UNCONFINED 125 /* exit code of a process that could not be confined, and does not become the compiler */

static void become_clang(int arguments, int source, int out, int message) __attribute__((noreturn));
static void become_clang(int arguments, int source, int out, int message) {
  subprocess_end_with_parent();
  char response[32];
  const int kept = fcntl(arguments, F_DUPFD, 3); /* the copy stays open in clang */
  if (kept < 0 || dup2(source, 0) < 0 || dup2(out, 1) < 0 || dup2(message, 2) < 0)
    _exit(126);
  snprintf(response, sizeof response, "@/dev/fd/%d", kept);
  setenv("LC_ALL", "C", 1);
  if (confine_compiler((const char *)readable.data))
    _exit(UNCONFINED);
  limit_own_memory(); /* last: this process, forked from a larger one, can get no memory from here on */
  execl(REASSEMBLE_CLANG, REASSEMBLE_CLANG, response, (char *)NULL);
  _exit(errno == ENOENT || errno == EACCES ? 127 : 126);
}

/* The pipes between this process, the keeper and clang. */
enum { ARGUMENTS, SOURCE, OUT, MESSAGES, STATUS, PIPES };

/* Returns which end the keeper and clang use: 0 to read, 1 to write. */
static int their_end(int pipe_number) {
  return pipe_number == ARGUMENTS || pipe_number == SOURCE ? 0 : 1;
}

#define MOST_FILES 1024

/* Closes the files of the process that forked, so that nothing that waits for their end waits for a compiler. */
static void close_others(int ends[PIPES][2]) {
  for (int file = 3; file < MOST_FILES; file++) {
    bool needed = false;
    for (int i = 0; i < PIPES; i++)
      needed |= file == ends[i][their_end(i)];
    if (!needed)
      close(file);
  }
}

/* Reports clang's process id, waits for its end, and reports its exit status. */
static void become_keeper(int ends[PIPES][2]) __attribute__((noreturn));
static void become_keeper(int ends[PIPES][2]) {
  int status = 126 << 8;
  subprocess_end_with_parent();
  signal(SIGCHLD, SIG_DFL); /* one that is ignored, as some parents leave it, would hide how clang ended */
  close_others(ends);
  const pid_t clang = fork();
  if (clang == 0)
    become_clang(ends[ARGUMENTS][0], ends[SOURCE][0], ends[OUT][1], ends[MESSAGES][1]);
  for (int i = 0; i < STATUS; i++)
    close(ends[i][their_end(i)]);
  bool told = write(ends[STATUS][1], &clang, sizeof clang) == sizeof clang;
  if (clang > 0)
    status = subprocess_wait(clang);
  told = told && write(ends[STATUS][1], &status, sizeof status) == sizeof status;
  _exit(told ? 0 : 1);
}

static void close_all(int ends[PIPES][2]) {
  for (int i = 0; i < PIPES; i++)
    for (int side = 0; side < 2; side++)
      if (ends[i][side] >= 0)
        close(ends[i][side]);
}

/* With the empty text at their end; 0: there are none. */
static size_t folders_length(const char *folders) {
  size_t length = 0;
  while (folders && folders[length])
    length += strlen(folders + length) + 1;
  return folders ? length + 1 : 0;
}

static int note_folders(const char *folders, struct error *error) {
  bytes_clear(&readable);
  bytes_append(&readable, folders ? folders : "", folders ? folders_length(folders) : 1);
  return readable.failed ? error_no_memory(error) : 0;
}

static int start(const char *folders, struct error *error) {
  if (note_folders(folders, error))
    return -1;
  int ends[PIPES][2] = {{-1, -1}, {-1, -1}, {-1, -1}, {-1, -1}, {-1, -1}};
  for (int i = 0; i < PIPES; i++)
    if (pipe2(ends[i], O_CLOEXEC)) {
      error_set(error, ERROR_WORK, "cannot create a pipe: %s", strerror(errno));
      close_all(ends);
      return -1;
    }
  const pid_t keeper = fork();
  if (keeper == 0)
    become_keeper(ends);
  if (keeper < 0) {
    error_set(error, ERROR_WORK, "cannot start %s: %s", REASSEMBLE_CLANG, strerror(errno));
    close_all(ends);
    return -1;
  }
  waiting = (struct compiler){keeper,       clock_seconds(),   ends[ARGUMENTS][1], ends[SOURCE][1],
                              ends[OUT][0], ends[MESSAGES][0], ends[STATUS][0]};
  for (int i = 0; i < PIPES; i++)
    close(ends[i][their_end(i)]);
  return 0;
}

/* Writes everything and closes the pipe. A compiler that did not start has closed its end; its exit status says why. */
static void send(int *to, const char *text, size_t length) {
  struct sigaction before;
  const struct sigaction ignore = {.sa_handler = SIG_IGN};
  sigaction(SIGPIPE, &ignore, &before);
  while (length > 0) {
    const ssize_t count = write(*to, text, length);
    if (count < 0 && errno != EINTR)
      break;
    text += count > 0 ? count : 0;
    length -= count > 0 ? (size_t)count : 0;
  }
  sigaction(SIGPIPE, &before, NULL);
  close(*to);
  *to = -1;
}

bool compiler_waits_for(const char *folders) {
  const size_t length = folders_length(folders);
  return waiting.keeper != 0 && readable.length == length && memcmp(readable.data, folders, length) == 0;
}

void compiler_expect(const char *arguments, const char *folders) {
  struct error later = ERROR_INIT;
  if (waiting.keeper == 0 && start(folders, &later) == 0 && arguments)
    send(&waiting.arguments, arguments, strlen(arguments));
}

bool compiler_loads(void) {
  return clock_seconds() - waiting.started_s < YOUNG_S;
}

bool compiler_waits(void) {
  return waiting.keeper != 0;
}

bool compiler_awaits_source(void) {
  return waiting.keeper != 0 && waiting.arguments < 0;
}

static void close_ours(void) {
  if (waiting.arguments >= 0)
    close(waiting.arguments);
  if (waiting.source >= 0)
    close(waiting.source);
  close(waiting.out);
  close(waiting.messages);
  close(waiting.status);
  waiting.keeper = 0;
}

void compiler_hand_over(void) {
  if (waiting.keeper == 0)
    return;
  compiler_take_back();
  handed_over = waiting.keeper;
  close_ours();
}

void compiler_take_back(void) {
  if (handed_over == 0)
    return;
  kill(handed_over, SIGKILL); /* its clang, where that still runs, ends with it */
  subprocess_wait(handed_over);
  handed_over = 0;
}

static int report_failure(const char *source, int status, struct compiler_bytes *message, struct error *error) {
  if (WIFEXITED(status) && WEXITSTATUS(status) == 127 &&
      message->length) /* the loader has found no room for a library */
    return error_set(error, ERROR_WORK, "cannot run %s: %.*s; does a limit (ulimit -v) forbid it?", REASSEMBLE_CLANG,
                     (int)strcspn(message->data, "\n"), message->data);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
    return error_set(error, ERROR_WORK, "cannot run %s, the OpenCL C compiler this program was built for; install it",
                     REASSEMBLE_CLANG);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 126)
    return error_set(error, ERROR_WORK, "cannot start %s; is there enough memory under the memory limit?",
                     REASSEMBLE_CLANG);
  if (WIFEXITED(status) && WEXITSTATUS(status) == UNCONFINED)
    return error_set(error, ERROR_WORK, "cannot keep %s from files that %s may not include (Landlock)",
                     REASSEMBLE_CLANG, source);
  if (!WIFEXITED(status))
    return error_set(error, ERROR_WORK, "%s was killed by signal %d (%s) while compiling %s", REASSEMBLE_CLANG,
                     WTERMSIG(status), strsignal(WTERMSIG(status)), source);
  return compile_error(source, message->data, (const char *)readable.data, most_memory(), error);
}

/* Gives a compiler that was started before the limits of the process that uses it were known those limits. */
static void limit_memory(pid_t clang) {
#ifdef __linux__
  struct rlimit limit;
  if (clang > 0 && getrlimit(RLIMIT_DATA, &limit) == 0 && limit.rlim_cur < MOST_MEMORY)
    prlimit(clang, RLIMIT_DATA, &limit, NULL);
#else
  (void)clang;
#endif
}

static bool read_number(void *number, size_t size) {
  ssize_t count;
  while ((count = read(waiting.status, number, size)) < 0 && errno == EINTR)
    continue;
  return count == (ssize_t)size;
}

/* Waits for the keeper, where this process has started it. */
static void wait_for(pid_t *keeper) {
  if (*keeper)
    subprocess_wait(*keeper);
  *keeper = 0;
}

static void limit_waiting(void) {
  pid_t clang = 0;
  if (read_number(&clang, sizeof clang))
    limit_memory(clang);
}

void compiler_dismiss(void) {
  pid_t keeper = waiting.keeper;
  if (keeper == 0)
    return;
  kill(keeper, SIGKILL);
  wait_for(&keeper);
  close_ours();
}

int compiler_begin(const char *arguments, const char *folders, struct error *error) {
  if (compiler_awaits_source() || (compiler_waits() && !compiler_waits_for(folders)))
    compiler_dismiss();
  if (waiting.keeper == 0 && start(folders, error))
    return -1;
  limit_waiting();
  send(&waiting.arguments, arguments, strlen(arguments));
  close(waiting.source);
  waiting.source = -1;
  return 0;
}

void compiler_begin_source(const char *text, size_t length) {
  assert(compiler_awaits_source());
  limit_waiting();
  send(&waiting.source, text, length);
}

int compiler_finish(const char *source, struct compiler_bytes *bitcode, struct error *error) {
  struct compiler_bytes message = {.limit = MAX_MESSAGE_BYTES};
  int result = 0, status = 0;
  assert(waiting.keeper != 0 && waiting.arguments < 0 && waiting.source < 0);
  if (collect(waiting.out, waiting.messages, bitcode, &message))
    result = error_set(error, ERROR_WORK, "cannot read what %s wrote: %s", REASSEMBLE_CLANG, strerror(errno));
  wait_for(&leaving);
  leaving = waiting.keeper;
  if (!bitcode_is_complete(bitcode->data, bitcode->length)) {
    if (!read_number(&status, sizeof status))
      status = SIGKILL; /* the keeper was killed */
    wait_for(&leaving);
  }
  close_ours();
  if (!result && status != 0)
    result = report_failure(source, status, &message, error);
  if (!result && bitcode->overflow)
    result = error_set(error, ERROR_INPUT, "%s compiles to more than %zu bytes", source, bitcode->limit);
  free(message.data);
  return result;
}

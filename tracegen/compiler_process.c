#include "tracegen/compiler_process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#define MAX_MESSAGE_BYTES 3500 /* what fits into struct error's text */

/* The compiler that waits; process 0: none. `owner` started it: after a fork it is not the other process's. */
static struct {
  pid_t process, owner;
  int arguments, out, messages; /* our ends of its pipes */
} waiting;

static bool append(struct compiler_bytes *b, const char *data, size_t length) {
  if (b->length + length > b->limit) {
    b->overflow = true;
    length = b->limit - b->length;
  }
  if (b->length + length + 1 > b->capacity) {
    const size_t capacity = (b->length + length + 1) * 2;
    char *larger = realloc(b->data, capacity);
    if (!larger)
      return false;
    b->data = larger;
    b->capacity = capacity;
  }
  memcpy(b->data + b->length, data, length);
  b->length += length;
  b->data[b->length] = 0;
  return true;
}

/* Reads both pipes until clang closes them. */
static int collect(int out_pipe, int message_pipe, struct compiler_bytes *out, struct compiler_bytes *message) {
  struct pollfd fds[2] = {{.fd = out_pipe, .events = POLLIN}, {.fd = message_pipe, .events = POLLIN}};
  struct compiler_bytes *targets[2] = {out, message};
  char chunk[65536];
  while (fds[0].fd >= 0 || fds[1].fd >= 0) {
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

static void become_clang(int arguments, int out, int message) __attribute__((noreturn));
static void become_clang(int arguments, int out, int message) {
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
  char response[32];
  const int null = open("/dev/null", O_RDONLY), kept = fcntl(arguments, F_DUPFD, 3); /* the copy stays open in clang */
  if (null < 0 || kept < 0 || dup2(null, 0) < 0 || dup2(out, 1) < 0 || dup2(message, 2) < 0)
    _exit(126);
  snprintf(response, sizeof response, "@/dev/fd/%d", kept);
  setenv("LC_ALL", "C", 1);
  execl(REASSEMBLE_CLANG, REASSEMBLE_CLANG, response, (char *)NULL);
  _exit(errno == ENOENT || errno == EACCES ? 127 : 126);
}

static void close_all(const int ends[2]) {
  close(ends[0]);
  close(ends[1]);
}

static int start(struct error *error) {
  int arguments[2] = {-1, -1}, out[2] = {-1, -1}, messages[2] = {-1, -1};
  if (pipe2(arguments, O_CLOEXEC) || pipe2(out, O_CLOEXEC) || pipe2(messages, O_CLOEXEC)) {
    error_set(error, ERROR_WORK, "cannot create a pipe: %s", strerror(errno));
    close_all(arguments);
    close_all(out);
    close_all(messages);
    return -1;
  }
  const pid_t process = fork();
  if (process == 0)
    become_clang(arguments[0], out[1], messages[1]);
  if (process < 0) {
    error_set(error, ERROR_WORK, "cannot start %s: %s", REASSEMBLE_CLANG, strerror(errno));
    close_all(arguments);
    close_all(out);
    close_all(messages);
    return -1;
  }
  close(arguments[0]);
  close(out[1]);
  close(messages[1]);
  waiting.process = process;
  waiting.owner = getpid();
  waiting.arguments = arguments[1];
  waiting.out = out[0];
  waiting.messages = messages[0];
  return 0;
}

static bool one_waits(void) {
  return waiting.process > 0 && waiting.owner == getpid();
}

void compiler_expect(void) {
  struct error later = ERROR_INIT;
  if (!one_waits())
    start(&later);
}

static int report_failure(const char *source, int status, struct compiler_bytes *message, struct error *error) {
  if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
    return error_set(error, ERROR_WORK, "cannot run %s, the OpenCL C compiler this program was built for; install it",
                     REASSEMBLE_CLANG);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 126)
    return error_set(error, ERROR_WORK, "cannot start %s; is there enough memory under the memory limit?",
                     REASSEMBLE_CLANG);
  if (!WIFEXITED(status))
    return error_set(error, ERROR_WORK, "%s was killed by signal %d (%s) while compiling %s", REASSEMBLE_CLANG,
                     WTERMSIG(status), strsignal(WTERMSIG(status)), source);
  while (message->length && message->data[message->length - 1] == '\n')
    message->data[--message->length] = 0;
  return error_at(error, ERROR_INPUT, source, 0, 0, NULL, "the kernels do not compile:\n%s%s",
                  message->data ? message->data : "", message->overflow ? "\n(more messages left out)" : "");
}

/* A compiler that did not start has closed its end: its exit status says more. */
static void send(int to, const char *text) {
  struct sigaction before;
  const struct sigaction ignore = {.sa_handler = SIG_IGN};
  sigaction(SIGPIPE, &ignore, &before);
  for (size_t left = strlen(text); left > 0;) {
    const ssize_t count = write(to, text, left);
    if (count < 0 && errno != EINTR)
      break;
    text += count > 0 ? count : 0;
    left -= count > 0 ? (size_t)count : 0;
  }
  sigaction(SIGPIPE, &before, NULL);
}

int compiler_run(const char *source, const char *arguments, struct compiler_bytes *bitcode, struct error *error) {
  struct compiler_bytes message = {.limit = MAX_MESSAGE_BYTES};
  int result = 0, status = -1;
  if (!one_waits() && start(error))
    return -1;
  send(waiting.arguments, arguments);
  close(waiting.arguments);
  if (collect(waiting.out, waiting.messages, bitcode, &message))
    result = error_set(error, ERROR_WORK, "cannot read what %s wrote: %s", REASSEMBLE_CLANG, strerror(errno));
  close(waiting.out);
  close(waiting.messages);
  while (waitpid(waiting.process, &status, 0) < 0 && errno == EINTR)
    continue;
  waiting.process = 0;
  if (!result && status != 0)
    result = report_failure(source, status, &message, error);
  if (!result && bitcode->overflow)
    result = error_set(error, ERROR_INPUT, "%s compiles to more than %zu bytes", source, bitcode->limit);
  free(message.data);
  return result;
}

#include "tracegen/front_end.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "base/file.h"
#include "base/text.h"
#include "tracegen/phases.h"

#define MAX_SOURCE_BYTES  ((size_t)64 << 20)
#define MAX_BITCODE_BYTES ((size_t)256 << 20)
#define MAX_MESSAGE_BYTES 3500 /* what fits into struct error's text */
#define MAX_OPTIONS       512

/* Copies the next word of *text to *out (quotes and backslashes as in a shell), NUL-terminated. */
static bool next_word(const char **text, char **out) {
  const char *t = *text;
  while (*t == ' ' || *t == '\t' || *t == '\n')
    t++;
  if (!*t)
    return false;
  char quote = 0;
  for (; *t && (quote || (*t != ' ' && *t != '\t' && *t != '\n')); t++) {
    if (quote ? *t == quote : *t == '"' || *t == '\'')
      quote = quote ? 0 : *t;
    else {
      if (*t == '\\' && quote != '\'' && t[1])
        t++;
      *(*out)++ = *t;
    }
  }
  *(*out)++ = 0;
  *text = t;
  return true;
}

/* OpenCL 1.2, 5.6.4: the options of clBuildProgram. Anything else (plug-ins, outputs, ...) never reaches clang. */
static bool is_opencl_option(const char *word, bool *takes_next) {
  *takes_next = strcmp(word, "-D") == 0 || strcmp(word, "-I") == 0;
  return *takes_next || strncmp(word, "-D", 2) == 0 || strncmp(word, "-I", 2) == 0 || strncmp(word, "-cl-", 4) == 0 ||
         strcmp(word, "-w") == 0 || strcmp(word, "-Werror") == 0;
}

int front_end_options(const char *options, char ***words, size_t *count, struct error *error) {
  const size_t length = strlen(options);
  char **list = malloc((MAX_OPTIONS + 1) * sizeof *list + length + 2);
  if (!list)
    return error_set(error, ERROR_WORK, "out of memory");
  char *out = (char *)(list + MAX_OPTIONS + 1);
  const char *start = out;
  bool takes_next = false;
  *count = 0;
  while (next_word(&options, &out)) {
    if (*count == MAX_OPTIONS) {
      free(list);
      return error_set(error, ERROR_INPUT, "more than %d build options", MAX_OPTIONS);
    }
    list[(*count)++] = (char *)start;
    if (takes_next)
      takes_next = false;
    else if (!is_opencl_option(start, &takes_next)) {
      error_at(error, ERROR_INPUT, NULL, 0, 0, "options",
               "build option \"%s\" is not supported; expected -D, -I, -cl-..., -w or -Werror (OpenCL 1.2, section "
               "5.6.4)",
               start);
      free(list);
      return -1;
    }
    start = out;
  }
  list[*count] = NULL;
  if (takes_next) {
    error_set(error, ERROR_INPUT, "build option \"%s\" lacks its value", list[*count - 1]);
    free(list);
    return -1;
  }
  *words = list;
  return 0;
}

struct bytes {
  char *data;
  size_t length, capacity, limit;
  bool overflow; /* more than `limit` came; the rest was dropped */
};

static bool append(struct bytes *b, const char *data, size_t length) {
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
static int collect(int out_pipe, int message_pipe, struct bytes *out, struct bytes *message) {
  struct pollfd fds[2] = {{.fd = out_pipe, .events = POLLIN}, {.fd = message_pipe, .events = POLLIN}};
  struct bytes *targets[2] = {out, message};
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

static void become_clang(char **arguments, int out, int message) {
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
  const int null = open("/dev/null", O_RDONLY);
  if (null < 0 || dup2(null, 0) < 0 || dup2(out, 1) < 0 || dup2(message, 2) < 0)
    _exit(126);
  setenv("LC_ALL", "C", 1);
  execv(arguments[0], arguments);
  _exit(errno == ENOENT || errno == EACCES ? 127 : 126);
}

static int report_failure(const char *source, int status, struct bytes *message, struct error *error) {
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

static int run_clang(const char *source, char **arguments, struct bytes *bitcode, struct error *error) {
  int out[2] = {-1, -1}, messages[2] = {-1, -1}, status = -1;
  struct bytes message = {.limit = MAX_MESSAGE_BYTES};
  if (pipe2(out, O_CLOEXEC) || pipe2(messages, O_CLOEXEC))
    return error_set(error, ERROR_WORK, "cannot create a pipe: %s", strerror(errno));
  const pid_t pid = fork();
  if (pid == 0)
    become_clang(arguments, out[1], messages[1]);
  close(out[1]);
  close(messages[1]);
  int result = 0;
  if (pid < 0)
    result = error_set(error, ERROR_WORK, "cannot start %s: %s", REASSEMBLE_CLANG, strerror(errno));
  else if (collect(out[0], messages[0], bitcode, &message))
    result = error_set(error, ERROR_WORK, "cannot read what %s wrote: %s", REASSEMBLE_CLANG, strerror(errno));
  close(out[0]);
  close(messages[0]);
  if (pid > 0)
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
      continue;
  if (!result && status != 0)
    result = report_failure(source, status, &message, error);
  if (!result && bitcode->overflow)
    result = error_set(error, ERROR_INPUT, "%s compiles to more than %zu bytes", source, bitcode->limit);
  free(message.data);
  return result;
}

static bool has_option(char **words, size_t count, const char *start) {
  for (size_t i = 0; i < count; i++)
    if (strncmp(words[i], start, strlen(start)) == 0)
      return true;
  return false;
}

/* PoCL does not contract a*b+c unless the program allows it; the same here, so that results agree bit by bit. */
static const char *contraction(char **words, size_t count) {
  const bool fast = has_option(words, count, "-cl-fast-relaxed-math");
  const bool mad = has_option(words, count, "-cl-mad-enable") || has_option(words, count, "-cl-unsafe-math");
  return fast ? "-ffp-contract=fast" : mad ? "-ffp-contract=on" : "-ffp-contract=off";
}

int front_end_compile(const char *source, const char *options, char **bitcode, size_t *length, struct error *error) {
  char **words, *text, *path;
  size_t word_count, text_length;
  if (file_read(source, MAX_SOURCE_BYTES, &text, &text_length, error)) /* a clear message for what clang cannot read */
    return -1;
  free(text);
  if (front_end_options(options, &words, &word_count, error))
    return -1;
  path = text_format("%s%s", source[0] == '-' ? "./" : "", source); /* a name never becomes an option */
  if (!path) {
    free(words);
    return error_set(error, ERROR_WORK, "out of memory");
  }
  /* clang-format off */
  const char *fixed[] = {
    REASSEMBLE_CLANG,
    "-x", "cl", "-target", "spir64",
    "-Xclang", "-finclude-default-header",
#if REASSEMBLE_LLVM_MAJOR < 17
    "-Xclang", "-opaque-pointers",
#endif
    /* O2 without its passes: functions stay free of `optnone`; the passes run in lower.c. */
    "-O2",
    "-Xclang", "-disable-llvm-passes",
    "-fno-builtin",
    "-fno-discard-value-names", /* messages and the listing in a trace name values as the source does */
    "-cl-kernel-arg-info",
    "-gline-tables-only",
    "-fno-color-diagnostics",
    "-fno-caret-diagnostics",
    "-emit-llvm", "-c", "-o", "-",
    has_option(words, word_count, "-cl-std=") ? "-Wno-unused-command-line-argument" : "-cl-std=CL1.2",
    contraction(words, word_count)
  };
  /* clang-format on */
  const size_t fixed_count = sizeof fixed / sizeof *fixed;
  char *arguments[sizeof fixed / sizeof *fixed + MAX_OPTIONS + 2];
  memcpy(arguments, fixed, sizeof fixed);
  memcpy(arguments + fixed_count, words, word_count * sizeof *words);
  arguments[fixed_count + word_count] = path;
  arguments[fixed_count + word_count + 1] = NULL;
  struct bytes out = {.limit = MAX_BITCODE_BYTES};
  phase_mark(NULL);
  const int status = run_clang(source, arguments, &out, error);
  phase_mark("clang");
  free(path);
  free(words);
  if (status) {
    free(out.data);
    return -1;
  }
  *bitcode = out.data;
  *length = out.length;
  return 0;
}

#include "cli/trace/program_start.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/early_end.h"
#include "base/text.h"

extern char **environ;

static const char *layer_path(void) {
  const char *chosen = getenv("REASSEMBLE_LAYER");
  if (chosen && *chosen)
    return chosen;
  return access(REASSEMBLE_LAYER_INSTALLED, R_OK) == 0 ? REASSEMBLE_LAYER_INSTALLED : REASSEMBLE_LAYER_BUILT;
}

static int set_layer(struct error *error) {
  const char *layer = layer_path(), *others = getenv("OPENCL_LAYERS");
  if (access(layer, R_OK) || strchr(layer, ':'))
    return error_set(error, ERROR_WORK,
                     "the OpenCL layer is not there (%s). It is built where CL/cl_layer.h is found (Debian: "
                     "apt-get install opencl-headers), and its path may hold no colon",
                     layer);
  char *list = others && *others ? text_format("%s:%s", layer, others) : strdup(layer);
  const int status = list ? setenv("OPENCL_LAYERS", list, 1) : -1;
  free(list);
  return status ? error_set(error, ERROR_WORK, "out of memory") : 0;
}

static int set_number(const char *name, uint64_t value, struct error *error) {
  char text[32];
  snprintf(text, sizeof text, "%" PRIu64, value);
  return setenv(name, text, 1) ? error_set(error, ERROR_WORK, "out of memory") : 0;
}

/* "3..7", "3" and "3..". */
static int read_launches(const char *text, uint64_t *first, uint64_t *last, struct error *error) {
  char *end = NULL;
  *first = 0;
  *last = UINT64_MAX;
  if (!text)
    return 0;
  if (isdigit((unsigned char)text[0])) {
    *first = *last = strtoull(text, &end, 10);
    if (strcmp(end, "..") == 0) {
      *last = UINT64_MAX;
      return 0;
    }
    if (strncmp(end, "..", 2) == 0 && isdigit((unsigned char)end[2]))
      *last = strtoull(end + 2, &end, 10);
    if (*end == '\0' && *first <= *last)
      return 0;
  }
  return error_set(error, ERROR_INPUT,
                   "--launch: found \"%.60s\", expected a number or a range, counted from 0: 3, "
                   "3..7 or 3..",
                   text);
}

/* By its absolute name: the program may change folders before it asks for OpenCL. */
static int set_environment(const struct trace_program *r, const char *capture, struct error *error) {
  char folder[PATH_MAX];
  uint64_t first, last;
  if (!realpath(capture, folder))
    return error_at(error, ERROR_WORK, capture, 0, 0, NULL, "cannot be used for a capture: %s", strerror(errno));
  if (read_launches(r->launches, &first, &last, error) || set_layer(error) ||
      set_number("REASSEMBLE_CAPTURE_FIRST", first, error) || set_number("REASSEMBLE_CAPTURE_LAST", last, error) ||
      set_number("REASSEMBLE_CAPTURE_MOST", (uint64_t)r->most, error) ||
      set_number("REASSEMBLE_CAPTURE_BYTES", (uint64_t)r->space_bytes, error) ||
      set_number("REASSEMBLE_CAPTURE_AFTER", r->no_check ? 0 : 1, error))
    return -1;
  if (r->most_work_group > 0 && set_number("REASSEMBLE_CAPTURE_WORK_GROUP", (uint64_t)r->most_work_group, error))
    return -1;
  return setenv("REASSEMBLE_CAPTURE", folder, 1) ||
                 (r->opencl_options && setenv("REASSEMBLE_CAPTURE_OPTIONS", r->opencl_options, 1)) ||
                 setenv("REASSEMBLE_CAPTURE_KERNEL", r->kernel ? r->kernel : "", 1)
             ? error_set(error, ERROR_WORK, "out of memory")
             : 0;
}

/* What the emulator starts later has no use for it. */
static void unset_environment(void) {
  unsetenv("OPENCL_LAYERS");
  unsetenv("REASSEMBLE_CAPTURE");
}

static int spawn(const struct options *options, const sigset_t *signals, pid_t *child, struct error *error) {
  char **words = calloc(options->argument_count + 1, sizeof *words);
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  if (!words)
    return error_set(error, ERROR_WORK, "out of memory");
  for (size_t i = 0; i < options->argument_count; i++)
    words[i] = (char *)options->arguments[i];
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO); /* stdout is for the result */
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  posix_spawnattr_setsigmask(&attributes, signals);
  fflush(NULL);
  const int reason = posix_spawnp(child, words[0], &actions, &attributes, words, environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (reason)
    error_at(error, ERROR_INPUT, words[0], 0, 0, NULL, "cannot start the program: %s", strerror(reason));
  free(words);
  return reason ? -1 : 0;
}

int program_start(struct program *p, const struct trace_program *request, const char *capture, struct error *error) {
  sigset_t before;
  early_end_hold(&before);
  const int status =
      set_environment(request, capture, error) || spawn(p->options, &before, &p->process, error) ? -1 : 0;
  unset_environment();
  if (!status)
    early_end_writer(p->process);
  early_end_let(&before);
  return status;
}

bool program_has_ended(struct program *p) {
  const pid_t child = p->ended ? 0 : waitpid(p->process, &p->status, WNOHANG);
  p->ended = p->ended || child == p->process || (child < 0 && errno != EINTR);
  if (p->ended)
    early_end_writer(0);
  return p->ended;
}

void program_stop(struct program *p) {
  if (p->ended)
    return;
  kill(p->process, SIGKILL);
  while (waitpid(p->process, &p->status, 0) < 0 && errno == EINTR)
    continue;
  early_end_writer(0);
  p->ended = true;
}

int program_judge(const struct program *p, size_t traced, struct error *error) {
  if (WIFSIGNALED(p->status))
    return error_set(error, ERROR_WORK,
                     "%.200s was ended by signal %d (%s); the traces of the %zu launches before are complete",
                     p->options->arguments[0], WTERMSIG(p->status), strsignal(WTERMSIG(p->status)), traced);
  if (WEXITSTATUS(p->status))
    return error_set(error, ERROR_WORK, "%.200s ended with exit code %d; the traces of its %zu launches are complete",
                     p->options->arguments[0], WEXITSTATUS(p->status), traced);
  return 0;
}

/* Returns whether the file is a program: ELF, or a script for an interpreter. */
static bool is_program(const char *path) {
  char start[4] = "";
  FILE *file = fopen(path, "rb");
  const size_t length = file != NULL ? fread(start, 1, sizeof start, file) : 0;
  if (file != NULL)
    fclose(file);
  return (length == 4 && memcmp(start,
                                "\x7f"
                                "ELF",
                                4) == 0) ||
         (length >= 2 && memcmp(start, "#!", 2) == 0);
}

int program_refuse_names(const struct options *options, struct error *error) {
  for (size_t i = 0; i < options->argument_count; i++)
    if (is_program(options->arguments[i]))
      return error_set(
          error, ERROR_INPUT,
          "\"%.200s\" is a program, expected a workload or a kernel file (*.cl); to trace a program, write "
          "-- before it: reassemble trace -- %.200s ...",
          options->arguments[i], options->arguments[i]);
  return 0;
}

#include "cli/program/child_program.h"

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

#include "base/clock.h"
#include "base/process/early_end.h"
#include "base/text.h"

#define END_S 1.0 /* between SIGTERM and SIGKILL */

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
  return status ? error_no_memory(error) : 0;
}

/* The folder is named by its absolute name: the program may change folders before it asks for OpenCL. */
int child_layer_set(const char *capture, struct error *error) {
  char folder[PATH_MAX];
  if (!realpath(capture, folder))
    return error_at(error, ERROR_WORK, capture, 0, 0, NULL, "cannot be used for a capture: %s", strerror(errno));
  if (set_layer(error))
    return -1;
  return setenv("REASSEMBLE_CAPTURE", folder, 1) ? error_no_memory(error) : 0;
}

void child_layer_unset(void) {
  unsetenv("OPENCL_LAYERS");
  unsetenv("REASSEMBLE_CAPTURE");
}

int child_set_number(const char *name, uint64_t value, struct error *error) {
  char text[32];
  snprintf(text, sizeof text, "%" PRIu64, value);
  return setenv(name, text, 1) ? error_no_memory(error) : 0;
}

static int cannot_start(const char *program, int reason, struct error *error) {
  const char *dot = strrchr(program, '.');
  return error_at(
      error, ERROR_INPUT, program, 0, 0, NULL, "cannot start the program: %s%s", strerror(reason),
      dot && strcmp(dot, ".cl") == 0 ? "; behind -- stands a program: `reassemble rank FILE.cl` takes kernels" : "");
}

static int spawn(struct child_program *child, char *const *words, int output, const sigset_t *signals,
                 struct error *error) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  posix_spawnattr_setsigmask(&attributes, signals);
  fflush(NULL);
  const int reason = posix_spawnp(&child->process, words[0], &actions, &attributes, words, environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return reason ? cannot_start(words[0], reason, error) : 0;
}

int child_start(struct child_program *child, const char *const *words, size_t count, int output, struct error *error) {
  sigset_t before;
  char **list = calloc(count + 1, sizeof *list);
  if (!list)
    return error_no_memory(error);
  memcpy(list, words, count * sizeof *list);
  early_end_hold(&before);
  const int status = spawn(child, list, output, &before, error);
  if (!status)
    early_end_writer(child->process);
  early_end_let(&before);
  free(list);
  return status;
}

bool child_has_ended(struct child_program *c) {
  const pid_t found = c->ended ? 0 : waitpid(c->process, &c->status, WNOHANG);
  c->ended = c->ended || found == c->process || (found < 0 && errno != EINTR);
  if (c->ended)
    early_end_writer(0);
  return c->ended;
}

void child_end(struct child_program *child) {
  static const struct timespec pause = {.tv_nsec = 10000000};
  const double start = clock_seconds();
  if (!child_has_ended(child))
    kill(child->process, SIGTERM);
  while (!child_has_ended(child) && clock_seconds() - start < END_S)
    nanosleep(&pause, NULL);
  child_stop(child);
}

void child_stop(struct child_program *c) {
  if (c->ended)
    return;
  kill(c->process, SIGKILL);
  while (waitpid(c->process, &c->status, 0) < 0 && errno == EINTR)
    continue;
  early_end_writer(0);
  c->ended = true;
}

char *child_program_name(const char *path) {
  const char *slash = strrchr(path, '/');
  char *name = strdup(slash ? slash + 1 : path);
  for (char *c = name; c && *c; c++)
    if (!isalnum((unsigned char)*c) && !strchr("-_.+", *c))
      *c = '_';
  return name;
}

#include "graphics/program/frame_program.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/process/early_end.h"
#include "base/file.h"
#include "base/process/subprocess.h"
#include "graphics/program/x_server.h"

#define LAYER     "VK_LAYER_REASSEMBLE_frames"
#define WATCH_NS  2000000 /* between checks of the program */
#define TIMEOUT_S 600

int frame_program_range(const char *text, uint32_t *first, uint32_t *last, struct error *error) {
  char *end;
  unsigned long from = strtoul(text, &end, 10), to = from;
  if (isdigit((unsigned char)text[0]) && strncmp(end, "..", 2) == 0 && isdigit((unsigned char)end[2]))
    to = strtoul(end + 2, &end, 10);
  if (!isdigit((unsigned char)text[0]) || *end || from < 1 || to < from || to > UINT32_MAX / 2)
    return error_set(error, ERROR_INPUT,
                     "--frames: found \"%.60s\", expected a number or a range, counted from 1: 10, 10..12", text);
  *first = (uint32_t)from;
  *last = (uint32_t)to;
  return 0;
}

void frame_program_path(const struct frame_program *request, uint32_t frame, char *out, size_t size) {
  snprintf(out, size, "%s/frame-%u.rframe", request->folder, frame);
}

static bool has_frame(const struct frame_program *request, uint32_t frame) {
  char path[PATH_MAX];
  frame_program_path(request, frame, path, sizeof path);
  return access(path, R_OK) == 0;
}

static void set_number(const char *name, uint32_t value) {
  char text[16];
  snprintf(text, sizeof text, "%u", value);
  setenv(name, text, 1);
}

/* In the child. lavapipe is the only device that programs see, and zink the only GL. */
static void set_environment(const struct frame_program *request, const char *folder) {
  setenv("VK_LAYER_PATH", request->layer, 1);
  setenv("VK_INSTANCE_LAYERS", LAYER, 1);
  setenv("REASSEMBLE_FRAME_FOLDER", folder, 1);
  set_number("REASSEMBLE_FRAME_FIRST", request->first);
  set_number("REASSEMBLE_FRAME_LAST", request->last);
  set_number("REASSEMBLE_FRAME_EACH_DRAW", request->each_draw);
  setenv("REASSEMBLE_FRAME_MEDIUMP", request->mediump_half ? "half" : "float", 1);
  /* Mesa keeps compiled shaders by their source, and would give those of floats where halves are asked for. */
  setenv("MESA_SHADER_CACHE_DISABLE", "true", 1);
  setenv("GALLIUM_DRIVER", "zink", 1);
  setenv("LIBGL_ALWAYS_SOFTWARE", "1", 1);
  /* lavapipe filters textures as Vulkan specifies, and not with weights of 8 bits or approximate levels. */
  setenv("GALLIVM_PERF", "no_filter_hacks,no_aos_sampling", 0);
  setenv("SDL_AUDIODRIVER", "dummy", 0);
  setenv("ALSOFT_DRIVERS", "null", 0);
}

static void become_program(const struct frame_program *request, const char *folder, const sigset_t *signals) {
  char **words = calloc(request->argument_count + 1, sizeof *words);
  if (!words)
    _exit(126);
  for (size_t i = 0; i < request->argument_count; i++)
    words[i] = (char *)request->arguments[i];
  set_environment(request, folder);
  dup2(STDERR_FILENO, STDOUT_FILENO); /* standard output is for the result */
  subprocess_end_with_parent();
  sigprocmask(SIG_SETMASK, signals, NULL);
  execvp(words[0], words);
  _exit(127);
}

/* Waits for the program's end; ends the program when it has drawn the wanted frames. *status is that of waitpid. */
static int watch(const struct frame_program *request, pid_t program, int *status, struct error *error) {
  static const struct timespec pause = {.tv_nsec = WATCH_NS};
  const double limit_s = request->timeout_s > 0 ? request->timeout_s : TIMEOUT_S, begin = clock_seconds();
  while (waitpid(program, status, WNOHANG) == 0) {
    const bool late = clock_seconds() - begin > limit_s;
    if (late || has_frame(request, request->last)) {
      kill(program, SIGKILL);
      *status = subprocess_wait(program);
      return late ? error_set(error, ERROR_WORK, "the program did not draw frame %u within %.0f s", request->last,
                              limit_s)
                  : 0;
    }
    nanosleep(&pause, NULL);
  }
  return 0;
}

static int judge(const struct frame_program *request, int status, uint32_t captured, struct error *error) {
  if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
    return error_at(error, ERROR_INPUT, request->arguments[0], 0, 0, NULL, "cannot start the program");
  if (captured == 0)
    return error_set(error, ERROR_WORK,
                     "%.200s ended before it had drawn frame %u, or it draws neither with Vulkan nor with GL through "
                     "Mesa's zink",
                     request->arguments[0], request->first);
  return 0;
}

static int run(const struct frame_program *request, const char *folder, int *status, struct error *error) {
  sigset_t before;
  fflush(NULL);
  early_end_hold(&before);
  const pid_t program = fork();
  if (program == 0)
    become_program(request, folder, &before);
  early_end_writer(program > 0 ? program : 0);
  early_end_let(&before);
  if (program < 0)
    return error_set(error, ERROR_WORK, "fork: %s", strerror(errno));
  const int result = watch(request, program, status, error);
  early_end_writer(0);
  return result;
}

static uint32_t count_frames(const struct frame_program *request) {
  uint32_t count = 0;
  for (uint32_t frame = request->first; frame <= request->last; frame++)
    count += has_frame(request, frame);
  return count;
}

int frame_program_run(const struct frame_program *request, uint32_t *captured, struct error *error) {
  struct x_server server;
  char folder[PATH_MAX];
  int status = 0;
  *captured = 0;
  if (file_make_directories(request->folder, error))
    return -1;
  if (!realpath(request->folder, folder))
    return error_at(error, ERROR_WORK, request->folder, 0, 0, NULL, "%s", strerror(errno));
  for (uint32_t frame = request->first; frame <= request->last; frame++) {
    char path[PATH_MAX];
    frame_program_path(request, frame, path, sizeof path);
    unlink(path);
  }
  if (x_server_start(&server, error))
    return -1;
  const int result = run(request, folder, &status, error);
  x_server_stop(&server);
  *captured = count_frames(request);
  return result ? -1 : judge(request, status, *captured, error);
}

#include "tracegen/bifrost/live/run_program.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/process/early_end.h"
#include "base/file.h"
#include "base/process/subprocess.h"
#include "base/text.h"

#define MAX_WORDS 4096

static bool set(const char *name, char *value) {
  const bool done = value && setenv(name, value, 1) == 0;
  free(value);
  return done;
}

/* Shaders are compiled again where they are to be listed: from its cache the driver prints none. A cache that the user
 * names stays, because it may hold the driver's built-in functions alone. */
static bool set_cache(const struct bifrost_program *p) {
  char *cache = data_cache("bifrost");
  bool done;
  if (p->listing)
    done = setenv("BIFROST_MESA_DEBUG", "shaders", 1) == 0 &&
           (getenv("MESA_SHADER_CACHE_DIR") || setenv("MESA_SHADER_CACHE_DISABLE", "true", 1) == 0);
  else
    done = cache ? setenv("MESA_SHADER_CACHE_DIR", cache, 1) == 0 : setenv("MESA_SHADER_CACHE_DISABLE", "true", 1) == 0;
  free(cache);
  return done;
}

/* The variables of the driver, and those by which its library finds the emulator (tracegen/bifrost/channel.h). */
static bool set_environment(const struct bifrost_program *p, int channel, int node) {
  const char *root = p->driver->root;
  return setenv("RUSTICL_ENABLE", "panfrost", 1) == 0 && setenv("RUSTICL_FEATURES", "fp16", 1) == 0 &&
         set("OCL_ICD_VENDORS", text_format("%s/etc/OpenCL/vendors/rusticl.icd", root)) &&
         set("OPENCL_LAYERS", strdup(p->driver->shim)) &&
         set("REASSEMBLE_BIFROST_PRODUCT", text_format("%x", p->gpu->id)) &&
         set("REASSEMBLE_BIFROST_CHANNEL", text_format("%d", channel)) &&
         set("REASSEMBLE_BIFROST_NODE", text_format("/proc/self/fd/%d", node)) && set_cache(p);
}

/* On an emulated processor the preloaded library is for that processor alone. */
static bool put_emulator(const struct bifrost_program *p, const char **words, size_t *count) {
  char *libraries = text_format("%s/usr/lib/aarch64-linux-gnu", p->driver->root);
  if (!libraries)
    return false;
  if (!p->driver->emulator)
    return set("LD_LIBRARY_PATH", libraries) && setenv("LD_PRELOAD", p->driver->shim, 1) == 0;
  words[(*count)++] = p->driver->emulator;
  words[(*count)++] = "-L";
  words[(*count)++] = p->driver->root;
  words[(*count)++] = "-E";
  words[(*count)++] = text_format("LD_LIBRARY_PATH=%s", libraries);
  words[(*count)++] = "-E";
  words[(*count)++] = text_format("LD_PRELOAD=%s", p->driver->shim);
  free(libraries);
  return words[*count - 1] != NULL;
}

static void redirect(const struct bifrost_program *p) {
  const int listing = p->listing ? open(p->listing, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0666) : -1;
  dup2(listing >= 0 ? listing : STDERR_FILENO, STDOUT_FILENO);
  if (listing >= 0)
    dup2(listing, STDERR_FILENO);
}

/* In the child. Returns only when the program cannot be started. */
static void become_program(const struct bifrost_program *p, int channel, int node) {
  const char *words[MAX_WORDS + 8] = {0};
  size_t count = 0;
  const int socket_copy = fcntl(channel, F_DUPFD, 64), node_copy = fcntl(node, F_DUPFD, 64);
  if (socket_copy < 0 || node_copy < 0 || !set_environment(p, socket_copy, node_copy) ||
      !put_emulator(p, words, &count))
    return;
  for (size_t i = 0; p->words[i] && i < MAX_WORDS; i++)
    words[count++] = p->words[i];
  redirect(p);
  execvp(words[0], (char *const *)words);
}

static int start(const struct bifrost_program *p, int channel, int node, pid_t *process, struct error *error) {
  sigset_t before;
  fflush(NULL);
  early_end_hold(&before);
  *process = fork();
  if (*process == 0) {
    early_end_let(&before);
    become_program(p, channel, node);
    fprintf(stderr, "reassemble: %s cannot be started: %s\n", p->words[0], strerror(errno));
    _exit(127);
  }
  if (*process > 0)
    early_end_writer(*process);
  early_end_let(&before);
  return *process > 0 ? 0 : error_set(error, ERROR_WORK, "cannot start a process: %s", strerror(errno));
}

/* The error of the emulator comes before that of the program, which it led to. */
static int judge(const struct bifrost_program *p, int served, int status, struct error *error) {
  if (served != 0)
    return -1;
  if (WIFSIGNALED(status))
    return error_set(error, ERROR_WORK, "%.200s was ended by signal %d (%s)", p->words[0], WTERMSIG(status),
                     strsignal(WTERMSIG(status)));
  if (WEXITSTATUS(status))
    return error_set(error, ERROR_WORK, "%.200s ended with exit code %d; what it printed is above", p->words[0],
                     WEXITSTATUS(status));
  return 0;
}

static int serve_program(const struct bifrost_program *p, const struct bifrost_node *node, const int ends[2],
                         const struct bifrost_handler *handler, struct error *error) {
  pid_t process;
  int served, status;
  const int started = start(p, ends[1], node->file, &process, error);
  close(ends[1]);
  if (started != 0) {
    close(ends[0]);
    return -1;
  }
  served = bifrost_serve(ends[0], node, handler, error);
  close(ends[0]);
  if (served != 0)
    kill(process, SIGKILL);
  status = subprocess_wait(process);
  early_end_writer(0);
  return judge(p, served, status, error);
}

int bifrost_run_program(const struct bifrost_program *program, const struct bifrost_handler *handler,
                        struct error *error) {
  struct bifrost_node node;
  int ends[2], status;
  if (bifrost_node_open(&node, error) != 0)
    return -1;
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    status = error_set(error, ERROR_WORK, "cannot make a socket: %s", strerror(errno));
  else
    status = serve_program(program, &node, ends, handler, error);
  bifrost_node_close(&node);
  return status;
}

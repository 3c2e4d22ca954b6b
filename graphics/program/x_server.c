#include "graphics/program/x_server.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/process/subprocess.h"

/* In the child: the server writes its display's number to `to` when it is ready. Without -noreset it would begin anew
 * when its last client leaves, and refuse the next one meanwhile: Mesa opens and closes a connection before it
 * stays. */
static void become_server(int to, pid_t parent) {
  char number[16];
  subprocess_terminate_with_parent(parent); /* on this signal it removes its socket; SIGKILL would leave it */
  const int nothing = open("/dev/null", O_RDWR);
  dup2(nothing, STDOUT_FILENO);
  dup2(nothing, STDERR_FILENO);
  snprintf(number, sizeof number, "%d", to);
  execlp("Xvfb", "Xvfb", "-displayfd", number, "-screen", "0", "1920x1080x24", "+extension", "GLX", "-nolisten", "tcp",
         "-noreset", (char *)NULL);
  _exit(127);
}

static int read_display(struct x_server *server, int from, struct error *error) {
  char text[17] = ":";
  size_t length = 1;
  while (length + 1 < sizeof text && text[length - 1] != '\n' && read(from, text + length, 1) == 1)
    length++;
  if (length == 1 || setenv("DISPLAY", strtok(text, "\n"), 1)) {
    x_server_stop(server);
    return error_set(error, ERROR_WORK,
                     "there is no display, and a private X server did not start: set DISPLAY, or install it (Debian: "
                     "apt-get install xvfb)");
  }
  return 0;
}

int x_server_start(struct x_server *server, struct error *error) {
  const char *display = getenv("DISPLAY");
  int ends[2];
  server->process = 0;
  if (display && *display)
    return 0;
  if (pipe(ends))
    return error_set(error, ERROR_WORK, "pipe: %s", strerror(errno));
  fcntl(ends[0], F_SETFD, FD_CLOEXEC);
  const pid_t self = getpid();
  server->process = fork();
  if (server->process == 0)
    become_server(ends[1], self);
  close(ends[1]);
  const int status = server->process < 0 ? error_set(error, ERROR_WORK, "fork: %s", strerror(errno))
                                         : read_display(server, ends[0], error);
  close(ends[0]);
  return status;
}

void x_server_stop(struct x_server *server) {
  if (server->process <= 0)
    return;
  kill(server->process, SIGTERM);
  subprocess_wait(server->process);
  server->process = 0;
  unsetenv("DISPLAY");
}

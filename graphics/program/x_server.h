/* A private X server without a screen: Xvfb on a display that no one else has. Threads: one. */
#ifndef GRAPHICS_X_SERVER_H
#define GRAPHICS_X_SERVER_H

#include <sys/types.h>

#include "base/error.h"

struct x_server {
  pid_t process; /* 0: none was started */
};

/* Starts a server and sets DISPLAY, unless DISPLAY is set. */
int x_server_start(struct x_server *server, struct error *error);
/* Ends a server that was started, and unsets DISPLAY. */
void x_server_stop(struct x_server *server);

#endif

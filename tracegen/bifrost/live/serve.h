/* Answers the driver library of a program that runs on the emulated GPU (tracegen/bifrost/channel.h).
 *
 * Ownership: what a handler receives is borrowed for the call. Errors: a message that the library would not send, and
 * what a handler returns. Threads: bifrost_serve runs the handlers in its caller's thread. */
#ifndef TRACEGEN_BIFROST_LIVE_SERVE_H
#define TRACEGEN_BIFROST_LIVE_SERVE_H

#include "base/error.h"
#include "tracegen/bifrost/bifrost_dispatch.h"
#include "tracegen/bifrost/live/node.h"

struct bifrost_submission {
  uint64_t job_chain;
  struct bifrost_memory memory;
  const char *launches; /* the launches whose compute jobs have not run: a line for each, as in a recording */
  uint32_t *computed;   /* the handler adds the compute jobs that it ran: as many launches are complete */
};

struct bifrost_handler {
  /* Runs the jobs. -1: the program gets an error, and bifrost_serve ends. */
  int (*submit)(void *context, const struct bifrost_submission *submission, struct error *error);
  void *context;
};

/* Serves until the program closes its end of the socket. */
int bifrost_serve(int channel, const struct bifrost_node *node, const struct bifrost_handler *handler,
                  struct error *error);

#endif

/* Runs a program for 64-bit Arm on an emulated Bifrost GPU: starts it on the open driver, and answers the driver.
 *
 * Ownership: all is borrowed for the call. Errors: a program that cannot be started or ends with another status than 0,
 * what the handler returns. Threads: the handler runs in the caller's thread, which must have no child of its own. */
#ifndef TRACEGEN_BIFROST_LIVE_RUN_PROGRAM_H
#define TRACEGEN_BIFROST_LIVE_RUN_PROGRAM_H

#include <stdbool.h>

#include "base/error.h"
#include "tracegen/bifrost/job/products.h"
#include "tracegen/bifrost/live/driver.h"
#include "tracegen/bifrost/live/serve.h"

struct bifrost_program {
  const char *const *words; /* the program and its arguments, NULL-terminated */
  const struct bifrost_driver *driver;
  const struct bifrost_product *gpu;
  const char *listing; /* a file for what the driver prints of its shaders; NULL: it prints nothing */
};

/* The program's own output goes to standard error. */
int bifrost_run_program(const struct bifrost_program *program, const struct bifrost_handler *handler,
                        struct error *error);

#endif

/* The places of the open driver and of the programs for 64-bit Arm, and the environment of a program that runs on them.
 *
 * The driver is what tools/bifrost-setup unpacked: $REASSEMBLE_BIFROST_ROOT, else $XDG_DATA_HOME/reassemble/bifrost,
 * else ~/.local/share/reassemble/bifrost. The shim library and the host program are this build's, or the installed
 * ones.
 *
 * Ownership: bifrost_driver_find allocates, bifrost_driver_clear frees. Errors: ERROR_WORK names what is missing and
 * how to get it. Threads: none is shared. */
#ifndef TRACEGEN_BIFROST_LIVE_DRIVER_H
#define TRACEGEN_BIFROST_LIVE_DRIVER_H

#include "base/error.h"

struct bifrost_driver {
  char *root;
  const char *emulator; /* of the processor, by its name in $PATH; NULL: the processor of this machine is one */
  char *shim;           /* that the program is started with (shim/) */
  char *host;           /* the program that runs workloads (host/) */
};

/* The version of the driver that tools/bifrost-setup unpacks, for headers of traces. */
#define BIFROST_DRIVER_VERSION "Mesa 25.0.7 (Debian 25.0.7-2+deb13u1)"

int bifrost_driver_find(struct bifrost_driver *driver, struct error *error);
void bifrost_driver_clear(struct bifrost_driver *driver);

#endif

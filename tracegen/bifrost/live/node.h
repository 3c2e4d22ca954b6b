/* The file that holds the GPU's memory while a program runs on the emulated GPU (tracegen/bifrost/channel.h). It is
 * sparse, has no name, and cannot shrink, so that the program cannot take pages away from under the emulator.
 *
 * Ownership: bifrost_node_open makes it, bifrost_node_close unmaps and closes it. Threads: none is shared. */
#ifndef TRACEGEN_BIFROST_LIVE_NODE_H
#define TRACEGEN_BIFROST_LIVE_NODE_H

#include <stdint.h>

#include "base/error.h"

struct bifrost_node {
  int file;
  uint8_t *bytes; /* [BIFROST_NODE_BYTES] */
};

int bifrost_node_open(struct bifrost_node *node, struct error *error);
void bifrost_node_close(struct bifrost_node *node);

#endif

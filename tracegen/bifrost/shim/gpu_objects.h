/* The driver's buffers in the node (channel.h). A buffer keeps its place until it is closed; places are reused, whole,
 * for buffers of the same size.
 *
 * Threads: all functions may be called by several at once. */
#ifndef TRACEGEN_BIFROST_SHIM_GPU_OBJECTS_H
#define TRACEGEN_BIFROST_SHIM_GPU_OBJECTS_H

#include <stdbool.h>
#include <stdint.h>

#include "tracegen/bifrost/channel.h"

struct gpu_object {
  uint64_t offset, bytes; /* in the node; bytes is a multiple of the page's size */
  bool executable, open;
};

/* Makes a buffer; its bytes are zero. Returns its handle, or 0: the address space is full. */
uint32_t gpu_object_create(uint64_t bytes, bool executable);
/* Returns false: there is no open buffer with this handle. */
bool gpu_object_find(uint32_t handle, struct gpu_object *out);
bool gpu_object_close(int node, uint32_t handle);

#endif

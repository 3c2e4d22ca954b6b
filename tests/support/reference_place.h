/* The reference replay's addresses: the place of a work-item's access in the memory of the simulation. */
#ifndef SUPPORT_REFERENCE_PLACE_H
#define SUPPORT_REFERENCE_PLACE_H

#include "reference_gpu.h"

/* Returns the place of byte `byte` of a work-item's access to `address`. Interleaved: a private address behind the end
 * of the memory counts from its beginning again. */
static inline uint64_t reference_byte_place(const struct reference_gpu *g, uint32_t core, uint32_t thread,
                                            uint32_t lane, const struct trace_op *op, uint32_t address, uint32_t byte) {
  const struct trace_header *h = &g->trace->header;
  uint64_t local = (h->local_bytes + UINT64_C(127)) / 128 * 128, private = (h->private_bytes + UINT64_C(15)) / 16 * 16;
  uint64_t slot = (uint64_t)core * g->slots + thread / g->warps, behind = UINT64_C(4294967296);
  uint32_t first = reference_warp_first(g->trace, g->spec, thread % g->warps);
  uint64_t item = slot * trace_local_size(h) + first, memories = behind + (uint64_t)g->spec->cores * g->slots * local;
  if (op->space == SPACE_LOCAL)
    return behind + slot * local + address + byte;
  if (op->space == SPACE_PRIVATE && g->spec->private_interleaved) {
    uint64_t lanes = reference_warp_first(g->trace, g->spec, thread % g->warps + 1) - first;
    uint64_t offset = address % private + byte;
    return memories + item * private + offset / 4 * lanes * 4 + lane * 4 + offset % 4;
  }
  if (op->space == SPACE_PRIVATE)
    return memories + (item + lane) * private + address + byte;
  return (uint64_t)address + byte;
}

static inline uint64_t reference_place(const struct reference_gpu *g, uint32_t core, uint32_t thread, uint32_t lane,
                                       const struct trace_op *op, uint32_t address) {
  return reference_byte_place(g, core, thread, lane, op, address, 0);
}

#endif

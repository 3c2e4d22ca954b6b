/* The reference replay's addresses: where a work-item's access lies in the memory of the simulation. */
#ifndef SUPPORT_REFERENCE_PLACE_H
#define SUPPORT_REFERENCE_PLACE_H

#include "reference_gpu.h"

static inline uint64_t reference_place(const struct reference_gpu *g, uint32_t core, uint32_t thread, uint32_t lane,
                                       const struct trace_op *op, uint32_t address) {
  const struct trace_header *h = &g->trace->header;
  uint64_t local = (h->local_bytes + UINT64_C(127)) / 128 * 128, private = (h->private_bytes + UINT64_C(15)) / 16 * 16;
  uint64_t slot = (uint64_t)core * g->slots + thread / g->warps, behind = UINT64_C(4294967296);
  uint64_t item = slot * trace_local_size(h) + reference_warp_first(g->trace, g->spec, thread % g->warps) + lane;
  if (op->space == SPACE_LOCAL)
    return behind + slot * local + address;
  if (op->space == SPACE_PRIVATE)
    return behind + (uint64_t)g->spec->cores * g->slots * local + item * private + address;
  return address;
}

#endif

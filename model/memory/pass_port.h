/* A port that passes of accesses take one after another, in order of issue. The scratchpad has one; with
 * scratchpad_shares_pipe it takes that of the load/store unit instead, so that local and global accesses share one rate.
 *
 * Units: ticks. Ownership: the caller's memory. Errors: none. Cost: O(1). Threads: one per core. Source: NVIDIA, "NVIDIA
 * Turing GPU Architecture" white paper (WP-09183-001, 2018): L1 and shared memory are one unified data path. */
#ifndef MODEL_PASS_PORT_H
#define MODEL_PASS_PORT_H

#include <stdint.h>

struct pass_port {
  uint64_t free; /* from then on */
};

/* Takes the port for `passes` of `ticks` each, from `now` on. Returns when the last of them begins. */
static inline uint64_t pass_port_take(struct pass_port *port, uint64_t now, uint64_t passes, uint64_t ticks) {
  const uint64_t begin = port->free > now ? port->free : now;
  port->free = begin + passes * ticks;
  return port->free - ticks;
}

#endif

/* A port that passes of accesses take one after another, in order of issue. The scratchpad has one; with
 * scratchpad_shares_pipe it takes that of the load/store unit instead, so that local and global accesses share one
 * rate.
 *
 * Units: ticks. Ownership: the caller's memory. Errors: none. Cost: O(1). Threads: one per core. Source: NVIDIA,
 * "NVIDIA Turing GPU Architecture" white paper (WP-09183-001, 2018): L1 and shared memory are one unified data path. */
#ifndef MODEL_PASS_PORT_H
#define MODEL_PASS_PORT_H

#include <stdint.h>

struct pass_port {
  uint64_t free;  /* from then on */
  uint64_t least; /* that an access takes it */
  uint64_t more;  /* that an access takes it beside that */
};

/* Takes the port for `ticks` from `now` on. */
static inline void pass_port_hold(struct pass_port *port, uint64_t now, uint64_t ticks) {
  port->free = (port->free > now ? port->free : now) + ticks;
}

/* Takes the port for an access of `passes` of `ticks` each, from `now` on. Returns when the last of them begins. */
static inline uint64_t pass_port_take(struct pass_port *port, uint64_t now, uint64_t passes, uint64_t ticks) {
  const uint64_t held = passes * ticks;
  const uint64_t end = (port->free > now ? port->free : now) + held;
  port->free = (held < port->least ? end + port->least - held : end) + port->more;
  return end - ticks;
}

#endif

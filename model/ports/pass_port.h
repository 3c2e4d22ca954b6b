/* A port that the passes of accesses occupy one after another, in order of issue. The scratchpad has one; with
 * scratchpad_shares_pipe it uses that of the load/store unit instead, so that local and global accesses share one rate.
 *
 * Units: ticks. Ownership: the caller's memory. Errors: none. Cost: O(1). Threads: one for each core. Source: NVIDIA,
 * "NVIDIA Turing GPU Architecture" white paper (WP-09183-001, 2018): L1 and shared memory are one unified data path. */
#ifndef MODEL_PASS_PORT_H
#define MODEL_PASS_PORT_H

#include <stdint.h>

struct pass_port {
  uint64_t free;  /* time from which the port is free */
  uint64_t least; /* least ticks of an access */
  uint64_t more;  /* ticks of an access in addition to those of its passes */
};

/* Occupies the port for `ticks`, from `now` or when it becomes free. */
static inline void pass_port_hold(struct pass_port *port, uint64_t now, uint64_t ticks) {
  port->free = (port->free > now ? port->free : now) + ticks;
}

/* Occupies the port for an access of `passes` passes of `ticks` each, from `now` or when it becomes free. Returns when
 * the last of them begins. */
static inline uint64_t pass_port_take(struct pass_port *port, uint64_t now, uint64_t passes, uint64_t ticks) {
  const uint64_t held = passes * ticks;
  const uint64_t end = (port->free > now ? port->free : now) + held;
  port->free = (held < port->least ? end + port->least - held : end) + port->more;
  return end - ticks;
}

#endif

/* A port for loads whose lanes all read one address, in place of the load/store unit.
 *
 * The parameter uniform_loads says which loads may use it: those of constant memory, or those of global memory too. The
 * port has its own cache (fully associative, LRU, of whole cache lines); a load with a line that the cache does not
 * hold goes through L1 and L2 as usual, and its lines are then in the cache. The port serves loads in order of issue,
 * one each load_ticks; one is over latency_ticks after it was taken. Units: ticks. Ownership: uniform_port_init
 * allocates, uniform_port_clear frees. Errors: false when out of memory. Cost: O(lanes) for each load. Threads: one for
 * each core. Source: NVIDIA, CUDA C++ Programming Guide, "Device Memory Accesses" (constant memory: one address a warp
 * at a time, through the constant cache). */
#ifndef MODEL_UNIFORM_PORT_H
#define MODEL_UNIFORM_PORT_H

#include <stdbool.h>
#include <stdint.h>

#include "model/cache/cache.h"
#include "model/warp/coalesce.h"
#include "model/params/gpu.h"
#include "trace/code.h"

struct uniform_port {
  int loads;           /* enum uniform_loads */
  struct cache *cache; /* NULL: the cache holds every line */
  uint64_t latency_ticks, load_ticks;
  uint64_t free; /* time from which the port is free */
};

bool uniform_port_init(struct uniform_port *port, const struct gpu_spec *spec);
void uniform_port_clear(struct uniform_port *port);

/* Returns whether such an operation uses the port if its lanes agree on the address. */
static inline bool uniform_port_may(const struct uniform_port *port, const struct trace_op *op) {
  return op->op_class == OP_LOAD && ((op->space == SPACE_CONSTANT && port->loads != UNIFORM_OFF) ||
                                     (op->space == SPACE_GLOBAL && port->loads == UNIFORM_ANY));
}

/* Uses the lines of one address in the port's cache, which fetches those that it does not hold. Returns whether it held
 * all of them. */
bool uniform_port_has(struct uniform_port *port, uint32_t low, uint32_t high);
/* Returns whether a load uses the port: its lanes agree, and the port's cache held its lines; it fetches them
 * otherwise. */
bool uniform_port_takes(struct uniform_port *port, const struct line_size *line, const struct lane_addresses *lanes);
/* Queues a load at `now`. Returns the ticks until it is over. */
uint64_t uniform_port_serve(struct uniform_port *port, uint64_t now);

#endif

/* Loads whose lanes all read one address, on a port of their own instead of the load/store unit.
 *
 * The parameter uniform_loads says which loads may take it: those of constant memory, or those of global memory too.
 * The port has a cache of its own (fully associative, LRU, of whole cache lines); a load whose lines are not all in it
 * goes the usual way through L1 and L2 and leaves them there. The port serves loads in order of issue, one each
 * load_ticks; one is over latency_ticks after it was taken. Units: ticks. Ownership: uniform_port_init allocates,
 * uniform_port_clear frees. Errors: false when out of memory. Cost: O(lanes) per load. Threads: one per core. Source:
 * NVIDIA, CUDA C++ Programming Guide, "Device Memory Accesses" (constant memory: one address a warp at a time, through
 * the constant cache). */
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
  struct cache *cache; /* NULL: holds everything */
  uint64_t latency_ticks, load_ticks;
  uint64_t free; /* when the port is free */
};

bool uniform_port_init(struct uniform_port *port, const struct gpu_spec *spec);
void uniform_port_clear(struct uniform_port *port);

/* Returns whether such an operation takes the port where its lanes agree. */
static inline bool uniform_port_may(const struct uniform_port *port, const struct trace_op *op) {
  return op->op_class == OP_LOAD && ((op->space == SPACE_CONSTANT && port->loads != UNIFORM_OFF) ||
                                     (op->space == SPACE_GLOBAL && port->loads == UNIFORM_ANY));
}

/* Uses the lines of one address in the port's cache, which fetches them. Returns whether all were there. */
bool uniform_port_has(struct uniform_port *port, uint32_t low, uint32_t high);
/* Returns whether a load takes the port: its lanes agree, and its lines are in the port's cache, which fetches them. */
bool uniform_port_takes(struct uniform_port *port, const struct line_size *line, const struct lane_addresses *lanes);
/* Queues a load at `now`. Returns the ticks until it is over. */
uint64_t uniform_port_serve(struct uniform_port *port, uint64_t now);

#endif

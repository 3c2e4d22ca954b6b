/* Ports of a core beside the load/store unit: those of the scratchpad and of uniform loads. */
#ifndef MODEL_CORE_PORTS_H
#define MODEL_CORE_PORTS_H

#include "model/result/cycle_stack.h"
#include "model/ports/scratchpad.h"
#include "model/ports/uniform_port.h"

struct core_ports {
  struct scratchpad scratchpad;
  struct uniform_port uniform;
};

struct port_access {
  bool taken; /* whether a port takes it; otherwise it goes to the load/store unit */
  uint32_t transactions;
  uint64_t ticks; /* from its issue to its end */
  enum stack_component waits;
};

static inline bool core_ports_are_on(const struct gpu_spec *spec) {
  return spec->local_memory == LOCAL_SCRATCHPAD || spec->uniform_loads != UNIFORM_OFF;
}

/* Returns whether every access through a port ends later than it was issued. */
static inline bool core_ports_take_time(const struct gpu_spec *spec) {
  return (spec->local_memory != LOCAL_SCRATCHPAD || cycles_to_ticks(spec->scratchpad_cycles) > 0) &&
         (spec->uniform_loads == UNIFORM_OFF || cycles_to_ticks(spec->uniform_cycles) > 0);
}

/* Prepares the ports. `most_bytes` is the largest access of one work-item. Returns false when out of memory. */
bool core_ports_init(struct core_ports *ports, const struct gpu_spec *spec, uint32_t most_bytes);
void core_ports_clear(struct core_ports *ports);

struct gpu_replay;
struct core;
struct warp;
/* Serves the access that the warp issues now, if it takes a port. may_take_port (core_access.h) has to be true. */
struct port_access core_ports_access(struct gpu_replay *replay, struct core *core, const struct warp *warp);

#endif

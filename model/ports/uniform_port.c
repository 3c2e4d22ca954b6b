#include "model/ports/uniform_port.h"

#include "model/result/cycle_stack.h"

bool uniform_port_init(struct uniform_port *port, const struct gpu_spec *spec) {
  *port = (struct uniform_port){.loads = spec->uniform_loads,
                                .latency_ticks = cycles_to_ticks(spec->uniform_cycles),
                                .load_ticks = cycles_to_ticks(spec->uniform_load_cycles)};
  if (port->loads == UNIFORM_OFF || spec->uniform_cache_bytes == 0)
    return true;
  uint32_t lines = (uint32_t)(spec->uniform_cache_bytes / spec->line_bytes);
  port->cache = cache_create(CACHE_REUSE_DISTANCE, REPLACEMENT_LRU, lines, lines, false);
  return port->cache;
}

void uniform_port_clear(struct uniform_port *port) {
  cache_destroy(port->cache);
  *port = (struct uniform_port){0};
}

static bool one_address(const struct lane_addresses *lanes) {
  if (lanes->affine)
    return lanes->stride == 0 || lanes->count == 1;
  for (uint32_t i = 1; i < lanes->count; i++)
    if (lanes->address[i] != lanes->address[0])
      return false;
  return true;
}

bool uniform_port_has(struct uniform_port *port, uint32_t low, uint32_t high) {
  bool all = true;
  for (uint32_t i = low; i <= high && port->cache; i++)
    all &= cache_access(port->cache, i);
  return all;
}

bool uniform_port_takes(struct uniform_port *port, const struct line_size *line, const struct lane_addresses *lanes) {
  const uint64_t first = lanes->affine ? lanes->first : lanes->address[0];
  return one_address(lanes) && uniform_port_has(port, line_of(line, first), line_of(line, first + lanes->bytes - 1));
}

uint64_t uniform_port_serve(struct uniform_port *port, uint64_t now) {
  uint64_t begin = port->free > now ? port->free : now;
  port->free = begin + port->load_ticks;
  return begin - now + port->latency_ticks;
}

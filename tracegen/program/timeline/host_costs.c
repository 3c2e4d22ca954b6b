#include "tracegen/program/timeline/host_costs.h"

#include <math.h>

const char *command_kind_name(enum command_kind kind) {
  static const char *const names[] = {"kernel", "read", "write",  "map",       "unmap",
                                      "copy",   "fill", "marker", "user event"};
  return names[kind];
}

static bool crosses_link(const struct host_costs *costs, enum command_kind kind) {
  const bool maps = kind == COMMAND_MAP || kind == COMMAND_UNMAP;
  return kind == COMMAND_READ || kind == COMMAND_WRITE || (maps && !costs->shared_memory);
}

static double moving_ns(double bytes, double bytes_per_ns) {
  return bytes_per_ns > 0 ? bytes / bytes_per_ns : 0;
}

int64_t command_ns(const struct host_costs *costs, enum command_kind kind, uint64_t bytes) {
  double ns = 0;
  if (crosses_link(costs, kind) && bytes > 0)
    ns = costs->link_ns + moving_ns((double)bytes, costs->link_bytes_per_ns);
  else if (kind == COMMAND_COPY)
    ns = moving_ns(2.0 * (double)bytes, costs->copy_bytes_per_ns);
  else if (kind == COMMAND_FILL)
    ns = moving_ns((double)bytes, costs->copy_bytes_per_ns);
  return (int64_t)ceil(ns);
}

enum command_engine command_engine(const struct host_costs *costs, enum command_kind kind) {
  if (kind == COMMAND_KERNEL || kind == COMMAND_COPY || kind == COMMAND_FILL)
    return ENGINE_GPU;
  return crosses_link(costs, kind) ? ENGINE_LINK : ENGINE_NONE;
}

/* Handles accesses that do not go through a core's load/store unit: those to the scratchpad and through the uniform
 * port. */
#include "model/replay/core.h"
#include "model/warp/warp_uniform.h"

bool core_ports_init(struct core_ports *ports, const struct gpu_spec *spec, uint32_t most_bytes) {
  return scratchpad_init(&ports->scratchpad, spec, most_bytes) && uniform_port_init(&ports->uniform, spec);
}

void core_ports_clear(struct core_ports *ports) {
  scratchpad_clear(&ports->scratchpad);
  uniform_port_clear(&ports->uniform);
}

/* Makes addresses relative to the beginning of the work-group's local memory. */
static void count_from(struct lane_addresses *lanes, uint64_t base) {
  lanes->first -= base;
  for (uint32_t i = 0; i < lanes->count && !lanes->affine; i++)
    lanes->address[i] -= base;
}

/* Returns the passes of the access, computed from the address of each lane. */
static uint32_t look_at_lanes(struct core *core, const struct warp *warp, const struct trace_op *op,
                              enum atomic_role role) {
  struct lane_addresses lanes;
  warp_addresses(warp, core->context, &lanes);
  merged_atomics_merge(role, &lanes);
  count_from(&lanes, warp->local_base);
  return scratchpad_passes(&core->ports.scratchpad, &lanes, (enum trace_op_class)op->op_class,
                           op->op_class != OP_ATOMIC || role == ATOMIC_INCREMENT);
}

static uint32_t passes_of(struct core *core, const struct warp *warp, const struct trace_op *op,
                          enum atomic_role role) {
  struct scratchpad *pad = &core->ports.scratchpad;
  struct access_shape shape;
  if (!access_shape_of(warp, core->context->trace->header.local, pad->word.bytes, &shape))
    return look_at_lanes(core, warp, op, role);
  shape.role = role;
  uint32_t *known = known_passes_of(&pad->known, &shape);
  if (*known == 0)
    *known = look_at_lanes(core, warp, op, role);
  return *known;
}

static struct port_access at_scratchpad(struct core *core, const struct warp *warp, const struct trace_op *op,
                                        enum atomic_role role) {
  struct scratchpad *pad = &core->ports.scratchpad;
  struct pass_port *port = core->lsu.shares_pipe ? &core->lsu.pipe : &pad->port;
  const uint32_t passes = passes_of(core, warp, op, role);
  core->counters->scratchpad_accesses++;
  core->counters->scratchpad_passes += passes;
  return (struct port_access){true, passes, scratchpad_serve(pad, port, core->now, passes), STACK_local};
}

/* Returns whether the load takes the uniform port. Loads with a range of lines need no address of each lane. */
static bool takes_uniform_port(const struct gpu_replay *replay, struct core *core, const struct warp *warp) {
  struct uniform_port *port = &core->ports.uniform;
  struct lane_addresses lanes;
  uint32_t low, high;
  if (warp->at && uniform_lines(warp, &replay->memory.parts.line, &low, &high))
    return uniform_port_has(port, low, high);
  warp_addresses(warp, core->context, &lanes);
  return uniform_port_takes(port, &replay->memory.parts.line, &lanes);
}

static struct port_access at_uniform_port(struct gpu_replay *replay, struct core *core, const struct warp *warp) {
  if (!takes_uniform_port(replay, core, warp))
    return (struct port_access){0};
  core->counters->uniform_loads++;
  return (struct port_access){true, 1, uniform_port_serve(&core->ports.uniform, core->now), STACK_uniform};
}

struct port_access core_ports_access(struct gpu_replay *replay, struct core *core, const struct warp *warp) {
  const struct trace_op *op = &replay->trace->code.ops[warp->op];
  if (op->space == SPACE_LOCAL && core->ports.scratchpad.on)
    return at_scratchpad(core, warp, op, merged_atomics_role(&replay->memory.merged, warp->op));
  if (uniform_port_may(&core->ports.uniform, op))
    return at_uniform_port(replay, core, warp);
  return (struct port_access){0};
}

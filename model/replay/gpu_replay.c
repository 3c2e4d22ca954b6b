#include "model/replay/gpu_replay.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/warp/occupancy.h"
#include "model/sampling/sample.h"
#include "model/replay/l2_order.h"
#include "model/replay/parallel_replay.h"

#define MAX_RESIDENT_WARPS (1u << 22) /* over all cores: bounds memory at about 1 GiB */
#define MAX_ACCESS_BYTES   4096       /* of one work-item: far above OpenCL's widest vector (128) */

static uint64_t round_up(uint64_t value, uint64_t unit) {
  return (value + unit - 1) / unit * unit;
}

static int check_access_bytes(const struct trace_code *code, uint32_t *most, struct error *error) {
  *most = 1;
  for (uint32_t i = 0; i < code->mem_count; i++) {
    const struct trace_op *op = &code->ops[code->mem_ops[i]];
    if (op->bytes > MAX_ACCESS_BYTES)
      return error_set(error, ERROR_INPUT, "source line %u: one access of %u bytes; at most %d are supported", op->line,
                       op->bytes, MAX_ACCESS_BYTES);
    if (op->bytes > *most)
      *most = op->bytes;
  }
  return 0;
}

/* Local memories of work-groups start on 128 bytes (OpenCL's largest alignment), private ones on 16 (assumed). All must
 * have line numbers below CACHE_NO_LINE. */
static int place_memories(struct gpu_replay *replay, struct error *error) {
  const struct trace_header *header = &replay->trace->header;
  replay->local_stride = round_up(header->local_bytes, 128);
  replay->private_stride = round_up(header->private_bytes, 16);
  uint64_t groups = (uint64_t)replay->core_count * replay->slots;
  tick_sum group_bytes = (tick_sum)replay->local_stride + (tick_sum)replay->private_stride * trace_local_size(header);
  tick_sum all = group_bytes * groups + (UINT64_C(1) << 32) + MAX_ACCESS_BYTES + (UINT64_C(1) << 32);
  if (all / (uint64_t)replay->spec->line_bytes < CACHE_NO_LINE)
    return 0;
  return error_set(
      error, ERROR_INPUT,
      "local and private memory of all resident work-groups need more than 2^32 lines of %lld bytes: use a "
      "larger line_bytes or a smaller threads_per_core",
      (long long)replay->spec->line_bytes);
}

static bool has_divergence(const struct trace *trace) {
  for (uint32_t i = 0; i < trace->shape_count; i++)
    if (trace->shapes[i]->cohort_count > 1)
      return true;
  return false;
}

static uint32_t power_of_two(uint32_t least) {
  uint32_t n = 1;
  while (n < least)
    n *= 2;
  return n;
}

/* dependency: every warp's list; else none. */
static bool flights_init(struct gpu_replay *replay, struct core *core, uint32_t warps) {
  uint32_t limit = (uint32_t)replay->spec->warp_accesses_in_flight;
  if (replay->spec->memory != MEMORY_DEPENDENCY)
    return true;
  core->flights = calloc((size_t)warps * limit, sizeof *core->flights);
  for (uint32_t i = 0; i < warps && core->flights; i++)
    core->warps[i].flights = (struct flight_list){core->flights + (size_t)i * limit, 0, 0, limit};
  return core->flights;
}

static bool places_init(const struct gpu_replay *replay, struct core *core, uint32_t warps) {
  const bool limited = replay->spec->memory != MEMORY_BLOCKING && replay->spec->core_accesses_in_flight > 0;
  return !limited || flight_places_init(&core->places, (uint32_t)replay->spec->core_accesses_in_flight, warps);
}

static bool core_init(struct gpu_replay *replay, uint32_t id, uint32_t lines, uint32_t most_bytes) {
  struct core *core = &replay->cores[id];
  uint32_t warps = replay->slots * replay->warps_per_group, ring = power_of_two(warps);
  core->id = id;
  core->context = replay->context;
  if (replay->order->own)
    core->range = replay->order->own(id, replay->core_count, replay->trace->group_count);
  core->free_slots = replay->slots;
  core->stage = CORE_DISPATCH;
  core->position = replay->launch_ticks;
  core->ready_mask = ring - 1;
  core->op_ticks = calloc(replay->trace->code.op_count + 1u, sizeof *core->op_ticks);
  core->groups = calloc(replay->slots, sizeof *core->groups);
  core->warps = aligned_alloc(_Alignof(struct resident_warp), warps * sizeof *core->warps);
  if (core->warps)
    memset(core->warps, 0, warps * sizeof *core->warps);
  core->keys = calloc(replay->execution_engines, sizeof *core->keys);
  if ((core->engines = calloc(replay->execution_engines + 1u, sizeof *core->engines)))
    (core->engines++)->end = UINT64_MAX;
  core->ready = calloc(ring, sizeof *core->ready);
  core->sleepers = (struct time_queue){.entries = calloc(ring, sizeof *core->sleepers.entries), .mask = ring - 1};
  core->arrivals.entries = calloc(replay->slots, sizeof *core->arrivals.entries);
  core->access.lines = calloc(memory_access_room(lines), sizeof *core->access.lines);
  return core->op_ticks && core->groups && core->warps && core->engines && core->keys && core->ready &&
         core->sleepers.entries && core->arrivals.entries && core->access.lines && flights_init(replay, core, warps) &&
         places_init(replay, core, warps) && lsu_init(&core->lsu, replay->spec, lines) &&
         core_ports_init(&core->ports, replay->spec, most_bytes);
}

static void core_clear(struct core *core) {
  free(core->op_ticks);
  free(core->groups);
  free(core->warps);
  free(core->engines ? core->engines - 1 : NULL);
  free(core->keys);
  free(core->ready);
  free(core->sleepers.entries);
  free(core->arrivals.entries);
  free(core->access.lines);
  free(core->flights);
  lsu_clear(&core->lsu);
  core_ports_clear(&core->ports);
  flight_places_clear(&core->places);
}

static uint32_t access_lines(const struct gpu_replay *replay, uint32_t most_bytes) {
  struct line_size line = line_size_make((uint32_t)replay->spec->line_bytes);
  return coalesce_capacity(&line, (uint32_t)replay->spec->warp_size, most_bytes);
}

static bool allocate(struct gpu_replay *replay, uint32_t most_bytes) {
  size_t warps = (size_t)replay->core_count * replay->slots * replay->warps_per_group;
  uint32_t warp_size = (uint32_t)replay->spec->warp_size;
  uint32_t lines = access_lines(replay, most_bytes);
  replay->result->core_stacks = calloc(replay->core_count, sizeof *replay->result->core_stacks);
  replay->result->op_ticks = calloc(replay->trace->code.op_count + 1u, sizeof *replay->result->op_ticks);
  replay->cores = aligned_alloc(_Alignof(struct core), replay->core_count * sizeof *replay->cores);
  if (replay->cores)
    memset(replay->cores, 0, replay->core_count * sizeof *replay->cores);
  replay->counters = calloc(warps * replay->context->depth + 1, sizeof *replay->counters);
  if (!replay->result->core_stacks || !replay->result->op_ticks || !replay->cores || !replay->counters)
    return false;
  if (has_divergence(replay->trace)) {
    replay->divergent_bytes = warp_divergent_bytes(warp_size, replay->context->depth);
    if (!(replay->divergent = calloc(warps, replay->divergent_bytes)))
      return false;
  }
  for (uint32_t i = 0; i < replay->core_count; i++)
    if (!core_init(replay, i, lines, most_bytes))
      return false;
  return true;
}

static bool start_observer(struct gpu_replay *replay) {
  struct observer *observer = replay->observer;
  observer->core_count = replay->core_count;
  observer->engine_count = replay->execution_engines;
  observer->slot_count = replay->slots;
  observer->warps_per_group = replay->warps_per_group;
  observer->group_items = trace_local_size(&replay->trace->header);
  observer->op_count = replay->trace->code.op_count;
  replay->run = core_loop(replay->spec, true); /* the one that asks who listens */
  return observer_start(observer);
}

static int gpu_replay_init(struct gpu_replay *replay, struct error *error) {
  const struct gpu_spec *spec = replay->spec;
  uint32_t most_bytes;
  replay->core_count = (uint32_t)spec->cores;
  replay->execution_engines = (uint32_t)spec->execution_engines;
  replay->order = dispatch_orders[spec->dispatch];
  replay->scheduler = schedulers[spec->scheduler];
  replay->range = (struct dispatch_range){0, replay->trace->group_count, 1};
  replay->slots = occupancy_groups(replay->trace, spec);
  replay->warps_per_group = warp_count_in_group(&replay->trace->header, spec);
  replay->ports_on = core_ports_are_on(spec);
  replay->run = core_loop(spec, replay->recorder);
  replay->launch_ticks = cycles_to_ticks(spec->launch_cycles);
  replay->work_group_ticks = cycles_to_ticks(spec->work_group_cycles);
  replay->barrier_ticks = cycles_to_ticks(spec->barrier_cycles);
  replay->arith = (uint64_t)llround(spec->arith_cycles * (1 << 20));
  replay->transaction_ticks = core_slots_ticks(replay, PRICE_ONE);
  while (UINT32_C(1) << replay->index_bits < replay->slots * replay->warps_per_group)
    replay->index_bits++;
  uint64_t resident = (uint64_t)replay->core_count * replay->slots * replay->warps_per_group;
  if (resident > MAX_RESIDENT_WARPS)
    return error_set(error, ERROR_INPUT,
                     "%llu warps would be resident at a time, at most %u are supported: lower cores, threads_per_core "
                     "or work_groups_per_core, or raise warp_size",
                     (unsigned long long)resident, MAX_RESIDENT_WARPS);
  if (check_access_bytes(&replay->trace->code, &most_bytes, error) || place_memories(replay, error) ||
      memory_init(&replay->memory, spec, access_lines(replay, most_bytes), error))
    return -1;
  core_set_stretches(replay);
  if (!allocate(replay, most_bytes) || (replay->observer && !start_observer(replay)))
    return error_set(error, ERROR_WORK, "out of memory for %llu resident warps", (unsigned long long)resident);
  return instruction_fetch_init(&replay->fetch, replay->context, spec, resident, replay->divergent_bytes, error);
}

static void gpu_replay_clear(struct gpu_replay *replay) {
  for (uint32_t i = 0; i < replay->core_count && replay->cores; i++)
    core_clear(&replay->cores[i]);
  memory_clear(&replay->memory);
  instruction_fetch_clear(&replay->fetch);
  free(replay->cores);
  free(replay->counters);
  free(replay->divergent);
}

/* All cores are empty: the emptiest core, the lowest among equals, gets the next work-group until none has room. */
static void launch(struct gpu_replay *replay) {
  for (uint32_t i = 0; i < replay->core_count; i++) {
    struct core *core = &replay->cores[i];
    core->now = core->accounted = core->dispatch_free = replay->launch_ticks;
    core->stack[STACK_launch] += replay->launch_ticks * replay->execution_engines;
  }
  for (uint32_t slot = 0; slot < replay->slots; slot++)
    for (uint32_t i = 0; i < replay->core_count; i++) {
      struct dispatch_range *range = core_range(replay, &replay->cores[i]);
      if (!dispatch_is_over(range))
        core_give_group(replay, &replay->cores[i], dispatch_take(range));
    }
}

static int run_cores(struct gpu_replay *replay, struct error *error) {
  struct l2_order turns;
  int status = 0;
  if (!l2_order_init(&turns, replay->core_count))
    replay->no_memory = true;
  else if (replay->threads > 1 && parallel_replay_apply(replay))
    parallel_replay_run(replay, &turns);
  else
    l2_order_run(replay, &turns);
  if (replay->no_memory)
    status = error_set(error, ERROR_WORK, "out of memory for queued accesses");
  else if (replay->too_long)
    status = error_set(error, ERROR_INPUT, "the kernel would take more than %.3g cycles; no real one does",
                       ticks_to_cycles(MAX_TICKS));
  l2_order_clear(&turns);
  return status;
}

static void add_queues(struct queue_ticks *sum, const struct queue_ticks *waited) {
#define X(field, name, meaning) sum->field += waited->field;
  SIM_QUEUES(X)
#undef X
}

static void add_sums(struct replay_result *result, const struct core_sums *sums) {
  result->events += sums->events;
  if (__builtin_add_overflow(result->run_slots, sums->run_slots, &result->run_slots))
    result->run_slots = UINT64_MAX;
}

/* What its operations took goes into the core's stack and the operations' sums. */
static void gather_core(const struct gpu_replay *replay, const struct core *core, struct replay_result *out) {
  uint64_t *stack = out->core_stacks[core->id];
  for (int i = 0; i < SIM_STACK_COUNT; i++)
    stack[i] = core->stack[i];
  for (uint32_t op = 0; op < replay->trace->code.op_count; op++)
    for (int i = 0; i < SIM_STACK_COUNT; i++) {
      stack[i] += core->op_ticks[op][i];
      out->op_ticks[op][i] += core->op_ticks[op][i];
    }
  add_sums(out, &core->sums);
  sim_counters_add(&out->counters, core_counters(replay, core));
  add_queues(&out->queues, &core->lsu.waited);
}

static void gather(const struct gpu_replay *replay, struct replay_result *out) {
  for (uint32_t i = 0; i < replay->core_count; i++)
    gather_core(replay, &replay->cores[i], out);
  sim_counters_add(&out->counters, &replay->memory.shared);
  add_queues(&out->queues, &replay->memory.slices.waited);
}

bool gpu_replay_gather(const struct gpu_replay *replay, struct replay_result *out) {
  *out = (struct replay_result){.core_stacks = calloc(replay->core_count, sizeof *out->core_stacks),
                                .op_ticks = calloc(replay->trace->code.op_count + 1u, sizeof *out->op_ticks)};
  if (!out->core_stacks || !out->op_ticks)
    return false;
  gather(replay, out);
  return true;
}

static void close_accounts(struct gpu_replay *replay) {
  struct replay_result *result = replay->result;
  for (uint32_t i = 0; i < replay->core_count; i++)
    if (replay->cores[i].now > result->ticks)
      result->ticks = replay->cores[i].now;
  for (uint32_t i = 0; i < replay->core_count; i++)
    core_account(replay, &replay->cores[i], result->ticks);
  gather(replay, result);
  if (replay->observer)
    observer_finish(replay->observer, result->ticks);
}

int gpu_replay_run(const struct warp_context *context, const struct gpu_spec *spec,
                   const struct replay_options *options, struct replay_result *result, struct error *error) {
  struct sampler *sampler = options->sampler;
  struct gpu_replay replay = {.context = context,
                              .trace = context->trace,
                              .spec = spec,
                              .recorder = options->recorder,
                              .observer = options->observer,
                              .threads = options->threads,
                              .until = MAX_TICKS + 1,
                              .result = result};
  int status = gpu_replay_init(&replay, error);
  if (status == 0) {
    launch(&replay);
    if (sampler && !sampler_start(sampler, &replay))
      status = error_set(error, ERROR_WORK, "out of memory");
    else
      status = run_cores(&replay, error);
  }
  if (status == 0)
    close_accounts(&replay);
  if (status == 0 && sampler && sampler->estimated)
    sampler_extrapolate(sampler, &replay, result);
  gpu_replay_clear(&replay);
  return status;
}

void replay_result_clear(struct replay_result *result) {
  free(result->core_stacks);
  free(result->op_ticks);
  *result = (struct replay_result){0};
}

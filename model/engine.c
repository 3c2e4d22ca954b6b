#include "model/engine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/occupancy.h"
#include "model/sample.h"
#include "model/turns.h"
#include "model/windows.h"

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
static int place_memories(struct engine *engine, struct error *error) {
  const struct trace_header *header = &engine->trace->header;
  engine->local_stride = round_up(header->local_bytes, 128);
  engine->private_stride = round_up(header->private_bytes, 16);
  uint64_t groups = (uint64_t)engine->core_count * engine->slots;
  tick_sum group_bytes = (tick_sum)engine->local_stride + (tick_sum)engine->private_stride * trace_local_size(header);
  tick_sum all = group_bytes * groups + (UINT64_C(1) << 32) + MAX_ACCESS_BYTES + (UINT64_C(1) << 32);
  if (all / (uint64_t)engine->spec->line_bytes < CACHE_NO_LINE)
    return 0;
  return error_set(
      error, ERROR_INPUT,
      "local and private memory of all resident work-groups need more than 2^32 lines of %lld bytes: use a "
      "larger line_bytes or a smaller threads_per_core",
      (long long)engine->spec->line_bytes);
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
static bool flights_init(struct engine *engine, struct core *core, uint32_t warps) {
  uint32_t limit = (uint32_t)engine->spec->warp_accesses_in_flight;
  if (engine->spec->memory != MEMORY_DEPENDENCY)
    return true;
  core->flights = calloc((size_t)warps * limit, sizeof *core->flights);
  for (uint32_t i = 0; i < warps && core->flights; i++)
    core->warps[i].flights = (struct flight_list){core->flights + (size_t)i * limit, 0, 0, limit};
  return core->flights;
}

static bool places_init(const struct engine *engine, struct core *core, uint32_t warps) {
  const bool limited = engine->spec->memory != MEMORY_BLOCKING && engine->spec->core_accesses_in_flight > 0;
  return !limited || flight_places_init(&core->places, (uint32_t)engine->spec->core_accesses_in_flight, warps);
}

static bool core_init(struct engine *engine, uint32_t id, uint32_t lines, uint32_t most_bytes) {
  struct core *core = &engine->cores[id];
  uint32_t warps = engine->slots * engine->warps_per_group, ring = power_of_two(warps);
  core->id = id;
  core->context = engine->context;
  if (engine->order->own)
    core->range = engine->order->own(id, engine->core_count, engine->trace->group_count);
  core->free_slots = engine->slots;
  core->stage = CORE_DISPATCH;
  core->position = engine->launch_ticks;
  core->ready_mask = ring - 1;
  core->op_ticks = calloc(engine->trace->code.op_count + 1u, sizeof *core->op_ticks);
  core->groups = calloc(engine->slots, sizeof *core->groups);
  core->warps = aligned_alloc(_Alignof(struct resident_warp), warps * sizeof *core->warps);
  if (core->warps)
    memset(core->warps, 0, warps * sizeof *core->warps);
  core->keys = calloc(engine->execution_engines, sizeof *core->keys);
  if ((core->engines = calloc(engine->execution_engines + 1u, sizeof *core->engines)))
    (core->engines++)->end = UINT64_MAX;
  core->ready = calloc(ring, sizeof *core->ready);
  core->sleepers = (struct time_queue){.entries = calloc(ring, sizeof *core->sleepers.entries), .mask = ring - 1};
  core->arrivals.entries = calloc(engine->slots, sizeof *core->arrivals.entries);
  core->access.lines = calloc(memory_access_room(lines), sizeof *core->access.lines);
  return core->op_ticks && core->groups && core->warps && core->engines && core->keys && core->ready &&
         core->sleepers.entries && core->arrivals.entries && core->access.lines && flights_init(engine, core, warps) &&
         places_init(engine, core, warps) && lsu_init(&core->lsu, engine->spec, lines) &&
         core_ports_init(&core->ports, engine->spec, most_bytes);
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

static uint32_t access_lines(const struct engine *engine, uint32_t most_bytes) {
  struct line_size line = line_size_make((uint32_t)engine->spec->line_bytes);
  return coalesce_capacity(&line, (uint32_t)engine->spec->warp_size, most_bytes);
}

static bool allocate(struct engine *engine, uint32_t most_bytes) {
  size_t warps = (size_t)engine->core_count * engine->slots * engine->warps_per_group;
  uint32_t warp_size = (uint32_t)engine->spec->warp_size;
  uint32_t lines = access_lines(engine, most_bytes);
  engine->result->core_stacks = calloc(engine->core_count, sizeof *engine->result->core_stacks);
  engine->result->op_ticks = calloc(engine->trace->code.op_count + 1u, sizeof *engine->result->op_ticks);
  engine->cores = aligned_alloc(_Alignof(struct core), engine->core_count * sizeof *engine->cores);
  if (engine->cores)
    memset(engine->cores, 0, engine->core_count * sizeof *engine->cores);
  engine->counters = calloc(warps * engine->context->depth + 1, sizeof *engine->counters);
  if (!engine->result->core_stacks || !engine->result->op_ticks || !engine->cores || !engine->counters)
    return false;
  if (has_divergence(engine->trace)) {
    engine->divergent_bytes = warp_divergent_bytes(warp_size, engine->context->depth);
    if (!(engine->divergent = calloc(warps, engine->divergent_bytes)))
      return false;
  }
  for (uint32_t i = 0; i < engine->core_count; i++)
    if (!core_init(engine, i, lines, most_bytes))
      return false;
  return true;
}

static bool start_observer(struct engine *engine) {
  struct observer *observer = engine->observer;
  observer->core_count = engine->core_count;
  observer->engine_count = engine->execution_engines;
  observer->slot_count = engine->slots;
  observer->warps_per_group = engine->warps_per_group;
  observer->group_items = trace_local_size(&engine->trace->header);
  observer->op_count = engine->trace->code.op_count;
  engine->run = core_loop(engine->spec, true); /* the one that asks who listens */
  return observer_start(observer);
}

static int engine_init(struct engine *engine, struct error *error) {
  const struct gpu_spec *spec = engine->spec;
  uint32_t most_bytes;
  engine->core_count = (uint32_t)spec->cores;
  engine->execution_engines = (uint32_t)spec->execution_engines;
  engine->order = dispatch_orders[spec->dispatch];
  engine->scheduler = schedulers[spec->scheduler];
  engine->range = (struct dispatch_range){0, engine->trace->group_count, 1};
  engine->slots = occupancy_groups(engine->trace, spec);
  engine->warps_per_group = warp_count_in_group(&engine->trace->header, spec);
  engine->ports_on = core_ports_are_on(spec);
  engine->run = core_loop(spec, engine->recorder);
  engine->launch_ticks = cycles_to_ticks(spec->launch_cycles);
  engine->work_group_ticks = cycles_to_ticks(spec->work_group_cycles);
  engine->barrier_ticks = cycles_to_ticks(spec->barrier_cycles);
  engine->arith = (uint64_t)llround(spec->arith_cycles * (1 << 20));
  engine->transaction_ticks = core_slots_ticks(engine, PRICE_ONE);
  while (UINT32_C(1) << engine->index_bits < engine->slots * engine->warps_per_group)
    engine->index_bits++;
  uint64_t resident = (uint64_t)engine->core_count * engine->slots * engine->warps_per_group;
  if (resident > MAX_RESIDENT_WARPS)
    return error_set(error, ERROR_INPUT,
                     "%llu warps would be resident at a time, at most %u are supported: lower cores, threads_per_core "
                     "or work_groups_per_core, or raise warp_size",
                     (unsigned long long)resident, MAX_RESIDENT_WARPS);
  if (check_access_bytes(&engine->trace->code, &most_bytes, error) || place_memories(engine, error) ||
      memory_init(&engine->memory, spec, access_lines(engine, most_bytes), error))
    return -1;
  core_set_stretches(engine);
  if (!allocate(engine, most_bytes) || (engine->observer && !start_observer(engine)))
    return error_set(error, ERROR_WORK, "out of memory for %llu resident warps", (unsigned long long)resident);
  return instruction_fetch_init(&engine->fetch, engine->context, spec, resident, engine->divergent_bytes, error);
}

static void engine_clear(struct engine *engine) {
  for (uint32_t i = 0; i < engine->core_count && engine->cores; i++)
    core_clear(&engine->cores[i]);
  memory_clear(&engine->memory);
  instruction_fetch_clear(&engine->fetch);
  free(engine->cores);
  free(engine->counters);
  free(engine->divergent);
}

/* All cores are empty: the emptiest core, the lowest among equals, gets the next work-group until none has room. */
static void launch(struct engine *engine) {
  for (uint32_t i = 0; i < engine->core_count; i++) {
    struct core *core = &engine->cores[i];
    core->now = core->accounted = core->dispatch_free = engine->launch_ticks;
    core->stack[STACK_launch] += engine->launch_ticks * engine->execution_engines;
  }
  for (uint32_t slot = 0; slot < engine->slots; slot++)
    for (uint32_t i = 0; i < engine->core_count; i++) {
      struct dispatch_range *range = core_range(engine, &engine->cores[i]);
      if (!dispatch_is_over(range))
        core_give_group(engine, &engine->cores[i], dispatch_take(range));
    }
}

static int run_cores(struct engine *engine, struct error *error) {
  struct turns turns;
  int status = 0;
  if (!turns_init(&turns, engine->core_count))
    engine->no_memory = true;
  else if (engine->threads > 1 && windows_apply(engine))
    windows_run(engine, &turns);
  else
    turns_run(engine, &turns);
  if (engine->no_memory)
    status = error_set(error, ERROR_WORK, "out of memory for queued accesses");
  else if (engine->too_long)
    status = error_set(error, ERROR_INPUT, "the kernel would take more than %.3g cycles; no real one does",
                       ticks_to_cycles(MAX_TICKS));
  turns_clear(&turns);
  return status;
}

static void add_queues(struct queue_ticks *sum, const struct queue_ticks *waited) {
#define X(field, name, meaning) sum->field += waited->field;
  SIM_QUEUES(X)
#undef X
}

static void add_sums(struct engine_result *result, const struct core_sums *sums) {
  result->events += sums->events;
  if (__builtin_add_overflow(result->run_slots, sums->run_slots, &result->run_slots))
    result->run_slots = UINT64_MAX;
  result->uniform_loads += sums->uniform_loads;
  result->instruction_misses += sums->instruction_misses;
  result->scratchpad.accesses += sums->scratchpad.accesses;
  result->scratchpad.passes += sums->scratchpad.passes;
}

static void add_memory_counts(struct engine_result *result, const struct memory_counts *counts) {
  result->l1.accesses += counts->l1.accesses;
  result->l1.misses += counts->l1.misses;
  result->l1.write_backs += counts->l1.write_backs;
  result->atomics += counts->atomics;
  result->atomic_rounds += counts->atomic_rounds;
}

/* What its operations took goes into the core's stack and the operations' sums. */
static void gather_core(const struct engine *engine, const struct core *core, struct engine_result *out) {
  uint64_t *stack = out->core_stacks[core->id];
  for (int i = 0; i < SIM_STACK_COUNT; i++)
    stack[i] = core->stack[i];
  for (uint32_t op = 0; op < engine->trace->code.op_count; op++)
    for (int i = 0; i < SIM_STACK_COUNT; i++) {
      stack[i] += core->op_ticks[op][i];
      out->op_ticks[op][i] += core->op_ticks[op][i];
    }
  add_sums(out, &core->sums);
  add_memory_counts(out, &engine->memory.counts[core->id]);
  add_queues(&out->queues, &core->lsu.waited);
}

static void gather(const struct engine *engine, struct engine_result *out) {
  for (uint32_t i = 0; i < engine->core_count; i++)
    gather_core(engine, &engine->cores[i], out);
  out->l2 = engine->memory.l2_count;
  out->traffic = engine->memory.traffic;
  add_queues(&out->queues, &engine->memory.slices.waited);
}

bool engine_gather(const struct engine *engine, struct engine_result *out) {
  *out = (struct engine_result){.core_stacks = calloc(engine->core_count, sizeof *out->core_stacks),
                                .op_ticks = calloc(engine->trace->code.op_count + 1u, sizeof *out->op_ticks)};
  if (!out->core_stacks || !out->op_ticks)
    return false;
  gather(engine, out);
  return true;
}

static void close_accounts(struct engine *engine) {
  struct engine_result *result = engine->result;
  for (uint32_t i = 0; i < engine->core_count; i++)
    if (engine->cores[i].now > result->ticks)
      result->ticks = engine->cores[i].now;
  for (uint32_t i = 0; i < engine->core_count; i++)
    core_account(engine, &engine->cores[i], result->ticks);
  gather(engine, result);
  if (engine->observer)
    observer_finish(engine->observer, result->ticks);
}

int engine_run(const struct warp_context *context, const struct gpu_spec *spec, const struct engine_options *options,
               struct engine_result *result, struct error *error) {
  struct sampler *sampler = options->sampler;
  struct engine engine = {.context = context,
                          .trace = context->trace,
                          .spec = spec,
                          .recorder = options->recorder,
                          .observer = options->observer,
                          .threads = options->threads,
                          .until = MAX_TICKS + 1,
                          .result = result};
  int status = engine_init(&engine, error);
  if (status == 0) {
    launch(&engine);
    if (sampler && !sampler_start(sampler, &engine))
      status = error_set(error, ERROR_WORK, "out of memory");
    else
      status = run_cores(&engine, error);
  }
  if (status == 0)
    close_accounts(&engine);
  if (status == 0 && sampler && sampler->estimated)
    sampler_extrapolate(sampler, &engine, result);
  engine_clear(&engine);
  return status;
}

void engine_result_clear(struct engine_result *result) {
  free(result->core_stacks);
  free(result->op_ticks);
  *result = (struct engine_result){0};
}

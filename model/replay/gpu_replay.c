#include "model/replay/gpu_replay.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/replay/l2_order.h"
#include "model/replay/parallel_replay.h"
#include "model/replay/recorded/recorded_warps.h"
#include "model/warp/occupancy.h"
#include "model/isa/spill.h"

#define MAX_RESIDENT_WARPS (1u << 22) /* limit over all cores, which bounds memory at about 1 GiB */
#define MAX_ACCESS_BYTES   4096       /* largest access of one work-item: far above OpenCL's widest vector (128) */

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

/* Sets the places of memories: local memories of work-groups start on 128 bytes (OpenCL's largest alignment), private
 * ones on 16 (assumed). All must have line numbers below CACHE_NO_LINE. */
static int place_memories(struct gpu_replay *replay, struct error *error) {
  const struct trace_header *header = &replay->trace->header;
  replay->local_stride = round_up(header->local_bytes, 128);
  replay->private_stride = round_up(header->private_bytes, 16);
  uint64_t groups = (uint64_t)replay->core_count * replay->group_places;
  tick_sum group_bytes = (tick_sum)replay->local_stride + (tick_sum)replay->private_stride * trace_local_size(header);
  tick_sum all = group_bytes * groups + (UINT64_C(1) << 32) + MAX_ACCESS_BYTES + (UINT64_C(1) << 32);
  const uint32_t piece = access_parts_of(replay->spec).piece.bytes;
  if (all / piece < CACHE_NO_LINE)
    return 0;
  return error_set(error, ERROR_INPUT,
                   "local and private memory of all resident work-groups need more than 2^32 lines of %u bytes: use a "
                   "larger line_bytes or a smaller threads_per_core",
                   piece);
}

static bool has_divergence(const struct trace *trace) {
  for (uint32_t i = 0; i < trace->shape_count; i++) {
    trace_shape_read(trace, i);
    if (trace->shapes[i]->cohort_count > 1)
      return true;
  }
  return false;
}

static uint32_t access_lines(const struct gpu_replay *replay, uint32_t most_bytes) {
  const struct access_parts parts = access_parts_of(replay->spec);
  return access_parts_capacity(&parts, (uint32_t)replay->spec->warp_size, most_bytes);
}

/* The cores that have memory: all, or the one that is replayed alone. */
struct core_range {
  uint32_t first, end;
};

static struct core_range cores_of(const struct gpu_replay *replay) {
  return replay->alone.record ? (struct core_range){replay->only, replay->only + 1}
                              : (struct core_range){0, replay->core_count};
}

static bool allocate_cores(struct gpu_replay *replay, uint32_t lines, uint32_t most_bytes) {
  const struct core_range cores = cores_of(replay);
  replay->cores = aligned_alloc(_Alignof(struct core), replay->core_count * sizeof *replay->cores);
  if (!replay->cores)
    return false;
  memset(replay->cores + cores.first, 0, (cores.end - cores.first) * sizeof *replay->cores);
  for (uint32_t i = cores.first; i < cores.end; i++)
    if (replay_has_core(replay, i) && !core_init(replay, i, lines, most_bytes))
      return false;
  return true;
}

static bool allocate(struct gpu_replay *replay, uint32_t most_bytes) {
  size_t warps = (size_t)replay->core_count * replay->group_places * replay->warps_per_group;
  uint32_t warp_size = (uint32_t)replay->spec->warp_size;
  replay->result->core_stacks = calloc(replay->core_count, sizeof *replay->result->core_stacks);
  replay->result->op_ticks = calloc(replay->trace->code.op_count + 1u, sizeof *replay->result->op_ticks);
  replay->counters = calloc(warps * replay->context->depth + 1, sizeof *replay->counters);
  if (!replay->result->core_stacks || !replay->result->op_ticks || !replay->counters)
    return false;
  if (has_divergence(replay->trace)) {
    replay->divergent_bytes = warp_divergent_bytes(warp_size, replay->context->depth);
    if (!(replay->divergent = aligned_alloc(WARP_DIVERGENT_ALIGNMENT, warps * replay->divergent_bytes)))
      return false;
  }
  if (replay->trace->homes &&
      !dispatch_homes_init(&replay->homes, replay->trace->homes, replay->group_count, replay->core_count))
    return false;
  return allocate_cores(replay, access_lines(replay, most_bytes), most_bytes);
}

/* Copies the machine's numbers from the spec, after group_count, group_places and warps_per_group have been set. A
 * recorded launch has no trace, and its work-groups are tied to no cores; those of a core that is replayed alone are
 * tied to it. */
static void set_machine(struct gpu_replay *replay) {
  const struct gpu_spec *spec = replay->spec;
  replay->core_count = (uint32_t)spec->cores;
  replay->execution_engines = (uint32_t)spec->execution_engines;
  const bool tied = replay->alone.record || (replay->trace && replay->trace->homes);
  replay->order = dispatch_orders[tied ? DISPATCH_ROUND_ROBIN : spec->dispatch];
  replay->scheduler = schedulers[spec->scheduler];
  replay->range = (struct dispatch_range){0, replay->group_count, 1, NULL};
  replay->launch_ticks = cycles_to_ticks(spec->launch_cycles);
  replay->work_group_ticks = cycles_to_ticks(spec->work_group_cycles);
  replay->barrier_ticks = cycles_to_ticks(spec->barrier_cycles);
  replay->arith = (uint64_t)llround(spec->arith_cycles * (1 << 20));
  replay->transaction_slots = spec->access_issue == ACCESS_ISSUE_INSTRUCTION ? 0 : PRICE_ONE;
  replay->transaction_ticks = core_slots_ticks(replay, replay->transaction_slots);
  while (UINT32_C(1) << replay->index_bits < replay->group_places * replay->warps_per_group)
    replay->index_bits++;
}

static void set_spilling(struct gpu_replay *replay) {
  const struct trace_header *header = &replay->trace->header;
  const uint64_t items = (uint64_t)replay->group_places * trace_local_size(header);
  const double behind = spill_l2_cycles(header, replay->spec, items);
  replay->spill_share = spill_share(header, replay->spec);
  replay->spill_pass_ticks =
      ticks_later(ticks_later(ticks_per(1, replay->spec->lsu_transactions_per_cycle), memory_pipe_least(replay->spec)) +
                      memory_pipe_more(replay->spec),
                  cycles_to_ticks(behind));
}

/* Prepares the memory system, with the L1 and the answers of one core where it is replayed alone. */
static int memory_setup(struct gpu_replay *replay, const struct gpu_spec *spec, uint32_t lines, struct error *error) {
  const struct core_record *record = replay->alone.record;
  if (record ? memory_init_core(&replay->memory, spec, record->core, lines, error)
             : memory_init(&replay->memory, spec, lines, error))
    return -1;
  if (record && !core_alone_init(&replay->alone, record, &replay->memory, spec->l2_enabled))
    return error_no_memory(error);
  if (replay->records)
    core_records_begin(replay->records, &replay->memory);
  return 0;
}

static int gpu_replay_init(struct gpu_replay *replay, struct error *error) {
  const struct gpu_spec *spec = replay->spec;
  struct gpu_spec sized = *spec;
  uint32_t most_bytes;
  sized.l1_bytes = occupancy_l1_bytes(replay->trace, spec);
  graphics_caches_leave_out(&replay->trace->code, &sized);
  replay->group_count = replay->trace->group_count;
  replay->group_places = occupancy_groups(replay->trace, spec);
  replay->warps_per_group = warp_count_in_group(&replay->trace->header, spec);
  replay->ports_on = core_ports_are_on(spec);
  replay->shared_caches = graphics_caches_are_shared(&sized);
  set_spilling(replay);
  replay->pipes = pipe_rates_of(spec);
  replay->run = core_loop(spec, replay_hooks_follow_events(&replay->hooks));
  set_machine(replay);
  uint64_t resident = (uint64_t)replay->core_count * replay->group_places * replay->warps_per_group;
  if (resident > MAX_RESIDENT_WARPS)
    return error_set(error, ERROR_INPUT,
                     "%llu warps would be resident at a time, at most %u are supported: lower cores, threads_per_core "
                     "or work_groups_per_core, or raise warp_size",
                     (unsigned long long)resident, MAX_RESIDENT_WARPS);
  if (check_access_bytes(&replay->trace->code, &most_bytes, error) || place_memories(replay, error) ||
      memory_setup(replay, &sized, access_lines(replay, most_bytes), error))
    return -1;
  core_choose_busy_path(replay);
  const bool room =
      graphics_caches_choose(&replay->memory.graphics, &replay->trace->code) &&
      merged_atomics_choose(&replay->memory.merged, spec, &replay->trace->code) &&
      texture_unit_choose(&replay->memory.texels, spec, &replay->trace->code) &&
      (!replay->one_core.launch || one_core_init(&replay->one_core, replay, access_lines(replay, most_bytes)));
  replay->memory.reads_by_name = replay->memory.graphics.of_op || replay->memory.texels.item_ticks;
  if (!room || !allocate(replay, most_bytes))
    return error_set(error, ERROR_WORK, "out of memory for %llu resident warps", (unsigned long long)resident);
  return instruction_fetch_init(&replay->fetch, replay->context, spec, resident, replay->divergent_bytes, error);
}

static void gpu_replay_clear(struct gpu_replay *replay) {
  const struct core_range cores = cores_of(replay);
  for (uint32_t i = cores.first; i < cores.end && replay->cores; i++)
    core_clear(&replay->cores[i]);
  memory_clear(&replay->memory);
  instruction_fetch_clear(&replay->fetch);
  dispatch_homes_clear(&replay->homes);
  free(replay->cores);
  free(replay->counters);
  free(replay->divergent);
  free(replay->no_lines);
  recorded_l2_clear(&replay->recorded_l2);
  one_core_clear(&replay->one_core);
  core_alone_clear(&replay->alone);
}

/* Assigns the first work-groups: one to each core in order of number, repeatedly, until no core has room. */
static void launch_groups(struct gpu_replay *replay) {
  const struct core_range cores = cores_of(replay);
  for (uint32_t i = cores.first; i < cores.end; i++) {
    struct core *core = &replay->cores[i];
    core->now = core->accounted = core->dispatch_free = replay->launch_ticks;
    core->stack[STACK_launch] += replay->launch_ticks * replay->execution_engines;
  }
  for (uint32_t group_place = 0; group_place < replay->group_places; group_place++)
    for (uint32_t i = cores.first; i < cores.end; i++) {
      struct dispatch_range *range = core_range(replay, &replay->cores[i]);
      if (replay_has_core(replay, i) && !dispatch_is_over(range))
        core_give_group(replay, &replay->cores[i], dispatch_take(range));
    }
}

/* Returns whether a line that was fetched is missing among the lines in flight. */
static bool fetches_are_lost(const struct gpu_replay *replay) {
  const struct core_range cores = cores_of(replay);
  bool lost = l2_slices_lost_fetches(&replay->memory.slices) || replay->memory.partial.no_memory;
  for (uint32_t i = cores.first; i < cores.end; i++)
    lost |= replay->cores[i].lsu.mshr_file.no_memory;
  return lost;
}

static int run_cores(struct gpu_replay *replay, struct error *error) {
  struct l2_order order;
  int status = 0;
  if (!l2_order_init(&order, replay->core_count))
    replay->no_memory = true;
  else if (replay->threads > 1 && parallel_replay_apply(replay))
    parallel_replay_run(replay, &order);
  else
    l2_order_run(replay, &order);
  if (replay->no_memory || fetches_are_lost(replay))
    status = error_set(error, ERROR_WORK, "out of memory for queued accesses");
  else if (replay->too_long)
    status = error_set(error, ERROR_INPUT, "the kernel would take more than %.3g cycles; no real one does",
                       ticks_to_cycles(MAX_TICKS));
  l2_order_clear(&order);
  return status;
}

/* Returns the time at which the last event ended. */
static uint64_t last_ticks(const struct gpu_replay *replay) {
  const struct core_range cores = cores_of(replay);
  uint64_t ticks = 0;
  for (uint32_t i = cores.first; i < cores.end; i++)
    ticks = replay->cores[i].now > ticks ? replay->cores[i].now : ticks;
  return ticks;
}

/* Notes when the recorded cores, and all cores, ended. */
static void close_records(const struct gpu_replay *replay, struct core_records *records) {
  for (uint32_t i = 0; i < records->count; i++)
    records->list[i].ticks = replay->cores[records->list[i].core].now;
  for (uint32_t i = 0; i < replay->core_count && records->ends; i++)
    records->ends[i] = replay->cores[i].now;
}

static void close_accounts(struct gpu_replay *replay) {
  const struct core_range cores = cores_of(replay);
  struct replay_result *result = replay->result;
  if (replay->records)
    close_records(replay, replay->records);
  result->ticks = last_ticks(replay);
  for (uint32_t i = cores.first; i < cores.end; i++)
    core_account(replay, &replay->cores[i], result->ticks);
  if (replay->one_core.launch)
    one_core_finish(replay, result->ticks, result);
  else
    replay_counts_add(replay, result);
}

int gpu_replay_run(const struct warp_context *context, const struct gpu_spec *spec,
                   const struct replay_options *options, struct replay_result *result, struct error *error) {
  struct gpu_replay replay = {.context = context,
                              .trace = context->trace,
                              .spec = spec,
                              .hooks = options->hooks,
                              .threads = options->threads,
                              .until = MAX_TICKS + 1,
                              .most_ticks = MAX_TICKS,
                              .only = options->one_core ? 0
                                      : options->alone  ? options->alone->core
                                                        : REPLAY_ALL_CORES,
                              .one_core.launch = options->one_core,
                              .records = options->records,
                              .alone.record = options->alone,
                              .result = result};
  int status = gpu_replay_init(&replay, error);
  if (status == 0) {
    launch_groups(&replay);
    if (replay.hooks.start && !replay.hooks.start(replay.hooks.listener, &replay))
      status = error_no_memory(error);
    else
      status = run_cores(&replay, error);
  }
  if (status == 0) {
    close_accounts(&replay);
    REPLAY_ANNOUNCE(&replay, finish, &replay, result);
  }
  gpu_replay_clear(&replay);
  return status;
}

/* ---- recorded launches ---- */

static uint32_t most_lines(const struct event_costs *costs) {
  uint32_t most = 0;
  for (uint32_t i = EVENT_FIRST_CLASS; i < costs->count; i++)
    most = costs->lines[i] > most ? costs->lines[i] : most;
  return most;
}

/* Prepares the queues of a recorded launch's accesses. Returns false when out of memory. */
static bool queues_init(struct gpu_replay *replay) {
  const struct gpu_spec *spec = replay->spec;
  const struct event_costs *costs = replay->recorded->costs;
  replay->no_lines = calloc(most_lines(costs) + 1u, sizeof *replay->no_lines);
  if (!replay->no_lines || !recorded_l2_init(&replay->recorded_l2, spec))
    return false;
  replay->recorded_l2.others = replay->recorded->others;
  return true;
}

static bool recorded_init(struct gpu_replay *replay) {
  const struct recorded_launch *launch = replay->recorded;
  replay->group_count = launch->group_count;
  replay->group_places = launch->group_places;
  replay->warps_per_group = launch->warps_per_group;
  replay->ports_on = launch->costs->ports;
  replay->run = core_recorded_loop(replay->spec, launch->lists->wide);
  set_machine(replay);
  core_choose_busy_path(replay);
  return (!memory_is_queued(replay->spec) || queues_init(replay)) && allocate_cores(replay, 0, 0);
}

static bool run_one(struct gpu_replay *replay, struct core *core) {
  replay->next_core = (struct time_entry){UINT64_MAX, UINT32_MAX};
  replay->run(replay, core);
  return !replay->too_long && !replay->no_memory;
}

/* Adds up the stacks of all cores. A core that is not replayed has only the launch's time. */
static void sum_stacks(struct gpu_replay *replay, struct recorded_timing *out) {
  out->ticks = last_ticks(replay);
  for (uint32_t i = 0; i < replay->core_count; i++) {
    if (replay_has_core(replay, i))
      core_account(replay, &replay->cores[i], out->ticks);
    for (int s = 0; s < SIM_STACK_COUNT; s++)
      out->stack[s] += replay->cores[i].stack[s];
    if (out->core_ticks)
      out->core_ticks[i] = replay->cores[i].now;
    queue_ticks_add(&out->queues, &replay->cores[i].lsu.waited);
  }
  queue_ticks_add(&out->queues, &replay->recorded_l2.slices.waited);
}

bool gpu_replay_time(const struct recorded_launch *launch, const struct gpu_spec *spec, uint32_t only,
                     struct recorded_timing *out) {
  struct gpu_replay replay = {
      .recorded = launch, .spec = spec, .until = MOMENT_MOST_TICK + 1, .most_ticks = MOMENT_MOST_TICK, .only = only};
  struct error error = ERROR_INIT;
  bool done = recorded_init(&replay);
  if (done) {
    launch_groups(&replay);
    done = only == REPLAY_ALL_CORES ? run_cores(&replay, &error) == 0 : run_one(&replay, &replay.cores[only]);
  }
  if (done)
    sum_stacks(&replay, out);
  gpu_replay_clear(&replay);
  return done;
}

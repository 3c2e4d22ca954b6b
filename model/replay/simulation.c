#include "model/replay/simulation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/isa/spill.h"
#include "model/isa/arranged_code.h"
#include "model/isa/price_factors.h"
#include "model/warp/occupancy.h"

struct simulation {
  const struct trace *trace;
  const struct gpu_spec *spec;
  struct replay_options options;
  struct arranged_code arranged;
  struct trace with_arranged; /* the trace with the arranged code */
  struct price_list prices;
  struct warp_program *programs;
  struct warp_counts counts;
  struct warp_context context;
  struct replay_result replay;
};

static int check_trace(const struct trace *trace, const struct gpu_spec *spec, bool one_core, struct error *error) {
  uint32_t items = trace_local_size(&trace->header);
  if (trace->group_count == 0 || items == 0)
    return error_set(error, ERROR_INPUT, "kernel '%s': the trace holds no work-group", trace->header.kernel);
  if (trace_is_sampled(&trace->header) && !one_core)
    return error_set(error, ERROR_INPUT, "kernel '%s': the trace holds %u of %u work-groups; the replay needs all",
                     trace->header.kernel, trace->group_count, trace_launch_groups(&trace->header));
  return occupancy_check(trace, spec, error);
}

static int compile_paths(struct simulation *s, struct error *error) {
  bool *walked = calloc(s->trace->path_count + 1u, sizeof *walked);
  int status = 0;
  s->programs = calloc(s->trace->path_count + 1u, sizeof *s->programs);
  if (!s->programs || !walked)
    status = error_no_memory(error);
  else
    warp_walked_paths(s->trace, s->spec, walked);
  for (uint32_t i = 0; i < s->trace->path_count && status == 0; i++) {
    trace_path_read(s->trace, i);
    status = warp_program_init(&s->programs[i], &s->trace->code, &s->prices, s->trace->paths[i], error);
    if (s->programs[i].depth > s->context.depth)
      s->context.depth = s->programs[i].depth;
    if (!walked[i])
      warp_program_forget(&s->programs[i]);
  }
  free(walked);
  return status;
}

static void clear(struct simulation *s) {
  for (uint32_t i = 0; i < s->trace->path_count && s->programs; i++)
    warp_program_clear(&s->programs[i]);
  free(s->programs);
  price_list_clear(&s->prices);
  arranged_code_clear(&s->arranged);
  warp_counts_clear(&s->counts);
  replay_result_clear(&s->replay);
}

/* From here on the simulation's trace has the arranged code. */
static int arrange(struct simulation *s, struct error *error) {
  const int status = arranged_code_init(&s->arranged, s->trace, s->spec, error);
  s->with_arranged = *s->trace;
  s->with_arranged.code = s->arranged.code;
  s->trace = &s->with_arranged;
  return status;
}

/* Arranges the code, finds its prices, and compiles the paths of the trace. */
static int prepare(struct simulation *s, const struct isa_profile *isa, struct error *error) {
  double factors[OP_CLASS_COUNT];
  uint8_t pipes[ISA_PIPE_COUNT];
  const bool has_pipes = pipes_of(s->spec, pipes);
  if (gpu_spec_check(s->spec, error) || check_trace(s->trace, s->spec, s->options.one_core, error) || arrange(s, error))
    return -1;
  /* Bundles are made, and an instruction cache is filled, in the order of the code. Without first uses a warp waits for
   * each access, whatever the order. */
  const bool ordered =
      s->spec->memory == MEMORY_DEPENDENCY && s->spec->issue == ISSUE_SLOTS && s->spec->instruction_cache_bytes == 0;
  const struct price_rules rules = {.factors = factors,
                                    .uses = s->spec->memory == MEMORY_DEPENDENCY,
                                    .arranged = &s->arranged,
                                    .pipes = has_pipes ? pipes : NULL,
                                    .early_load_bytes =
                                        ordered ? spill_early_load_bytes(&s->trace->header, s->spec) : 0,
                                    .unroll = (uint32_t)s->spec->unroll,
                                    .bundles = s->spec->issue == ISSUE_BUNDLES};
  price_factors_of(s->spec, factors);
  if (price_list_init(&s->prices, &s->trace->code, isa, &rules, error) ||
      warp_counts_init(&s->counts, s->trace, error) || compile_paths(s, error))
    return -1;
  s->context.trace = s->trace;
  s->context.isa = isa;
  s->context.prices = &s->prices;
  s->context.programs = s->programs;
  s->context.policy = divergence_policies[s->spec->divergence];
  s->context.counts = &s->counts;
  return 0;
}

static int replay_launch(struct simulation *s, const struct isa_profile *isa, struct error *error) {
  return prepare(s, isa, error) ? -1 : gpu_replay_run(&s->context, s->spec, &s->options, &s->replay, error);
}

/* ---- a trace that is prepared once and replayed several times ---- */

int simulation_open(const struct trace *trace, const struct isa_profile *isa, const struct gpu_spec *spec,
                    struct simulation **out, struct error *error) {
  struct simulation *s = *out = calloc(1, sizeof *s);
  if (!s)
    return error_no_memory(error);
  *s = (struct simulation){.trace = trace, .spec = spec};
  if (prepare(s, isa, error) == 0) {
    s->spec = NULL;
    return 0;
  }
  simulation_close(s);
  *out = NULL;
  return -1;
}

int simulation_replay(const struct simulation *s, const struct gpu_spec *spec, const struct replay_options *options,
                      struct replay_result *result, struct error *error) {
  struct warp_context context = s->context;
  context.counts = NULL;
  return gpu_replay_run(&context, spec, options, result, error);
}

void simulation_close(struct simulation *s) {
  if (s)
    clear(s);
  free(s);
}

/* ---- counts ---- */

/* Returns the instructions of the launch divided by those of the part that was started; 1 if nothing is estimated. */
static double scale_of_counts(const struct simulation *s) {
  double started = 0;
  for (uint32_t i = 0; i < s->trace->path_count; i++)
    started += (double)s->counts.path_items[i] * (double)s->programs[i].instructions;
  return s->replay.estimate.estimated && started > 0 ? (double)s->trace->work_item_instructions / started : 1;
}

static void count_instructions(const struct simulation *s, struct sim_result *out) {
  const double scale = scale_of_counts(s);
  for (uint32_t i = 0; i < s->trace->path_count; i++) {
    out->work_item_instructions += s->counts.path_items[i] * s->programs[i].instructions;
    out->warp_instructions += s->counts.path_warps[i] * s->programs[i].instructions;
  }
  for (uint32_t i = 0; i < s->trace->code.block_count; i++)
    out->warp_instructions += s->counts.block_warps[i] * s->prices.blocks[i].instructions;
  if (s->replay.estimate.estimated) {
    out->work_item_instructions = s->trace->work_item_instructions;
    out->warp_instructions = (uint64_t)llround((double)out->warp_instructions * scale);
  }
  double lanes = (double)out->warp_instructions * (double)s->spec->warp_size;
  out->simd_efficiency = lanes > 0 ? fmin(1, (double)out->work_item_instructions / lanes) : 1;
  out->issue_slots = (double)s->replay.run_slots / PRICE_ONE;
}

/* ---- stacks ---- */

static int report_stacks(const struct simulation *s, struct sim_result *out, struct error *error) {
  uint64_t engines = (uint64_t)s->spec->execution_engines;
  tick_sum all[SIM_STACK_COUNT] = {0};
  out->core_count = (size_t)s->spec->cores;
  out->core_stacks = calloc(out->core_count, sizeof *out->core_stacks);
  if (!out->core_stacks)
    return error_no_memory(error);
  for (size_t core = 0; core < out->core_count; core++) {
    tick_sum sums[SIM_STACK_COUNT];
    for (int i = 0; i < SIM_STACK_COUNT; i++)
      all[i] += sums[i] = s->replay.core_stacks[core][i];
    cycle_stack_report(sums, engines, s->replay.ticks, &out->core_stacks[core]);
  }
  cycle_stack_report(all, engines * out->core_count, s->replay.ticks, &out->stack);
  return 0;
}

/* ---- source lines ---- */

/* The executions of each block by warps; and those by divergent warps, weighted by the share of the items that
 * waited. */
struct block_weight {
  double executed, waited;
};

static void weigh_path(const struct simulation *s, uint32_t index, double weight, struct block_weight *weights) {
  const struct trace_path *path = s->trace->paths[index];
  double factor[PROGRAM_MAX_DEPTH + 1] = {weight};
  uint32_t end[PROGRAM_MAX_DEPTH + 1] = {path->step_count}, depth = 0;
  for (uint32_t step = 0; step < path->step_count; step++) {
    while (depth > 0 && step == end[depth])
      depth--;
    const struct trace_step *here = &path->steps[step];
    if (here->body > 0) {
      factor[depth + 1] = factor[depth] * here->repeat;
      end[++depth] = step + 1 + here->body;
    } else {
      weights[here->block].executed += factor[depth];
    }
  }
}

static void weigh_blocks(const struct simulation *s, struct block_weight *weights) {
  for (uint32_t i = 0; i < s->trace->path_count; i++)
    if (s->counts.path_warps[i] > 0)
      weigh_path(s, i, (double)s->counts.path_warps[i], weights);
  const double scale = scale_of_counts(s);
  for (uint32_t i = 0; i < s->trace->code.block_count; i++) {
    weights[i].executed = scale * (weights[i].executed + (double)s->counts.block_warps[i]);
    weights[i].waited = scale * (double)s->counts.block_waiting[i] / WARP_WAITING_ONE;
  }
}

static int compare_lines(const void *a, const void *b) {
  uint32_t x = ((const struct sim_line *)a)->line, y = ((const struct sim_line *)b)->line;
  return (x > y) - (x < y);
}

/* Makes one entry for each source line of the code table, ascending. */
static int make_lines(const struct trace_code *code, struct sim_result *out, struct error *error) {
  out->lines = calloc(code->op_count + 1u, sizeof *out->lines);
  if (!out->lines)
    return error_no_memory(error);
  for (uint32_t i = 0; i < code->op_count; i++)
    out->lines[i].line = code->ops[i].line;
  qsort(out->lines, code->op_count, sizeof *out->lines, compare_lines);
  for (uint32_t i = 0; i < code->op_count; i++)
    if (out->line_count == 0 || out->lines[out->line_count - 1].line != out->lines[i].line)
      out->lines[out->line_count++] = out->lines[i];
  return 0;
}

static void charge_op(const struct simulation *s, uint32_t op, const struct block_weight *weight,
                      struct sim_stack *stack) {
  double engines = (double)s->spec->execution_engines * (double)s->spec->cores;
  double issue = (double)s->prices.ops[op] / PRICE_ONE * s->spec->arith_cycles / engines;
  stack->issue += issue * (weight->executed - weight->waited);
  stack->divergence += issue * weight->waited;
  for (int i = 0; i < SIM_STACK_COUNT; i++)
    *sim_stack_field(stack, (enum stack_component)i) += ticks_to_cycles(s->replay.op_ticks[op][i]) / engines;
}

static int report_lines(const struct simulation *s, struct sim_result *out, struct error *error) {
  const struct trace_code *code = &s->trace->code;
  struct block_weight *weights = calloc(code->block_count + 1u, sizeof *weights);
  out->ops = calloc(code->op_count + 1u, sizeof *out->ops);
  out->op_count = code->op_count;
  if (!weights || !out->ops || make_lines(code, out, error)) {
    free(weights);
    return error_no_memory(error);
  }
  weigh_blocks(s, weights);
  for (uint32_t b = 0; b < code->block_count; b++)
    for (uint32_t i = code->blocks[b].first_op; i < code->blocks[b].first_op + code->blocks[b].op_count; i++) {
      struct sim_line key = {.line = code->ops[i].line};
      struct sim_line *line = bsearch(&key, out->lines, out->line_count, sizeof key, compare_lines);
      charge_op(s, i, &weights[b], &line->stack);
      charge_op(s, i, &weights[b], &out->ops[i].stack);
      out->ops[i].slots = (double)s->prices.ops[i] / PRICE_ONE;
    }
  free(weights);
  return 0;
}

static int report(const struct simulation *s, struct sim_result *out, struct error *error) {
  out->replayed_share = 1;
  if (s->replay.estimate.estimated) {
    out->estimated = true;
    out->replayed_share = s->replay.estimate.share;
    out->error_bound = s->replay.estimate.bound;
  }
  out->cycles = ticks_to_cycles(s->replay.ticks);
  out->time_ns = out->cycles * 1e9 / (double)s->spec->clock_hz;
  out->warp_events = s->replay.events;
  out->counters = s->replay.counters;
  sim_counters_report(&out->counters, (uint64_t)s->spec->line_bytes);
#define X(field, name, meaning) out->queues.field = ticks_to_cycles(s->replay.queues.field);
  SIM_QUEUES(X)
#undef X
  count_instructions(s, out);
  return report_stacks(s, out, error) || report_lines(s, out, error) ? -1 : 0;
}

int simulation_run(const struct trace *trace, const struct isa_profile *isa, const struct gpu_spec *spec,
                   const struct replay_options *options, struct sim_result *out, struct error *error) {
  struct simulation s = {.trace = trace, .spec = spec, .options = *options};
  *out = (struct sim_result){0};
  int status = replay_launch(&s, isa, error);
  if (status == 0)
    status = report(&s, out, error);
  if (status)
    sim_result_clear(out);
  clear(&s);
  return status;
}

#include "model/retime/retime_sampled.h"

#include <stdlib.h>
#include <string.h>

#include "model/memory/memory_hierarchy.h"
#include "model/sampling/sampled_launch.h"

bool retime_sampled_serves(const struct gpu_spec *recorded, const struct gpu_spec *spec) {
  for (size_t i = 0; i < gpu_params.count; i++) {
    const struct param *param = &gpu_params.list[i];
    if (!(param->flags & PARAM_RETIMED_SAMPLED) && params_get_number(param, recorded) != params_get_number(param, spec))
      return false;
  }
  return memory_queues_before_l2(spec);
}

static bool has_atomics(const struct trace_code *code) {
  for (uint32_t i = 0; i < code->mem_count; i++)
    if (code->ops[code->mem_ops[i]].op_class == OP_ATOMIC)
      return true;
  return false;
}

/* Returns whether a recording of the sampled launch can be timed again. A recording holds one wait at L2 and a number
 * of misses for each access, so that no mechanism may merge misses, translate addresses, write lines back or execute
 * atomics there. */
bool retime_sampled_can(const struct trace *trace, const struct gpu_spec *spec) {
  return trace_is_sampled(&trace->header) && memory_queues_before_l2(spec) && !spec->merge_misses &&
         spec->l1_mshrs == 0 && spec->l2_mshrs == 0 && spec->tlb_entries == 0 && spec->dram_banks == 0 &&
         !write_policy_is_on(spec) && !has_atomics(&trace->code);
}

/* ---- the scale ---- */

/* The factors of a latency in the replays with jitter. They hardly change the launch, but separate accesses from the
 * bursts in which they waited when they were recorded. */
static const double jitters[] = {1.004, 0.996};

static bool time_again(const struct retime_sampled *r, const struct gpu_spec *spec, struct sim_result *out) {
  struct error ignored = ERROR_INIT;
  return sampled_launch_again(r->trace, r->isa, spec, &r->answers, out, &ignored) == 0;
}

/* Sets the scale: the exact cycles divided by the mean of those with jitter, or 0 if these cannot be computed. */
static void set_scale(struct retime_sampled *r) {
  const size_t count = sizeof jitters / sizeof *jitters;
  double sum = 0;
  for (size_t i = 0; i < count; i++) {
    struct gpu_spec spec = r->spec;
    struct sim_result part;
    spec.l1_miss_cycles *= jitters[i];
    if (!time_again(r, &spec, &part))
      return;
    sum += part.cycles;
    sim_result_clear(&part);
  }
  if (sum > 0)
    r->scale = r->result.cycles * (double)count / sum;
}

/* Returns whether replays on both GPUs are the same. */
static bool replays_alike(const struct gpu_spec *a, const struct gpu_spec *b) {
  struct gpu_spec as_a = *b;
  as_a.clock_hz = a->clock_hz;
  as_a.prediction_error_ratio = a->prediction_error_ratio;
  as_a.order_error_ratio = a->order_error_ratio;
  return gpu_spec_same(a, &as_a);
}

static void scale(struct sim_result *result, double factor) {
  result->cycles *= factor;
  result->time_ns *= factor;
#define X(field, name, meaning) result->stack.field *= factor;
  SIM_STACK_COMPONENTS(X)
#undef X
}

/* ---- recording and timing ---- */

/* Returns the result without what is not known of a GPU that was not replayed. */
static struct sim_result approximate(const struct sim_result *result) {
  struct sim_result totals = sim_result_totals(result);
  totals.approximate = true;
  return totals;
}

int retime_sampled_record(const struct trace *trace, const struct isa_profile *isa, const struct gpu_spec *spec,
                          struct retime_sampled **out, struct sim_result *result, struct error *error) {
  struct retime_sampled *r = *out = calloc(1, sizeof *r);
  if (!r)
    return error_no_memory(error);
  r->trace = trace;
  r->isa = isa;
  r->spec = *spec;
  if (!sampled_launch_record(trace, isa, spec, &r->answers, result, error)) {
    l2_answers_fit(&r->answers);
    r->result = approximate(result);
    set_scale(r);
    return 0;
  }
  retime_sampled_destroy(r);
  *out = NULL;
  return -1;
}

void retime_sampled_destroy(struct retime_sampled *r) {
  if (r)
    l2_answers_clear(&r->answers);
  free(r);
}

/* Writes the recorded result at the clock of `spec`. */
static void repeat(const struct retime_sampled *r, const struct gpu_spec *spec, struct sim_result *out) {
  *out = r->result;
  out->time_ns = out->cycles * 1e9 / (double)spec->clock_hz;
}

bool retime_sampled_time(const struct retime_sampled *r, const struct gpu_spec *spec, struct sim_result *out) {
  struct sim_result part;
  if (replays_alike(&r->spec, spec)) {
    repeat(r, spec, out);
    return true;
  }
  if (!(r->scale > 0) || !time_again(r, spec, &part))
    return false;
  *out = approximate(&part);
  sim_result_clear(&part);
  scale(out, r->scale);
  out->error_bound = r->result.error_bound;
  out->replayed_share = r->result.replayed_share;
  return true;
}

#include "model/retime/retime_sampled.h"

#include <stdlib.h>
#include <string.h>

#include "model/memory/memory_hierarchy.h"
#include "model/sampling/sampled_launch.h"

/* What the replayed core does with its time, and what no replay reads. */
static const char *const free_parameters[] = {"arith_cycles",
                                              "store_cycles",
                                              "l1_hit_cycles",
                                              "l1_miss_cycles",
                                              "l2_miss_cycles",
                                              "barrier_cycles",
                                              "launch_cycles",
                                              "work_group_cycles",
                                              "scratchpad_cycles",
                                              "scratchpad_pass_cycles",
                                              "uniform_cycles",
                                              "uniform_load_cycles",
                                              "instruction_miss_cycles",
                                              "lsu_transactions_per_cycle",
                                              "lsu_items_per_cycle",
                                              "integer_price",
                                              "address_price",
                                              "float_price",
                                              "function_price",
                                              "query_price",
                                              "branch_price",
                                              "memory_price",
                                              "clock_hz",
                                              "prediction_error_ratio",
                                              "order_error_ratio"};

static bool is_free(const char *key) {
  for (size_t i = 0; i < sizeof free_parameters / sizeof *free_parameters; i++)
    if (strcmp(key, free_parameters[i]) == 0)
      return true;
  return false;
}

bool retime_sampled_serves(const struct gpu_spec *recorded, const struct gpu_spec *spec) {
  for (size_t i = 0; i < gpu_params.count; i++) {
    const struct param_row *row = &gpu_params.rows[i];
    if (params_get_number(row, recorded) != params_get_number(row, spec) && !is_free(row->key))
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

/* What an access is told at L2 is one wait and a number of misses: nothing is merged, translated, written back or executed there. */
bool retime_sampled_can(const struct trace *trace, const struct gpu_spec *spec) {
  return trace_is_sampled(&trace->header) && memory_queues_before_l2(spec) && spec->l1_mshrs == 0 &&
         spec->l2_mshrs == 0 && spec->tlb_entries == 0 && spec->dram_banks == 0 && !write_policy_is_on(spec) &&
         !has_atomics(&trace->code);
}

int retime_sampled_record(const struct trace *trace, const struct isa_profile *isa, const struct gpu_spec *spec,
                          struct retime_sampled **out, struct sim_result *result, struct error *error) {
  struct retime_sampled *r = *out = calloc(1, sizeof *r);
  if (!r)
    return error_set(error, ERROR_WORK, "out of memory");
  r->trace = trace;
  r->isa = isa;
  if (sampled_launch_record(trace, isa, spec, &r->answers, result, error) == 0)
    return 0;
  retime_sampled_destroy(r);
  *out = NULL;
  return -1;
}

void retime_sampled_destroy(struct retime_sampled *r) {
  if (r)
    l2_answers_clear(&r->answers);
  free(r);
}

bool retime_sampled_time(const struct retime_sampled *r, const struct gpu_spec *spec, struct sim_result *out) {
  struct error ignored = ERROR_INIT;
  struct sim_result whole;
  if (sampled_launch_again(r->trace, r->isa, spec, &r->answers, &whole, &ignored) != 0)
    return false;
  *out = whole;
  out->approximate = true;
  out->core_stacks = NULL;
  out->core_count = 0;
  out->lines = NULL;
  out->line_count = 0;
  sim_result_clear(&whole);
  return true;
}

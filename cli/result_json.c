#include "cli/result_json.h"

#include "cli/command.h"

static json_t *stack_json(const struct sim_stack *stack) {
  double values[SIM_STACK_COUNT];
  sim_stack_values(stack, values);
  json_t *object = json_object();
  for (size_t c = 0; c < SIM_STACK_COUNT; c++)
    json_object_set_new(object, sim_stack_names[c], json_real(values[c]));
  return object;
}

static json_t *core_stacks_json(const struct sim_result *result) {
  json_t *array = json_array();
  for (size_t core = 0; core < result->core_count; core++)
    json_array_append_new(array, stack_json(&result->core_stacks[core]));
  return array;
}

static json_t *cache_json(const struct sim_cache *cache) {
  return json_pack("{s:I, s:I}", "accesses", (json_int_t)cache->accesses, "misses", (json_int_t)cache->misses);
}

json_t *result_json(const char *name, const struct sim_result *r) {
  return json_pack("{s:o, s:f, s:f, s:I, s:I, s:f, s:o, s:o, s:o, s:I, s:f, s:o}", "name", command_json_text(name),
                   "cycles", r->cycles, "time_ns", r->time_ns, "work_item_instructions",
                   (json_int_t)r->work_item_instructions, "warp_instructions", (json_int_t)r->warp_instructions,
                   "issue_slots", r->issue_slots, "cycle_stack", stack_json(&r->stack), "l1", cache_json(&r->l1), "l2",
                   cache_json(&r->l2), "dram_bytes", (json_int_t)r->dram_bytes, "simd_efficiency", r->simd_efficiency,
                   "core_cycle_stacks", core_stacks_json(r));
}

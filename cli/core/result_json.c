#include "cli/core/result_json.h"

#include <string.h>

#include "cli/core/command.h"
#include "model/result/result_values.h"

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

/* "l1.misses" goes into the object "l1". */
static void set_measure(json_t *object, const char *name, json_t *value) {
  const char *dot = strchr(name, '.');
  if (dot == NULL) {
    json_object_set_new(object, name, value);
    return;
  }
  const size_t length = (size_t)(dot - name);
  json_t *inner = json_object_getn(object, name, length);
  if (inner == NULL) {
    inner = json_object();
    json_object_setn_new(object, name, length, inner);
  }
  json_object_set_new(inner, dot + 1, value);
}

json_t *result_json(const char *name, const struct sim_result *result) {
  json_t *object = json_object();
  json_object_set_new(object, "name", command_json_text(name));
  for (size_t i = 0; i < sim_measure_count; i++) {
    const double value = sim_measure_value(&sim_measures[i], result);
    set_measure(object, sim_measures[i].name,
                sim_measures[i].whole ? json_integer((json_int_t)value) : json_real(value));
  }
  json_object_set_new(object, "core_cycle_stacks", core_stacks_json(result));
  return object;
}

/* The names of a constraint are the keys of gpu_params by index, then `area`. */
#include "dse/sweep/constraint.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "dse/sweep/area.h"

static int unknown_name(const char *name, struct error *error) {
  const char **names = calloc(gpu_params.count + 2, sizeof *names);
  if (!names)
    return error_no_memory(error);
  for (size_t i = 0; i < gpu_params.count; i++)
    names[i] = gpu_params.list[i].key;
  names[gpu_params.count] = "area";
  error_set(error, ERROR_INPUT, "unknown GPU parameter \"%s\"%s", name,
            text_hint(name, names, "; `reassemble params` lists all").text);
  free(names);
  return -1;
}

static int find_name(const void *user, const char *name, size_t *index, struct error *error) {
  (void)user;
  const struct param *param = params_find(&gpu_params, name);
  if (!param && strcmp(name, "area") != 0)
    return unknown_name(name, error);
  *index = param ? (size_t)(param - gpu_params.list) : gpu_params.count;
  return 0;
}

static double value_of(const void *user, size_t index) {
  const struct gpu_spec *spec = user;
  return index == gpu_params.count ? area_proxy(spec) : params_get_number(&gpu_params.list[index], spec);
}

int constraint_compile(const char *text, struct expression **out, struct error *error) {
  static const struct expression_names names = {"a GPU parameter", find_name, NULL};
  return expression_compile(text, EXPRESSION_COMPARISON, &names, out, error);
}

bool constraint_holds(const struct expression *constraint, const struct gpu_spec *spec) {
  return expression_value(constraint, value_of, spec) != 0;
}

#include "model/retime/retime_family.h"

#include <math.h>

#include "base/text.h"

/* Returns whether the parameter must be the same in a whole family. */
static bool is_fixed(const struct param *param) {
  return !(param->flags & PARAM_RETIMED);
}

bool retime_serves(const struct gpu_spec *recorded, const struct gpu_spec *spec) {
  for (size_t i = 0; i < gpu_params.count; i++) {
    const struct param *param = &gpu_params.list[i];
    if (is_fixed(param) && params_get_number(param, recorded) != params_get_number(param, spec))
      return false;
  }
  return true;
}

uint64_t retime_family_of(const struct gpu_spec *spec) {
  uint64_t hash = TEXT_HASH_START;
  for (size_t i = 0; i < gpu_params.count; i++) {
    const double value = params_get_number(&gpu_params.list[i], spec);
    if (is_fixed(&gpu_params.list[i]))
      hash = text_hash(hash, &value, sizeof value);
  }
  return hash;
}

double retime_distance(const struct gpu_spec *a, const struct gpu_spec *b) {
  double sum = 0;
  for (size_t i = 0; i < gpu_params.count; i++) {
    const double x = params_get_number(&gpu_params.list[i], a), y = params_get_number(&gpu_params.list[i], b);
    if (x != y && !is_fixed(&gpu_params.list[i]))
      sum += x > 0 && y > 0 ? fabs(log(x / y)) : 1;
  }
  return sum;
}

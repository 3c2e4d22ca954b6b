/* The parameter table of GPU descriptions, made from gpu_rows.def and the names in choices.h. */
#include "model/params/gpu.h"

#define NAME(constant, name, meaning)    #name,
#define MEANING(constant, name, meaning) meaning,
#define NAMES(kind, list)                                                                                              \
  static const char *const kind##_names[] = {list(NAME) NULL}, *const kind##_meanings[] = {list(MEANING) NULL};
CHOICE_LISTS(NAMES)

#define SWEEP       PARAM_SWEEPABLE
#define TUNE        (PARAM_SWEEPABLE | PARAM_TUNABLE)
#define OPTION      (PARAM_SWEEPABLE | PARAM_OPTION)
#define TUNE_OPTION (PARAM_SWEEPABLE | PARAM_TUNABLE | PARAM_OPTION)
#define RETIMED     PARAM_RETIMED
#define SAMPLED     PARAM_RETIMED_SAMPLED

/* clang-format off */
#define ROW(field, type, unit, low, high, preset, names, flags, meaning, meanings) \
  {#field, offsetof(struct gpu_spec, field), type, unit, low, high, preset, names, flags, meaning, meanings},
#define INT(field, unit, low, high, preset, flags, meaning) \
  ROW(field, PARAM_INT, unit, low, high, preset, NULL, flags, meaning, NULL)
#define REAL(field, unit, low, high, preset, flags, meaning) \
  ROW(field, PARAM_REAL, unit, low, high, preset, NULL, flags, meaning, NULL)
#define BOOL(field, preset, flags, meaning) \
  ROW(field, PARAM_BOOL, "1", 0, 1, preset, NULL, flags, meaning, NULL)
#define CHOICE(field, kind, preset, flags, meaning) \
  ROW(field, PARAM_CHOICE, "1", 0, sizeof kind##_names / sizeof *kind##_names - 2, preset, kind##_names, flags, \
      meaning, kind##_meanings)
/* clang-format on */

static const struct param rows[] = {
#include "model/params/gpu_rows.def"
};

const struct param_table gpu_params = {"GPU parameter", rows, sizeof rows / sizeof rows[0]};

bool gpu_spec_same(const struct gpu_spec *a, const struct gpu_spec *b) {
  for (size_t i = 0; i < gpu_params.count; i++)
    if (params_get_number(&rows[i], a) != params_get_number(&rows[i], b))
      return false;
  return true;
}

/* The choices that a nested cross-validation may make (nested.h).
 *
 * Purpose: users write `objective=mape/log,penalty=0.1x/1x/10x,memory=blocking/dependency`, which gives the values of
 * each key. Keys are `method`, `objective`, `penalty` (percent, or a multiple of --penalty such as 10x) and every
 * parameter of a GPU. `method` and the parameters belong to a search, the others to a fit of the linear model where a
 * search ended.
 * Shapes: combinations are numbered, the last key counting fastest; in number 0 each key has its first value.
 * Ownership: choices_clear frees.
 * Errors: unknown keys, values and methods; a key that occurs twice; more than 256 combinations. They name --choose.
 * Threads: read-only after parsing. */
#ifndef TUNER_CHOICES_H
#define TUNER_CHOICES_H

#include <stddef.h>

#include "base/error.h"
#include "model/params/gpu.h"
#include "tuner/method/fit.h"
#include "tuner/objective/objective.h"

#define CHOICES_DEFAULT "objective=mape/log,penalty=0.1x/1x/10x,memory=blocking/switch_on_access/dependency"

enum { CHOICE_KEYS = 12, CHOICE_VALUES = 8, CHOICE_COMBINATIONS = 256 };

enum choice_kind { CHOICE_METHOD, CHOICE_PARAMETER, CHOICE_OBJECTIVE, CHOICE_PENALTY };

struct choice {
  enum choice_kind kind;
  const char *key;
  const struct param *param; /* used for a parameter */
  const char *values[CHOICE_VALUES];
  size_t count;
};

struct choices {
  char *text; /* keys and values point into it */
  struct choice keys[CHOICE_KEYS];
  size_t count;
};

int choices_parse(const char *text, struct choices *out, struct error *error);
void choices_clear(struct choices *choices);

/* These functions return the number of combinations of the keys of a search, and of those of a fit. */
size_t choices_searches(const struct choices *choices);
size_t choices_fits(const struct choices *choices);
/* Sets the values of combination `search` in the GPU and the method. Other parameters do not change. */
void choices_apply_search(const struct choices *choices, size_t search, struct gpu_spec *spec,
                          const struct tune_method **method);
/* Sets the values of combination `fit` in the objective and the penalty, which may become a multiple of itself. */
void choices_apply_fit(const struct choices *choices, size_t fit, struct objective *objective, double *penalty_percent);
/* Writes both combinations in the form in which users write them. Returns `buffer`. */
const char *choices_format(const struct choices *choices, size_t search, size_t fit, char *buffer, size_t size);

#endif

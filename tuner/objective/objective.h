/* The objective that a tuning minimises: the distance of predictions from measurements as one number, in percent.
 *
 * Purpose: `mape`, `log` (mean |ln(predicted / measured)|), and 1 - r for `pearson`, `spearman`, `kendall`, each times
 * 100; or a weighted sum, `mape:0.7+spearman:0.3`. 0 is perfect for all of them.
 * Shapes: a sample names the measurements that count; one may occur several times (bootstrap) or not at all (held out).
 * Errors: unknown names and weights; objectives that the data leave undefined (a correlation of fewer than three
 * measurements, or of equal ones).
 * Cost: O(count^2) for ranks.
 * Threads: any. */
#ifndef TUNER_OBJECTIVE_H
#define TUNER_OBJECTIVE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

enum objective_term {
  OBJECTIVE_MAPE,
  OBJECTIVE_LOG,
  OBJECTIVE_PEARSON,
  OBJECTIVE_SPEARMAN,
  OBJECTIVE_KENDALL,
  OBJECTIVE_TERMS
};

struct objective {
  double weights[OBJECTIVE_TERMS]; /* 0: the term is not included */
};

struct sample {
  const double *measured; /* by measurement */
  const size_t *indices;  /* [count], indices of measurements */
  size_t count;
};

int objective_parse(const char *text, struct objective *out, struct error *error);
/* Writes the objective in the form that objective_parse takes. Returns `buffer`. */
const char *objective_format(const struct objective *objective, char *buffer, size_t size);
/* Returns whether a term is pearson, spearman or kendall. */
bool objective_has_correlation(const struct objective *objective);
/* The names of the terms. */
extern const char *const objective_names[OBJECTIVE_TERMS + 1];

/* Returns 0 if every term is defined on this sample; otherwise -1, and the error names the term. */
int objective_check(const struct objective *objective, const struct sample *sample, struct error *error);
/* Returns the objective. `predicted` is by measurement. It is INFINITY if it is not defined: equal predictions have no
 * correlation. */
double objective_cost(const struct objective *objective, const struct sample *sample, const double *predicted);

#endif

#include "tuner/objective/objective.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "tuner/objective/score.h"

const char *const objective_names[OBJECTIVE_TERMS + 1] = {"mape", "log", "pearson", "spearman", "kendall", NULL};

enum { FEWEST_FOR_A_CORRELATION = 3 }; /* any two points lie on a line */

static int find_term(const char *name, struct error *error) {
  for (int t = 0; t < OBJECTIVE_TERMS; t++)
    if (strcmp(objective_names[t], name) == 0)
      return t;
  return error_at(error, ERROR_INPUT, "", 0, 0, "--objective",
                  "unknown objective \"%.40s\"%s; known: mape, log, pearson, spearman, kendall, or a weighted sum "
                  "such as mape:0.7+spearman:0.3",
                  name, text_hint(name, objective_names, "").text);
}

static int add_term(struct objective *out, char *item, struct error *error) {
  char *colon = strchr(item, ':'), *end = NULL;
  double weight = 1;
  if (colon) {
    *colon = '\0';
    weight = strtod(colon + 1, &end);
    if (end == colon + 1 || *end != '\0' || !(weight > 0 && weight <= 1e6))
      return error_at(error, ERROR_INPUT, "", 0, 0, "--objective",
                      "%.40s: found the weight \"%.40s\", allowed 0 to 1e6", item, colon + 1);
  }
  const int term = find_term(item, error);
  if (term < 0)
    return -1;
  if (out->weights[term] > 0)
    return error_at(error, ERROR_INPUT, "", 0, 0, "--objective", "%s: found twice", item);
  out->weights[term] = weight;
  return 0;
}

int objective_parse(const char *text, struct objective *out, struct error *error) {
  char *copy = strdup(text), *rest = copy;
  if (!copy)
    return error_no_memory(error);
  *out = (struct objective){{0}};
  int status = 0;
  for (char *item; status == 0 && (item = strsep(&rest, "+"));)
    status = add_term(out, item, error);
  free(copy);
  return status;
}

const char *objective_format(const struct objective *objective, char *buffer, size_t size) {
  size_t used = 0;
  buffer[0] = '\0';
  for (int t = 0; t < OBJECTIVE_TERMS; t++) {
    char weight[32] = "";
    if (!(objective->weights[t] > 0) || used >= size)
      continue;
    if (objective->weights[t] != 1)
      snprintf(weight, sizeof weight, ":%g", objective->weights[t]);
    used += (size_t)snprintf(buffer + used, size - used, "%s%s%s", used > 0 ? "+" : "", objective_names[t], weight);
  }
  return buffer;
}

static bool is_correlation(int term) {
  return term == OBJECTIVE_PEARSON || term == OBJECTIVE_SPEARMAN || term == OBJECTIVE_KENDALL;
}

bool objective_has_correlation(const struct objective *objective) {
  for (int t = 0; t < OBJECTIVE_TERMS; t++)
    if (is_correlation(t) && objective->weights[t] > 0)
      return true;
  return false;
}

static bool all_equal(const struct sample *sample) {
  for (size_t i = 1; i < sample->count; i++)
    if (sample->measured[sample->indices[i]] != sample->measured[sample->indices[0]])
      return false;
  return true;
}

int objective_check(const struct objective *objective, const struct sample *sample, struct error *error) {
  if (sample->count == 0)
    return error_at(error, ERROR_INPUT, "", 0, 0, "measurements", "none to tune to");
  for (int t = 0; t < OBJECTIVE_TERMS; t++) {
    if (!(objective->weights[t] > 0) || !is_correlation(t))
      continue;
    if (sample->count < FEWEST_FOR_A_CORRELATION)
      return error_at(error, ERROR_INPUT, "", 0, 0, "measurements",
                      "found %zu, the objective %s needs at least %d; mape and log need one", sample->count,
                      objective_names[t], FEWEST_FOR_A_CORRELATION);
    if (all_equal(sample))
      return error_at(error, ERROR_INPUT, "", 0, 0, "measurements",
                      "all values are equal, which leaves the objective %s undefined; mape and log are defined",
                      objective_names[t]);
  }
  return 0;
}

static double relative_error(const struct sample *sample, const double *predicted, bool logarithmic) {
  double sum = 0;
  for (size_t i = 0; i < sample->count; i++) {
    const double m = sample->measured[sample->indices[i]], p = predicted[sample->indices[i]];
    sum += logarithmic ? fabs(log(p / m)) : fabs(p - m) / m;
  }
  return 100 * sum / (double)sample->count;
}

static double correlation(int term, const double *measured, const double *predicted, size_t count) {
  switch (term) {
  case OBJECTIVE_PEARSON:
    return score_pearson(measured, predicted, count);
  case OBJECTIVE_SPEARMAN:
    return score_spearman(measured, predicted, count);
  default:
    return score_kendall(measured, predicted, count);
  }
}

/* Returns the distance from 1 of the correlation of the sample's measurements. */
static double uncorrelated(int term, const struct sample *sample, const double *predicted) {
  double *values = malloc(2 * sample->count * sizeof *values);
  if (!values)
    return INFINITY;
  for (size_t i = 0; i < sample->count; i++) {
    values[i] = sample->measured[sample->indices[i]];
    values[sample->count + i] = predicted[sample->indices[i]];
  }
  const double r = correlation(term, values, values + sample->count, sample->count);
  free(values);
  return 100 * (1 - r);
}

double objective_cost(const struct objective *objective, const struct sample *sample, const double *predicted) {
  double cost = 0;
  for (int t = 0; t < OBJECTIVE_TERMS; t++) {
    if (!(objective->weights[t] > 0))
      continue;
    const double term =
        is_correlation(t) ? uncorrelated(t, sample, predicted) : relative_error(sample, predicted, t == OBJECTIVE_LOG);
    cost += objective->weights[t] * term;
  }
  return isnan(cost) ? INFINITY : cost;
}

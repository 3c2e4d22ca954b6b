/* Makes features of the parameters of workloads (features.h). */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tuner/learner/features.h"

enum { MOST_PARAMETERS = 32 };

/* Reads the value of `key` behind the colon of a workload. Returns false if it has no number. */
static bool read_value(const char *workload, const char *key, size_t length, double *value) {
  const char *at = strchr(workload, ':');
  while (at) {
    at++;
    if (strncmp(at, key, length) == 0 && at[length] == '=') {
      char *end;
      *value = strtod(at + length + 1, &end);
      return end != at + length + 1 && (*end == '\0' || *end == ',') && *value >= 0;
    }
    at = strchr(at, ',');
  }
  return false;
}

/* Writes ln(1 + value) of a parameter for all workloads. Returns whether all have it and it is not the same in all. */
static bool read_column(const char *const *workloads, size_t count, const char *key, size_t length, double *column) {
  bool varies = false;
  for (size_t i = 0; i < count; i++) {
    if (!read_value(workloads[i], key, length, &column[i]))
      return false;
    column[i] = log1p(column[i]);
    varies |= column[i] != column[0];
  }
  return varies;
}

/* Reads the columns that the first workload's parameters name. Returns how many there are. */
static size_t read_columns(const char *const *workloads, size_t count, double *columns) {
  size_t found = 0;
  const char *key = strchr(workloads[0], ':');
  while (key && found < MOST_PARAMETERS) {
    key++;
    found += read_column(workloads, count, key, strcspn(key, "=,"), columns + found * count);
    key = strchr(key, ',');
  }
  return found;
}

static void write_example(const double *columns, size_t found, size_t count, size_t example, double *out) {
  for (size_t a = 0; a < found; a++)
    *out++ = columns[a * count + example];
  for (size_t a = 0; a < found; a++)
    for (size_t b = a; b < found; b++)
      *out++ = columns[a * count + example] * columns[b * count + example];
}

int features_of_parameters(const char *const *workloads, size_t count, struct features *out, struct error *error) {
  double *columns = calloc((MOST_PARAMETERS + 1) * count, sizeof *columns);
  const size_t found = columns ? read_columns(workloads, count, columns) : 0;
  *out = (struct features){.examples = count, .columns = found + found * (found + 1) / 2};
  out->values = calloc(count * out->columns + 1, sizeof *out->values);
  for (size_t i = 0; columns && out->values && i < count; i++)
    write_example(columns, found, count, i, out->values + i * out->columns);
  const bool complete = columns && out->values;
  free(columns);
  return complete ? 0 : error_no_memory(error);
}

/* A sweep: the designs of a GPU to predict, and the workloads (YAML, schema reassemble.sweep/1, docs/sweeps.md).
 *
 * Shapes: an axis has `value_count` values of `parameter_count` linked parameters; value v sets params[p] to values[v *
 * parameter_count + p], which was written as a factor on the base's value if relative[v * parameter_count + p], and is
 * called labels[v] in the names of points.
 * Ownership: sweep_load allocates everything, sweep_destroy frees it.
 * Errors: ERROR_INPUT with file and line, and with the nearest name for an unknown one.
 * Threads: read-only after loading. */
#ifndef DSE_SWEEP_H
#define DSE_SWEEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "dse/sweep/constraint.h"
#include "model/params/gpu.h"

enum { SWEEP_MOST_AXES = 40 /* dimensions of GSL's Sobol sequence */, SWEEP_MOST_VALUES = 10000 };

struct sweep_axis {
  char *name; /* keys joined by '+' */
  size_t parameter_count, value_count;
  const struct param **params;
  double *values;
  bool *relative;
  char **labels; /* "cores=12", "execution_engines=5 l1_bytes=x1.5" */
};

/* A design that is written out. */
struct sweep_variant {
  char *name;
  size_t count;
  const struct param **params;
  double *values;
};

enum sweep_method { SWEEP_GRID, SWEEP_ONE_AT_A_TIME, SWEEP_RANDOM, SWEEP_SOBOL };

/* The objectives: the one number of a design, from the speed-ups s of its workloads over the base GPU. A row is
 * X(enumerator, "name in files", "meaning"). */
#define SWEEP_OBJECTIVES(X)                                                                                            \
  X(OBJECTIVE_GEOMETRIC_MEAN, "geometric_mean", "geometric mean of the workloads' speed-ups")                          \
  X(OBJECTIVE_ARITHMETIC_MEAN, "arithmetic_mean", "arithmetic mean of the workloads' speed-ups")                       \
  X(OBJECTIVE_TOTAL_TIME, "total_time", "speed-up of all workloads one after another")                                 \
  X(OBJECTIVE_PER_WORKLOAD, "per_workload", "each workload's speed-up by itself")

enum sweep_objective {
#define X(id, name, meaning) id,
  SWEEP_OBJECTIVES(X)
#undef X
};
extern const char *const sweep_objective_names[]; /* NULL-terminated */

/* A workload, set or trace by name or file, or all shipped workloads that have all of these tags. */
struct sweep_input {
  char *name;
  char **tags; /* used if there is no name */
  size_t tag_count;
  unsigned line, column;
};

struct sweep {
  char *path, *name, *about;
  uint64_t digest; /* hash of the file's bytes */
  struct gpu *gpu; /* the base */
  struct sweep_input *inputs;
  size_t input_count;
  struct sweep_axis *axes;
  size_t axis_count;
  struct sweep_variant *variants;
  size_t variant_count;
  struct expression **constraints;
  size_t constraint_count;
  enum sweep_method method;
  uint64_t samples; /* for SWEEP_RANDOM, SWEEP_SOBOL */
  uint64_t seed;
  enum sweep_objective objective;
  double *targets;
  size_t target_count;
  char *reference; /* file of reference predictions that are printed beside results; NULL: none */
};

int sweep_load(const char *name_or_path, struct sweep **out, struct error *error);
void sweep_destroy(struct sweep *sweep);

/* Returns `name` as a path if it exists relative to the sweep's file, else unchanged; NULL when out of memory. The
 * caller frees it. */
char *sweep_resolve(const struct sweep *sweep, const char *name);

#endif

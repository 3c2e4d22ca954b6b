/* Intervals of one-at-a-time sensitivities, while the tuned parameters of the base move in their intervals.
 *
 * Every parameter of the base that has an interval (base/input/param.h) is set to either end of it, in the base and in
 * every design that differs from the base in one axis's value (values that are relative to the base move along); the
 * speed-up of the one over the other is the sensitivity there. With d = ln of that over the sensitivity s at the tuned
 * values, high = s exp(sqrt(sum over parameters of max(0, d at either end)^2)), low accordingly: first-order
 * propagation of errors taken as independent (JCGM 100:2008, 5.1.2), by differences instead of derivatives. Intervals
 * of a bootstrap are not independent: where parameters trade off against each other the result is too wide.
 *
 * The designs are the samples of a sweep of their own, so that families, journals and resuming work as for any sweep;
 * most are timed from recorded replays, so d is approximate.
 *
 * Shapes: a group of 1 + 2 x parameters designs for the base and for each value.
 * Ownership: intervals_plan allocates, intervals_clear frees; the points are borrowed.
 * Cost: a recorded replay for each value and workload, timed twice for each parameter.
 * Threads: one at a time calls intervals_of. */
#ifndef DSE_INTERVALS_H
#define DSE_INTERVALS_H

#include "dse/run/run.h"

/* The largest number of values for which intervals are computed: longer tables are not read. */
enum { INTERVALS_MOST_VALUES = 1000 };

struct intervals {
  size_t parameter_count; /* 0: there are no intervals, and the other members are not set */
  size_t *parameters;     /* indices into gpu_params.list */
  const struct points *of;
  size_t *groups; /* by value, all axes one after another; 0, the base's group: there is no such design */
  size_t group_count;
  struct sweep_axis axis;
  struct sweep sweep;
  struct points points;
  struct families families;
  struct outcomes outcomes;
  double *scratch; /* [3][workloads] */
};

/* Plans the designs. With `exact`, no replays are recorded. */
int intervals_plan(const struct points *points, bool exact, struct intervals *out, struct error *error);
void intervals_clear(struct intervals *intervals);

/* Allocates memory for the results. */
int intervals_begin(struct intervals *intervals, const struct evaluation *evaluation, struct error *error);
/* Returns the approximate number of exact replays that take as long as computing all unknown results. */
double intervals_replays(struct intervals *intervals, const struct evaluation *evaluation);
/* Computes all results, with the evaluation, jobs and quiet of `run`, in this process; `journal` may be NULL. */
int intervals_run(struct intervals *intervals, const struct run *run, struct journal *journal, struct error *error);

/* The interval of a value of an axis, by the sweep's objective over the workloads first .. first + count - 1. at_ends
 * is [parameter_count][2], the sensitivity with the parameter at its low and its high end, or NULL. `speedup` is s.
 * intervals_of returns false, and NaN, if there is no such design or one at an end is impossible. */
struct interval_of {
  double low, high;
  size_t most; /* index into `parameters` of the one that moves s most; parameter_count: none moves it */
};
bool intervals_of(const struct intervals *intervals, size_t axis, size_t value, size_t first, size_t count,
                  double speedup, double (*at_ends)[2], struct interval_of *out);

#endif

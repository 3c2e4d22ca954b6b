#include "dse/intervals.h"

#include <math.h>
#include <stdlib.h>

#include "dse/answer/answers.h"
#include "dse/answer/scores.h"

static int out_of_memory(struct error *error) {
  return error_no_memory(error);
}

/* ---- the designs ---- */

static size_t group_size(const struct intervals *in) {
  return 1 + 2 * in->parameter_count;
}

static size_t value_count(const struct sweep *sweep) {
  size_t count = 0;
  for (size_t a = 0; a < sweep->axis_count; a++)
    count += sweep->axes[a].value_count;
  return count;
}

static size_t value_number(const struct sweep *sweep, size_t axis, size_t value) {
  for (size_t a = 0; a < axis; a++)
    value += sweep->axes[a].value_count;
  return value;
}

static int find_parameters(const struct gpu *gpu, struct intervals *in, struct error *error) {
  in->parameters = calloc(gpu_params.count, sizeof *in->parameters);
  if (!in->parameters)
    return out_of_memory(error);
  for (size_t i = 0; i < gpu_params.count; i++)
    if (gpu->origins[i].has_interval && gpu->origins[i].low < gpu->origins[i].high)
      in->parameters[in->parameter_count++] = i;
  return 0;
}

static int find_groups(struct intervals *in, struct error *error) {
  const struct sweep *sweep = in->of->sweep;
  in->groups = calloc(value_count(sweep) + 1, sizeof *in->groups);
  if (!in->groups)
    return out_of_memory(error);
  in->group_count = 1;
  for (size_t a = 0; a < sweep->axis_count; a++)
    for (size_t v = 0; v < sweep->axes[a].value_count; v++)
      if (answer_one_at_a_time(in->of, a, v) != POINT_IMPOSSIBLE)
        in->groups[value_number(sweep, a, v)] = in->group_count++;
  return 0;
}

/* Finds the parameters that differ between any two of the designs. */
static int find_params(struct intervals *in, struct error *error) {
  const struct sweep *sweep = in->of->sweep;
  bool *differs = calloc(gpu_params.count, sizeof *differs);
  in->axis.params = calloc(gpu_params.count, sizeof *in->axis.params);
  if (!differs || !in->axis.params) {
    free(differs);
    return out_of_memory(error);
  }
  for (size_t k = 0; k < in->parameter_count; k++)
    differs[in->parameters[k]] = true;
  for (size_t a = 0; a < sweep->axis_count; a++)
    for (size_t p = 0; p < sweep->axes[a].parameter_count; p++)
      differs[sweep->axes[a].params[p] - gpu_params.list] = true;
  for (size_t i = 0; i < gpu_params.count; i++)
    if (differs[i])
      in->axis.params[in->axis.parameter_count++] = &gpu_params.list[i];
  free(differs);
  return 0;
}

static void set(const struct intervals *in, double *values, const struct param *param, double value) {
  for (size_t p = 0; p < in->axis.parameter_count; p++)
    if (in->axis.params[p] == param)
      values[p] = value;
}

/* Sets the values of member j of a group: member 0 is not moved, 1 + 2 k and 2 + 2 k are at the ends of parameter k. An
 * axis of NULL means the base. */
static void fill_design(const struct intervals *in, const struct sweep_axis *axis, size_t v, size_t j, double *values) {
  const struct gpu *gpu = in->of->sweep->gpu;
  const struct param *moved = j > 0 ? &gpu_params.list[in->parameters[(j - 1) / 2]] : NULL;
  const struct param_origin *origin = j > 0 ? &gpu->origins[in->parameters[(j - 1) / 2]] : NULL;
  const double end = j == 0 ? 0 : j % 2 ? origin->low : origin->high;
  for (size_t p = 0; p < in->axis.parameter_count; p++)
    values[p] = in->axis.params[p] == moved ? end : params_get_number(in->axis.params[p], &gpu->spec);
  for (size_t p = 0; axis && p < axis->parameter_count; p++) {
    const size_t at = v * axis->parameter_count + p;
    const double base = params_get_number(axis->params[p], &gpu->spec);
    const bool moves = axis->params[p] == moved && axis->relative[at] && base > 0;
    set(in, values, axis->params[p], moves ? axis->values[at] / base * end : axis->values[at]);
  }
}

static void fill_group(const struct intervals *in, size_t group, const struct sweep_axis *axis, size_t v) {
  for (size_t j = 0; j < group_size(in); j++)
    fill_design(in, axis, v, j, &in->axis.values[(group * group_size(in) + j) * in->axis.parameter_count]);
}

static int fill_axis(struct intervals *in, struct error *error) {
  const struct sweep *sweep = in->of->sweep;
  in->axis.value_count = in->group_count * group_size(in);
  in->axis.values = calloc(in->axis.value_count * in->axis.parameter_count, sizeof *in->axis.values);
  if (!in->axis.values)
    return out_of_memory(error);
  fill_group(in, 0, NULL, 0);
  for (size_t a = 0; a < sweep->axis_count; a++)
    for (size_t v = 0; v < sweep->axes[a].value_count; v++)
      if (in->groups[value_number(sweep, a, v)] > 0)
        fill_group(in, in->groups[value_number(sweep, a, v)], &sweep->axes[a], v);
  return 0;
}

static int plan(struct intervals *in, bool exact, struct error *error) {
  const struct sweep *sweep = in->of->sweep;
  if (find_groups(in, error) != 0 || find_params(in, error) != 0 || fill_axis(in, error) != 0)
    return -1;
  in->sweep = (struct sweep){.path = sweep->path,
                             .name = sweep->name,
                             .digest = sweep->digest,
                             .gpu = sweep->gpu,
                             .axes = &in->axis,
                             .axis_count = 1,
                             .method = SWEEP_GRID,
                             .objective = sweep->objective};
  return points_enumerate(&in->sweep, true, &in->points, error) == 0
             ? families_find(&in->points, exact, &in->families, error)
             : -1;
}

int intervals_plan(const struct points *points, bool exact, struct intervals *out, struct error *error) {
  const size_t values = value_count(points->sweep);
  *out = (struct intervals){.of = points};
  if (values == 0 || values > INTERVALS_MOST_VALUES)
    return 0;
  if (find_parameters(points->sweep->gpu, out, error) != 0)
    return -1;
  return out->parameter_count == 0 ? 0 : plan(out, exact, error);
}

void intervals_clear(struct intervals *in) {
  outcomes_clear(&in->outcomes);
  families_clear(&in->families);
  points_clear(&in->points);
  free(in->axis.params);
  free(in->axis.values);
  free(in->groups);
  free(in->parameters);
  free(in->scratch);
  *in = (struct intervals){0};
}

/* ---- their results ---- */

int intervals_begin(struct intervals *in, const struct evaluation *evaluation, struct error *error) {
  if (in->parameter_count == 0)
    return 0;
  in->scratch = calloc(3 * evaluation->workload_count + 1, sizeof *in->scratch);
  if (!in->scratch)
    return out_of_memory(error);
  return outcomes_init(&in->outcomes, in->points.design_count, evaluation->workload_count, error);
}

static struct run own_run(struct intervals *in, const struct evaluation *evaluation) {
  return (struct run){.points = &in->points,
                      .evaluation = evaluation,
                      .families = &in->families,
                      .outcomes = &in->outcomes,
                      .shares = 1,
                      .jobs = 1,
                      .alone = true};
}

double intervals_replays(struct intervals *in, const struct evaluation *evaluation) {
  const struct run run = own_run(in, evaluation);
  double replays = 0;
  if (in->parameter_count > 0)
    run_remaining(&run, &replays);
  return replays;
}

int intervals_run(struct intervals *in, const struct run *run, struct journal *journal, struct error *error) {
  struct run own = own_run(in, run->evaluation);
  double seconds;
  own.journal = journal;
  own.jobs = run->jobs;
  own.quiet = run->quiet;
  return run_base(&own, &seconds, error) == 0 ? run_rest(&own, error) : -1;
}

/* ---- the intervals ---- */

/* Returns the sensitivity at member j: that of the group over that of the base; NaN if one of them is impossible. */
static double sensitivity(const struct intervals *in, size_t group, size_t j, size_t first, size_t count) {
  const size_t time = outcome_value("time_ns");
  const uint32_t base = in->points.designs[1 + j], design = in->points.designs[1 + group * group_size(in) + j];
  double *base_ns = in->scratch, *ns = base_ns + count, *speedups = ns + count;
  if (base == POINT_IMPOSSIBLE || design == POINT_IMPOSSIBLE)
    return NAN;
  for (size_t w = 0; w < count; w++) {
    base_ns[w] = outcomes_at(&in->outcomes, base, first + w)[time];
    ns[w] = outcomes_at(&in->outcomes, design, first + w)[time];
    speedups[w] = base_ns[w] > 0 && ns[w] > 0 ? base_ns[w] / ns[w] : NAN;
  }
  return objective_of(in->sweep.objective, speedups, base_ns, ns, count);
}

bool intervals_of(const struct intervals *in, size_t axis, size_t value, size_t first, size_t count, double speedup,
                  double (*at_ends)[2], struct interval_of *out) {
  const size_t group = in->parameter_count > 0 ? in->groups[value_number(in->of->sweep, axis, value)] : 0;
  double down = 0, up = 0, largest = 0;
  *out = (struct interval_of){NAN, NAN, in->parameter_count};
  if (group == 0)
    return false;
  const double tuned = sensitivity(in, group, 0, first, count);
  for (size_t k = 0; k < in->parameter_count; k++) {
    double least = 0, most = 0;
    for (size_t end = 0; end < 2; end++) {
      const double there = sensitivity(in, group, 1 + 2 * k + end, first, count), d = log(there / tuned);
      if (!isfinite(d))
        return false;
      least = fmin(least, d);
      most = fmax(most, d);
      if (at_ends)
        at_ends[k][end] = speedup * exp(d);
    }
    down += least * least;
    up += most * most;
    if (most - least > largest) {
      largest = most - least;
      out->most = k;
    }
  }
  out->low = speedup * exp(-sqrt(down));
  out->high = speedup * exp(sqrt(up));
  return true;
}

/* The plan of a sweep: how many points, designs and replays, what is impossible, how long it will take. */
#include "cli/dse/sweep_session.h"

#include <stdlib.h>
#include <string.h>

enum { IMPOSSIBLE_SHOWN = 5 };

static size_t launches(const struct evaluation *evaluation) {
  size_t sum = 0;
  for (size_t i = 0; i < evaluation->workload_count; i++)
    sum += evaluation->workloads[i].trace_count;
  return sum;
}

static double estimate_s(const struct sweep_session *session, const struct sweep_plan *plan) {
  return plan->seconds / (double)session->evaluation.workload_count * plan->replays / session->options->jobs;
}

/* Approximate at first. */
static size_t timed_results(const struct sweep_session *session) {
  const struct families *families = &session->families;
  return (families->first[families->count] - families->count) * session->evaluation.workload_count;
}

static const char *method_name(const struct sweep *sweep) {
  static const char *const names[] = {"grid", "one_at_a_time", "random", "sobol"};
  return names[sweep->method];
}

static void reason_text(const struct points *points, size_t point, char *buffer, size_t size) {
  struct gpu_spec spec;
  struct error reason = ERROR_INIT;
  points_spec(points, point, &spec, &reason);
  snprintf(buffer, size, "%s%s%s", reason.key, reason.key[0] ? ": " : "", reason.text);
}

static int say_impossible(const struct points *points, struct view *view, struct error *error) {
  size_t shown = 0;
  for (size_t point = 0; point < points->count && shown < IMPOSSIBLE_SHOWN; point++) {
    char reason[sizeof error->text + sizeof error->key + 2];
    if (points->designs[point] != POINT_IMPOSSIBLE)
      continue;
    char *name = points_name(points, point);
    if (!name)
      return error_no_memory(error);
    reason_text(points, point, reason, sizeof reason);
    view_say(view, "  impossible: %s: %s\n", name, reason);
    free(name);
    shown++;
  }
  if (points->impossible_count > shown)
    view_say(view, "  ... and %zu more; impossible.csv lists all\n", points->impossible_count - shown);
  return 0;
}

/* ---- designs that ask for more than the sweep says memory can give ---- */

static const struct sweep_axis *axis_of(const struct sweep *sweep, const char *const *keys, const char **key) {
  for (; *keys; keys++)
    for (size_t a = 0; a < sweep->axis_count; a++)
      for (size_t p = 0; p < sweep->axes[a].parameter_count; p++)
        if (strcmp(sweep->axes[a].params[p]->key, *keys) == 0) {
          *key = *keys;
          return &sweep->axes[a];
        }
  return NULL;
}

/* Returns the parameter that adds demand for memory while no rate behind the cores is limited; NULL: none. */
static const char *unlimited_demand(const struct sweep *sweep) {
  static const char *const demand[] = {"cores", "execution_engines", NULL};
  static const char *const rates[] = {"l2_bytes_per_cycle", "dram_bytes_per_cycle", NULL};
  const struct gpu_spec *base = &sweep->gpu->spec;
  const char *key = NULL, *rate;
  if (base->l2_bytes_per_cycle > 0 || base->dram_bytes_per_cycle > 0 || axis_of(sweep, rates, &rate))
    return NULL;
  return axis_of(sweep, demand, &key) ? key : NULL;
}

static void show_warning(const struct sweep *sweep, struct view *view) {
  char text[256];
  const char *key = unlimited_demand(sweep);
  if (!key)
    return;
  snprintf(text, sizeof text,
           "%s varies, and neither l2_bytes_per_cycle nor dram_bytes_per_cycle limits what cores get together: "
           "speed-ups of larger designs are upper bounds",
           key);
  view_member(view, "warning", view_text(text));
  view_say(view, "  warning: %s\n", text);
}

static int say_plan(const struct sweep_session *session, const struct sweep_plan *plan, struct view *view,
                    struct error *error) {
  const struct points *points = &session->points;
  const struct sweep *sweep = session->sweep;
  const struct evaluation *evaluation = &session->evaluation;
  view_say(view, "%s on %s: %zu workloads of %zu launches\n", sweep->name, sweep->gpu->name, evaluation->workload_count,
           launches(evaluation));
  view_say(view, "  %zu points: the base, %zu variants, %llu by %s", points->count, sweep->variant_count,
           (unsigned long long)points->sample.count, method_name(sweep));
  if (points->sample.drawn_again > 0)
    view_say(view, " (%llu more were drawn again)", (unsigned long long)points->sample.drawn_again);
  view_say(view, "\n  %zu impossible, %zu duplicates, %zu distinct designs\n", points->impossible_count,
           points->count - points->impossible_count - points->design_count, points->design_count);
  if (say_impossible(points, view, error) != 0)
    return -1;
  view_say(view, "  %zu results, %zu of them known from the journal", points->design_count * evaluation->workload_count,
           plan->known);
  if (session->families.count > 0)
    view_say(view, "; %zu by timing %zu recorded replays", timed_results(session),
             session->families.count * evaluation->workload_count);
  if (session->intervals.parameter_count > 0)
    view_say(view, "; %zu more designs for the intervals of %zu parameters", session->intervals.points.design_count,
             session->intervals.parameter_count);
  if (plan->shares > 1)
    view_say(view, "; share %zu of %zu", plan->share + 1, plan->shares);
  view_say(view, "; %zu to do: about %.3g s with %d jobs\n", plan->remaining, estimate_s(session, plan),
           session->options->jobs);
  show_warning(sweep, view);
  return 0;
}

void sweep_plan_members(const struct sweep_session *session, const struct sweep_plan *plan, bool with_times,
                        struct view *view) {
  const struct points *points = &session->points;
  const struct {
    const char *key;
    uint64_t value;
  } rows[] = {
      {"points", points->count},
      {"variants", session->sweep->variant_count},
      {"samples", points->sample.count},
      {"drawn_again", points->sample.drawn_again},
      {"impossible", points->impossible_count},
      {"duplicates", points->count - points->impossible_count - points->design_count},
      {"designs", points->design_count},
      {"results", points->design_count * session->evaluation.workload_count},
      {"timed_from_recordings", timed_results(session)},
  };
  view_object_begin(view, "plan");
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    view_member(view, rows[i].key, view_whole(rows[i].value));
  if (session->intervals.parameter_count > 0)
    view_member(view, "interval_designs", view_whole(session->intervals.points.design_count));
  if (with_times) {
    view_member(view, "known", view_whole(plan->known));
    view_member(view, "remaining", view_whole(plan->remaining));
    view_member(view, "estimated_s", view_real(estimate_s(session, plan)));
  }
  show_warning(session->sweep, view);
  view_object_end(view);
}

int sweep_plan_show(const struct sweep_session *session, const struct sweep_plan *plan, bool json, FILE *out,
                    struct error *error) {
  struct view view;
  view_begin(&view, json, out, "reassemble.dse-plan/1");
  view_member(&view, "sweep", view_text(session->sweep->name));
  if (json)
    sweep_plan_members(session, plan, true, &view);
  const int status = json ? 0 : say_plan(session, plan, &view, error);
  return view_end(&view, status, error);
}

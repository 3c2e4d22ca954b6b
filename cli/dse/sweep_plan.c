/* The plan of a sweep: how many points, designs and replays, what is impossible, how long it will take. */
#include "cli/dse/sweep_session.h"

#include <stdlib.h>

#include "cli/core/command.h"
#include "cli/core/table.h"

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

static int print_impossible(const struct points *points, FILE *out, struct error *error) {
  size_t shown = 0;
  for (size_t point = 0; point < points->count && shown < IMPOSSIBLE_SHOWN; point++) {
    char reason[sizeof error->text + sizeof error->key + 2];
    if (points->designs[point] != POINT_IMPOSSIBLE)
      continue;
    char *name = points_name(points, point);
    if (name == NULL)
      return error_set(error, ERROR_WORK, "out of memory");
    reason_text(points, point, reason, sizeof reason);
    fputs("  impossible: ", out);
    table_print_text(name, out);
    fputs(": ", out);
    table_print_text(reason, out);
    putc('\n', out);
    free(name);
    shown++;
  }
  if (points->impossible_count > shown)
    fprintf(out, "  ... and %zu more; impossible.csv lists all\n", points->impossible_count - shown);
  return 0;
}

int sweep_plan_print(const struct sweep_session *session, const struct sweep_plan *plan, FILE *out,
                     struct error *error) {
  const struct points *points = &session->points;
  const struct sweep *sweep = session->sweep;
  const struct evaluation *evaluation = &session->evaluation;
  table_print_text(sweep->name, out);
  fputs(" on ", out);
  table_print_text(sweep->gpu->name, out);
  fprintf(out, ": %zu workloads of %zu launches\n", evaluation->workload_count, launches(evaluation));
  fprintf(out, "  %zu points: the base, %zu variants, %llu by %s", points->count, sweep->variant_count,
          (unsigned long long)points->sample.count, method_name(sweep));
  if (points->sample.drawn_again > 0)
    fprintf(out, " (%llu more were drawn again)", (unsigned long long)points->sample.drawn_again);
  fprintf(out, "\n  %zu impossible, %zu duplicates, %zu distinct designs\n", points->impossible_count,
          points->count - points->impossible_count - points->design_count, points->design_count);
  if (print_impossible(points, out, error) != 0)
    return -1;
  fprintf(out, "  %zu results, %zu of them known from the journal", points->design_count * evaluation->workload_count,
          plan->known);
  if (session->families.count > 0)
    fprintf(out, "; %zu by timing %zu recorded replays", timed_results(session),
            session->families.count * evaluation->workload_count);
  if (session->intervals.parameter_count > 0)
    fprintf(out, "; %zu more designs for the intervals of %zu parameters", session->intervals.points.design_count,
            session->intervals.parameter_count);
  if (plan->shares > 1)
    fprintf(out, "; share %zu of %zu", plan->share + 1, plan->shares);
  fprintf(out, "; %zu to do: about %.3g s with %d jobs\n", plan->remaining, estimate_s(session, plan),
          session->options->jobs);
  return 0;
}

json_t *sweep_plan_json(const struct sweep_session *session, const struct sweep_plan *plan, bool with_times) {
  const struct points *points = &session->points;
  json_t *object =
      json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "points", (json_int_t)points->count, "variants",
                (json_int_t)session->sweep->variant_count, "samples", (json_int_t)points->sample.count, "drawn_again",
                (json_int_t)points->sample.drawn_again, "impossible", (json_int_t)points->impossible_count,
                "duplicates", (json_int_t)(points->count - points->impossible_count - points->design_count), "designs",
                (json_int_t)points->design_count, "results",
                (json_int_t)(points->design_count * session->evaluation.workload_count), "timed_from_recordings",
                (json_int_t)timed_results(session));
  if (object != NULL && session->intervals.parameter_count > 0)
    json_object_set_new(object, "interval_designs", json_integer((json_int_t)session->intervals.points.design_count));
  if (with_times && object != NULL) {
    json_object_set_new(object, "known", json_integer((json_int_t)plan->known));
    json_object_set_new(object, "remaining", json_integer((json_int_t)plan->remaining));
    json_object_set_new(object, "estimated_s", json_real(estimate_s(session, plan)));
  }
  return object;
}

#include <stdlib.h>
#include <string.h>

#include "dse/answer/scores.h"
#include "dse/run/run.h"
#include "libreassemble/private.h"

struct reassemble_sweep {
  struct sweep *sweep;
  struct points points;
  struct families families;
  struct isa_profile *isa;
  struct evaluation evaluation;
  struct outcomes outcomes;
  struct scores scores;
  double *cycles, *time_ns; /* [workload], of the visited design; one allocation */
};

/* ---- the work ---- */

static int take_workload(struct evaluation *evaluation, const struct reassemble_workload *from, struct error *error) {
  struct evaluation_workload *to = &evaluation->workloads[evaluation->workload_count++];
  to->name = strdup(from->name);
  to->traces = calloc(from->count + 1, sizeof *to->traces);
  if (!to->name || !to->traces)
    return error_no_memory(error);
  for (; to->trace_count < from->count; to->trace_count++)
    to->traces[to->trace_count] = from->traces[to->trace_count]->trace;
  return 0;
}

static int take_workloads(struct reassemble_sweep *s, const struct reassemble_sweep_request *r, struct error *error) {
  if (r->workload_count == 0)
    return error_set(error, ERROR_INPUT, "a sweep needs at least one workload");
  s->evaluation.isa = s->isa;
  s->evaluation.workloads = calloc(r->workload_count, sizeof *s->evaluation.workloads);
  s->cycles = calloc(2 * r->workload_count, sizeof *s->cycles);
  if (!s->evaluation.workloads || !s->cycles)
    return error_no_memory(error);
  s->time_ns = s->cycles + r->workload_count;
  for (uint64_t i = 0; i < r->workload_count; i++)
    if (take_workload(&s->evaluation, &r->workloads[i], error) != 0)
      return -1;
  return outcomes_init(&s->outcomes, s->points.design_count, s->evaluation.workload_count, error);
}

static int evaluate_all(struct reassemble_sweep *s, int jobs, struct error *error) {
  const struct run run = {.points = &s->points,
                          .evaluation = &s->evaluation,
                          .families = &s->families,
                          .outcomes = &s->outcomes,
                          .shares = 1,
                          .jobs = jobs,
                          .quiet = true,
                          .alone = true};
  double seconds;
  return run_base(&run, &seconds, error) == 0 && run_rest(&run, error) == 0
             ? scores_compute(&s->points, &s->outcomes, &s->scores, error)
             : -1;
}

int reassemble_sweep_run(const struct reassemble_sweep_request *request, struct reassemble_sweep **sweep,
                         struct reassemble_error *error) {
  struct error reason = ERROR_INIT;
  struct reassemble_sweep *s = calloc(1, sizeof *s);
  if (!s)
    error_no_memory(&reason);
  else if (sweep_load(request->sweep, &s->sweep, &reason) == 0 &&
           points_enumerate(s->sweep, false, &s->points, &reason) == 0 &&
           families_find(&s->points, request->exact != 0, &s->families, &reason) == 0 &&
           isa_load(s->sweep->gpu->isa, &s->isa, &reason) == 0 && take_workloads(s, request, &reason) == 0)
    evaluate_all(s, request->jobs > 0 ? request->jobs : 1, &reason);
  if (s && reason.kind == ERROR_NONE)
    *sweep = s;
  else
    reassemble_sweep_free(s);
  return api_status(&reason, error);
}

void reassemble_sweep_free(struct reassemble_sweep *sweep) {
  if (!sweep)
    return;
  scores_clear(&sweep->scores);
  outcomes_clear(&sweep->outcomes);
  for (size_t i = 0; i < sweep->evaluation.workload_count; i++) {
    free(sweep->evaluation.workloads[i].name);
    free(sweep->evaluation.workloads[i].traces);
  }
  free(sweep->evaluation.workloads);
  free(sweep->cycles);
  isa_destroy(sweep->isa);
  families_clear(&sweep->families);
  points_clear(&sweep->points);
  sweep_destroy(sweep->sweep);
  free(sweep);
}

/* ---- the results ---- */

static int visit_design(const struct reassemble_sweep *s, size_t d,
                        int (*visit)(const struct reassemble_design *design, void *user), void *user) {
  const size_t workloads = s->evaluation.workload_count;
  char *name = points_name(&s->points, s->points.first_points[d]);
  for (size_t w = 0; w < workloads; w++) {
    s->cycles[w] = outcomes_at(&s->outcomes, d, w)[outcome_value("cycles")];
    s->time_ns[w] = outcomes_at(&s->outcomes, d, w)[outcome_value("time_ns")];
  }
  const struct reassemble_design design = {.point = s->points.first_points[d],
                                           .name = name ? name : "",
                                           .objective = s->scores.objective[d],
                                           .area = s->scores.area[d],
                                           .energy_ratio = s->scores.energy_ratio[d],
                                           .cycles = s->cycles,
                                           .time_ns = s->time_ns,
                                           .speedups = &s->scores.speedups[d * workloads],
                                           .exact = outcomes_all_exact(&s->outcomes, d)};
  const int status = visit(&design, user);
  free(name);
  return status;
}

int reassemble_sweep_each(const struct reassemble_sweep *sweep,
                          int (*visit)(const struct reassemble_design *design, void *user), void *user) {
  int status = 0;
  for (size_t d = 0; d < sweep->points.design_count && status == 0; d++)
    status = visit_design(sweep, d, visit, user);
  return status;
}

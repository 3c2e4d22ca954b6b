#include "cli/dse/sweep_session.h"

#include <stdlib.h>

size_t sweep_score_count(const struct sweep_session *session) {
  return session->sweep->objective == OBJECTIVE_PER_WORKLOAD ? session->evaluation.workload_count : 1;
}

int sweep_score_make(const struct sweep_session *session, size_t number, struct sweep_score *out, struct error *error) {
  const size_t designs = session->points.design_count, workloads = session->evaluation.workload_count;
  const bool each = session->sweep->objective == OBJECTIVE_PER_WORKLOAD;
  *out = (struct sweep_score){.title = each ? session->evaluation.workloads[number].name : NULL,
                              .of = calloc(designs, sizeof *out->of),
                              .first = each ? number : 0,
                              .count = each ? 1 : workloads};
  if (!out->of)
    return error_no_memory(error);
  for (size_t d = 0; d < designs; d++)
    out->of[d] = each ? session->scores.speedups[d * workloads + number] : session->scores.objective[d];
  return 0;
}

void sweep_score_clear(struct sweep_score *score) {
  free(score->of);
  *score = (struct sweep_score){0};
}

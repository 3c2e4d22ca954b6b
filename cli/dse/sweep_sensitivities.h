/* One-at-a-time sensitivities of a sweep with their intervals, as text and as JSON. */
#ifndef CLI_SWEEP_SENSITIVITIES_H
#define CLI_SWEEP_SENSITIVITIES_H

#include "cli/dse/sweep_session.h"

struct run;
/* Finds the results that the intervals need (dse/intervals.h), with a journal of their own unless `run` has none. */
int sweep_sensitivities_run(struct sweep_session *session, const struct run *run, struct error *error);

int sweep_sensitivities_print(const struct sweep_session *session, const struct sweep_score *score, FILE *out,
                              struct error *error);
json_t *sweep_sensitivities_json(const struct sweep_session *session, const struct sweep_score *score);

#endif

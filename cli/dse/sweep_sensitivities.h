/* One-at-a-time sensitivities of a sweep with their intervals. */
#ifndef CLI_SWEEP_SENSITIVITIES_H
#define CLI_SWEEP_SENSITIVITIES_H

#include "cli/core/view.h"
#include "cli/dse/sweep_session.h"

struct run;
/* Finds the results that the intervals need (dse/intervals.h), with a journal of their own unless `run` has none. */
int sweep_sensitivities_run(struct sweep_session *session, const struct run *run, struct error *error);

/* The list "sensitivities". */
int sweep_sensitivities_show(const struct sweep_session *session, const struct sweep_score *score, struct view *view,
                             struct error *error);

#endif

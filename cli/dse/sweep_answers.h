/* The answers of a sweep: speed-ups, Pareto front, targets and sensitivities, as text and JSON. */
#ifndef CLI_SWEEP_ANSWERS_H
#define CLI_SWEEP_ANSWERS_H

#include "cli/core/view.h"
#include "cli/dse/sweep_session.h"

/* Members "answers", "reference" and "diff" of the current object; tables for people. */
int sweep_answers_show(const struct sweep_session *session, struct view *view, struct error *error);

#endif

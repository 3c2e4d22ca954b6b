/* --diff A,B: where the time of one design goes that another does not spend. */
#ifndef CLI_SWEEP_DIFF_H
#define CLI_SWEEP_DIFF_H

#include "cli/core/view.h"
#include "cli/dse/sweep_session.h"

/* Both points are there and possible. */
int sweep_diff_check(const struct sweep_session *session, struct error *error);

/* Both, as designs. */
int sweep_diff_designs(const struct sweep_session *session, uint32_t designs[2], struct error *error);

/* The object "diff". */
int sweep_diff_show(const struct sweep_session *session, struct view *view, struct error *error);

#endif

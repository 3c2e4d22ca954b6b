/* Published predictions (schema reassemble.reference/1, in datasets/predictions) beside those of a sweep: rank
 * correlation and differences, per group of rows and over all. A row's point is a point of the sweep, by name. */
#ifndef CLI_SWEEP_REFERENCE_H
#define CLI_SWEEP_REFERENCE_H

#include "cli/core/view.h"
#include "cli/dse/sweep_session.h"

/* Both do nothing for a sweep without a reference. */
/* Returns 0 if the file is there and names points of the sweep alone. */
int sweep_reference_check(const struct sweep_session *session, struct error *error);
/* The object "reference". */
int sweep_reference_show(const struct sweep_session *session, struct view *view, struct error *error);

#endif

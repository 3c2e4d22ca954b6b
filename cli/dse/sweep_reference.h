/* Other people's predictions (schema reassemble.reference/1, in datasets/predictions), beside ours: rank correlation
 * and differences, per group of rows and over all. A row's point is a point of the sweep, by name. */
#ifndef CLI_SWEEP_REFERENCE_H
#define CLI_SWEEP_REFERENCE_H

#include "cli/dse/sweep_session.h"

/* All three do nothing for a sweep without a reference. The file is there and knows only points of the sweep. */
int sweep_reference_check(const struct sweep_session *session, struct error *error);
int sweep_reference_print(const struct sweep_session *session, FILE *out, struct error *error);
/* Sets "reference" of `object`. */
int sweep_reference_json(const struct sweep_session *session, json_t *object, struct error *error);

#endif

/* rank --explain A,B: two variants beside each other, component by component and source line by source line. */
#ifndef CLI_EXPLAIN_H
#define CLI_EXPLAIN_H

#include "base/error.h"
#include "cli/core/view.h"
#include "cli/replay/replay.h"

/* `names`: "A,B", as the ranking names them. Returns -1 with an error for a name that has no result. */
int explain_find(const struct replay *replay, const char *names, const struct replay_kernel *pair[2],
                 struct error *error);
/* Tables, and the object "explain". Lines of one source file are matched by their numbers, others are listed for each
 * variant. */
int explain_show(const struct replay_kernel *const pair[2], struct view *view, struct error *error);

#endif

/* A simulation's result as members of the current object, the same ones in every command that shows it: "name",
 * "cycles", "time_ns", ..., "cycle_stack", "l1", "l2", "core_cycle_stacks". */
#ifndef CLI_VIEW_RESULT_H
#define CLI_VIEW_RESULT_H

#include "cli/core/view.h"
#include "model/simulate.h"

void view_result(struct view *view, const char *name, const struct sim_result *result);

#endif

/* Races of a launch (trace/statistics/races.h) for people and programs: which lines, which work-items, which bytes. */
#ifndef CLI_RACE_VIEW_H
#define CLI_RACE_VIEW_H

#include "cli/core/view.h"
#include "trace/statistics/races.h"

/* The list "races": a row for each pair of operations and buffer. */
void race_view_show(const struct trace *trace, const struct trace_races *races, struct view *view);
/* Looks at the trace of a small launch whole and at the stores of a larger one until that has taken a few milliseconds,
 * and warns of the first races on standard error. A trace that cannot be read is not looked at. */
void race_view_look(const char *file, uint64_t work_item_instructions);

#endif

/* The table of the launches that were traced, a row each: columns of the text and members of the JSON document. */
#ifndef CLI_TRACE_LAUNCH_TABLE_H
#define CLI_TRACE_LAUNCH_TABLE_H

#include "cli/core/view.h"
#include "tracegen/emulate.h"

void launch_table_begin(struct view *view, struct view_list *list);
/* Adds the launches of the workload. */
void launch_table_show(struct view_list *list, const struct workload *workload, const struct emulate_result *result);
/* Warns on standard error of loads that lay outside of their buffers and gave 0; `name`: of the workload or trace. */
void launch_table_tell_outside(const char *name, const struct emulate_launch *launch);
/* Says on standard error which launches did not run whole, which loads gave 0 and, where their traces are files, which
 * work-items race. */
void launch_table_tell(const struct workload *workload, const struct emulate_result *result, bool files);

#endif

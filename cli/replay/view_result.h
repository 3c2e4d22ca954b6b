/* A simulation's result as members of the current object, the same ones in every command that shows it: "name",
 * "cycles", "time_ns", ..., "cycle_stack", "l1", "l2", "core_cycle_stacks". */
#ifndef CLI_VIEW_RESULT_H
#define CLI_VIEW_RESULT_H

#include "cli/core/text_plot.h"
#include "cli/core/view.h"
#include "cli/replay/replay.h"
#include "model/simulate.h"

/* The member "provenance" (cli/core/provenance.h): of the GPU and of all traces. */
void view_provenance(struct view *view, const struct replay *replay);
void view_result(struct view *view, const char *name, const struct sim_result *result);

/* Cycle stacks of launches as bars in text (cli/core/text_plot.h); JSON gets nothing.
 *
 *   struct stack_plot plot = {.view = view};
 *   stack_plot_add(&plot, name, result);   // for each; name and result are borrowed until the end
 *   stack_plot_end(&plot);
 *
 * Errors: running out of memory is remembered by the view. */
struct stack_plot {
  struct view *view;
  struct text_bar *bars;
  size_t count;
};

void stack_plot_add(struct stack_plot *plot, const char *name, const struct sim_result *result);
void stack_plot_end(struct stack_plot *plot);

#endif

#include "cli/replay/view_result.h"

#include <stdlib.h>

#include "base/array.h"
#include "cli/core/provenance.h"
#include "model/result/result_values.h"

void view_provenance(struct view *view, const struct replay *replay) {
  provenance_begin(view, replay->gpu);
  for (size_t i = 0; i < replay->count; i++)
    if (replay->kernels[i].trace)
      provenance_trace(view, replay->kernels[i].trace);
    else if (replay->kernels[i].origin)
      provenance_origin(view, replay->kernels[i].origin);
  provenance_end(view);
}

static void show_core(struct view *view, const struct sim_stack *stack) {
  double values[SIM_STACK_COUNT];
  sim_stack_values(stack, values);
  view_element_begin(view, "core_cycle_stacks");
  for (size_t c = 0; c < SIM_STACK_COUNT; c++)
    view_member(view, sim_stack_names[c], view_real(values[c]));
  view_object_end(view);
}

void view_result(struct view *view, const char *name, const struct sim_result *result) {
  view_member(view, "name", view_text(name));
  for (size_t i = 0; i < sim_value_count; i++) {
    const double value = sim_value_of(&sim_values[i], result);
    view_member(view, sim_values[i].name, sim_values[i].whole ? view_whole((uint64_t)value) : view_real(value));
  }
  view_array(view, "core_cycle_stacks");
  for (size_t core = 0; core < result->core_count; core++)
    show_core(view, &result->core_stacks[core]);
}

void stack_plot_add(struct stack_plot *plot, const char *name, const struct sim_result *result) {
  double *values = malloc(SIM_STACK_COUNT * sizeof *values);
  if (!values || !array_room_for_one(&plot->bars, plot->count, sizeof *plot->bars)) {
    plot->view->failed = true;
    free(values);
    return;
  }
  sim_stack_values(&result->stack, values);
  plot->bars[plot->count++] = (struct text_bar){.name = name, .values = values};
}

void stack_plot_end(struct stack_plot *plot) {
  view_say(plot->view, "\n");
  text_plot_bars(plot->view, sim_stack_names, SIM_STACK_COUNT, plot->bars, plot->count, "cycles");
  for (size_t i = 0; i < plot->count; i++)
    free((double *)plot->bars[i].values);
  free(plot->bars);
}

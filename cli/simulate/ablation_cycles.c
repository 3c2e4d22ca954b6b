#include "cli/simulate/ablation_cycles.h"

#include <math.h>
#include <stdlib.h>

struct change {
  double sum;               /* cycles of all kernels */
  double mean_percent;      /* geometric mean over the kernels */
  double least, most;       /* percent */
  size_t least_of, most_of; /* kernels */
};

/* Against the full GPU, or for a step against the step before it. A kernel of no cycles changes by nothing. */
static struct change change_of(const struct ablation *ablation, size_t variant) {
  const bool first = variant == 0 || !ablation->variants[variant].mechanism;
  const bool step = ablation->variants[variant].kind == ABLATION_STEP && !first;
  const double *now = ablation->cycles + variant * ablation->kernels;
  const double *before = ablation->cycles + (step ? variant - 1 : 0) * ablation->kernels;
  struct change change = {.least = INFINITY, .most = -INFINITY};
  double logarithms = 0;
  for (size_t i = 0; i < ablation->kernels; i++) {
    const double ratio = now[i] > 0 && before[i] > 0 ? now[i] / before[i] : 1, percent = 100 * (ratio - 1);
    change.sum += now[i];
    logarithms += log(ratio);
    if (percent < change.least)
      change.least_of = i;
    change.least = fmin(change.least, percent);
    if (percent > change.most)
      change.most_of = i;
    change.most = fmax(change.most, percent);
  }
  change.mean_percent = ablation->kernels > 0 ? 100 * (exp(logarithms / (double)ablation->kernels) - 1) : 0;
  return change;
}

static const struct view_column columns[] = {
    ABLATION_COLUMNS,
    {.title = "cycles", .format = "%.0f"},
    {.key = "change_percent", .title = "change %", .format = "%+.1f"},
    {.key = "kernels"},
    {.title = "least %", .format = "%+.1f"},
    {.title = "of"},
    {.title = "most %", .format = "%+.1f"},
    {.title = "of"},
};
enum { COLUMNS = sizeof columns / sizeof columns[0] };

static struct view_value kernels(const struct ablation *ablation, const struct replay *replay, size_t variant,
                                 struct view *view) {
  static const struct view_column kernel_columns[] = {{.key = "name"}, {.key = "cycles"}, {.key = "time_ns"}};
  struct view_list list;
  view_items_begin(view, kernel_columns, 3, &list);
  for (size_t i = 0; i < ablation->kernels; i++) {
    const size_t at = variant * ablation->kernels + i;
    VIEW_ROW(&list, view_text(replay->kernels[i].name), view_real(ablation->cycles[at]),
             view_real(ablation->time_ns[at]));
  }
  return view_items_end(&list);
}

static void add_row(const struct ablation *ablation, size_t variant, struct view_list *list, const void *context) {
  const struct replay *replay = context;
  const struct change change = change_of(ablation, variant);
  const bool several = ablation->kernels > 1;
  char *label = ablation_label(&ablation->variants[variant]);
  struct view_value values[COLUMNS];
  list->view->failed = list->view->failed || !label;
  ablation_values(&ablation->variants[variant], label, values);
  struct view_value *rest = values + ABLATION_COLUMNS_COUNT;
  rest[0] = view_real(change.sum);
  rest[1] = view_real(change.mean_percent);
  rest[2] = kernels(ablation, replay, variant, list->view);
  rest[3] = several ? view_real(change.least) : view_absent();
  rest[4] = several ? view_text(replay->kernels[change.least_of].name) : view_absent();
  rest[5] = several ? view_real(change.most) : view_absent();
  rest[6] = several ? view_text(replay->kernels[change.most_of].name) : view_absent();
  view_row(list, values, COLUMNS);
  free(label);
}

void ablation_cycles_show(const struct ablation *ablation, const struct replay *replay, struct view *view) {
  ablation_show(ablation, view, columns, COLUMNS, add_row, replay);
}

/* Functional statistics of a launch: the rows of trace/statistics/statistics.h. */
#include "cli/info/info.h"

#include <stdio.h>

struct row {
  const char *name, *meaning;
};

static const struct row rows[] = {
#define X(field, name, meaning) {name, meaning},
    STATISTICS_COUNTS(X)
#undef X
};

enum { ROW_COUNT = sizeof rows / sizeof rows[0] };

static void values_of(const struct statistics *s, uint64_t values[ROW_COUNT]) {
  int i = 0;
#define X(field, name, meaning) values[i++] = s->field;
  STATISTICS_COUNTS(X)
#undef X
}

static double per(uint64_t part, uint64_t whole) {
  return whole > 0 ? (double)part / (double)whole : 0;
}

static void show(struct view *view, struct view_list *list, const char *name, struct view_value value,
                 const char *meaning) {
  view_member(view, name, value);
  VIEW_ROW(list, view_text(name), value, view_text(meaning));
}

void info_statistics_show(const struct statistics *s, struct view *view) {
  static const struct view_column columns[] = {
      {.title = "statistic"}, {.title = "value", .format = "%.2f"}, {.title = "meaning"}};
  uint64_t values[ROW_COUNT];
  char divergence[128];
  struct view_list list;
  snprintf(divergence, sizeof divergence, "divergent warps of all warps, warps of %u work-items", s->warp_size);
  values_of(s, values);
  view_object_begin(view, "statistics");
  view_list_begin(view, NULL, columns, 3, &list);
  view_member(view, "warp_size", view_whole(s->warp_size));
  for (int i = 0; i < ROW_COUNT; i++)
    show(view, &list, rows[i].name, view_whole(values[i]), rows[i].meaning);
  show(view, &list, "divergence_percentage", view_real(s->divergence_percentage), divergence);
  show(view, &list, "blocks_per_work_item", view_real(per(s->blocks, s->work_items)), "on average");
  show(view, &list, "instructions_per_block", view_real(per(s->instructions, s->blocks)),
       "on average over the executions");
  view_list_end(&list);
  view_object_end(view);
}

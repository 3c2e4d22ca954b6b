/* Shows the scores of a tuning on a few kernels beside those of a tuning on all. */
#include "cli/tune/tune_view.h"

#include <stdio.h>

/* Returns the kernels that representative `k` stands for; JSON lists the representative among them, text does not. */
static struct view_value members(const struct tune_report *r, size_t k, const struct view *view, char *text,
                                 size_t size) {
  const struct subset *s = r->subset;
  json_t *names = view_is_json(view) ? json_array() : NULL;
  size_t used = 0;
  text[0] = '\0';
  for (size_t i = 0; i < r->board->count; i++) {
    const char *name = r->board->measurements[i].name;
    if (s->cluster[i] != k)
      continue;
    if (names)
      json_array_append_new(names, json_string(name));
    else if (i != s->representatives[k] && used < size)
      used += (size_t)snprintf(text + used, size - used, "%s%s", used > 0 ? ", " : "", name);
  }
  return names ? view_json(names) : view_text(text);
}

static void show_representatives(const struct tune_report *r, struct view *view) {
  static const struct view_column columns[] = {{.key = "name", .title = "representative"},
                                               {.key = "weight", .title = "weight", .format = "%d"},
                                               {.key = "members", .title = "stands for"}};
  const struct subset *s = r->subset;
  struct view_list list;
  char text[512];
  view_list_begin(view, "representatives", columns, 3, &list);
  for (size_t k = 0; k < s->count; k++)
    VIEW_ROW(&list, view_text(r->board->measurements[s->representatives[k]].name), view_whole(s->weights[k]),
             members(r, k, view, text, sizeof text));
  view_list_end(&list);
}

static void show_scores(const struct tune_report *r, struct view *view) {
  const struct subset *s = r->subset;
  char own[64], others[64];
  struct view_list map;
  snprintf(own, sizeof own, "tuned to the %zu, on these", s->count);
  snprintf(others, sizeof others, "  on the other %zu", r->board->count - s->count);
  view_say(view, "\n");
  tune_scores_begin(view, "subset", &map); /* beside the other members of the object */
  tune_score_row(&map, "in_sample", own, &s->inside);
  tune_score_row(&map, "rest", others, &s->rest);
  tune_score_row(&map, "all", "  on all", &s->all);
  tune_score_row(&map, NULL, "tuned to all, on all", &r->tune->score);
  view_list_end(&map);
}

void tune_subset_show(const struct tune_report *r, struct view *view) {
  const struct subset *s = r->subset;
  if (!s) {
    view_member(view, "subset", view_null());
    return;
  }
  view_say(view, "\n%zu kernels for all, chosen by what they do (%.3g %% of the issue slots):\n", s->count,
           r->subset_work_percent);
  view_object_begin(view, "subset");
  show_representatives(r, view);
  view_member(view, "issue_slots_percent", view_real(r->subset_work_percent));
  view_object_begin(view, "parameters");
  for (size_t i = 0; i < r->tune->setup.space->count; i++)
    view_member(view, r->tune->setup.space->axes[i].param->key, view_real(s->tuned[i]));
  view_object_end(view);
  view_object_end(view);
  show_scores(r, view);
}

/* What a tuning of a few kernels reaches beside one of all, for people. */
#include "cli/tune/tune_report.h"

#include <math.h>
#include <stdio.h>

#include "cli/core/table.h"

static void add_row(struct table *table, const char *name, const struct score *score) {
  table_add(table, "%s", name);
  table_add(table, "%.1f", score->mape_percent);
  if (isfinite(score->spearman))
    table_add(table, "%.3f", score->spearman);
  else
    table_add(table, "n/a");
}

static int print_scores(const struct tune_report *r, struct error *error) {
  const struct subset *s = r->subset;
  char own[64], others[64];
  struct table *table = table_create((struct table_column[]){{"", false}, {"MAPE %", true}, {"Spearman", true}}, 3);
  snprintf(own, sizeof own, "tuned to the %zu, on these", s->count);
  snprintf(others, sizeof others, "  on the other %zu", r->board->count - s->count);
  add_row(table, own, &s->inside);
  add_row(table, others, &s->rest);
  add_row(table, "  on all", &s->all);
  add_row(table, "tuned to all, on all", &r->tune->score);
  const int status = table_print(table, stdout, error);
  table_destroy(table);
  return status;
}

int tune_print_subset(const struct tune_report *r, struct error *error) {
  const struct subset *s = r->subset;
  struct table *table =
      table_create((struct table_column[]){{"representative", false}, {"weight", true}, {"stands for", false}}, 3);
  printf("\n%zu kernels for all, chosen by what they do (%.3g %% of the issue slots):\n", s->count,
         r->subset_work_percent);
  for (size_t k = 0; k < s->count; k++) {
    char members[512] = "";
    size_t used = 0;
    for (size_t i = 0; i < r->board->count && used + 1 < sizeof members; i++)
      if (s->cluster[i] == k && i != s->representatives[k])
        used += (size_t)snprintf(members + used, sizeof members - used, "%s%s", used > 0 ? ", " : "",
                                 r->board->measurements[i].name);
    table_add(table, "%s", r->board->measurements[s->representatives[k]].name);
    table_add(table, "%zu", s->weights[k]);
    table_add(table, "%s", members);
  }
  const int status = table_print(table, stdout, error);
  table_destroy(table);
  putchar('\n');
  return status == 0 ? print_scores(r, error) : -1;
}

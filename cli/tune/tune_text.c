/* The result of `tune` for people. */
#include "cli/tune/tune_report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/core/table.h"

static void add_number(struct table *table, const char *format, double value) {
  char text[64] = "n/a";
  if (isfinite(value))
    snprintf(text, sizeof text, format, value);
  table_add(table, "%s", text);
}

static void print_head(const struct tune_report *r) {
  const struct tune *t = r->tune;
  const char *const parts[] = {
      r->gpu->name, " tuned to ", r->board->name, " (", r->board->statistic, ", ", r->board->unit, ")", NULL};
  for (const char *const *part = parts; *part != NULL; part++)
    table_print_text(*part, stdout);
  printf("\nmethod %s, objective %s", t->setup.method->name, r->objective);
  if (t->setup.penalty_percent > 0)
    printf(", penalty %g %%", t->setup.penalty_percent);
  if (r->cv != NULL)
    printf(", held out by %s", r->cv);
  printf(", seed %llu: %zu evaluations, %zu of them exact, of %zu kernels\n\n", (unsigned long long)t->setup.seed,
         tune_evaluations(t), t->evaluator.asked, t->setup.predictor->count);
}

/* ---- parameters ---- */

static int print_parameters(const struct tune_report *r, struct error *error) {
  const struct tune *t = r->tune;
  struct table *table = table_create((struct table_column[]){{"parameter", false},
                                                             {"start", true},
                                                             {"tuned", true},
                                                             {"interval", false},
                                                             {"range", false},
                                                             {"note", false}},
                                     6);
  for (size_t i = 0; i < t->setup.space->count; i++) {
    const struct space_axis *axis = &t->setup.space->axes[i];
    const struct interval *interval = &t->parameter_intervals[i];
    table_add(table, "%s", axis->row->key);
    table_add(table, "%.4g", axis->start);
    table_add(table, "%.4g", t->tuned[i]);
    if (t->replicas > 0)
      table_add(table, "%.4g..%.4g", interval->low, interval->high);
    else
      table_add(table, "-");
    table_add(table, "%.4g..%.4g", axis->low, axis->high);
    table_add(table, "%s", t->inert[i] ? "moves no prediction" : tune_at_bound(t, i) ? "at the end of its range" : "");
  }
  const int status = table_print(table, stdout, error);
  table_destroy(table);
  return status;
}

/* ---- scores ---- */

static void add_score(struct table *table, const char *name, const struct score *score) {
  table_add(table, "%s", name);
  add_number(table, "%.1f", score->mape_percent);
  add_number(table, "%.1f", score->mape_percent_without_largest);
  add_number(table, "%.3f", score->pearson);
  add_number(table, "%.3f", score->spearman);
  add_number(table, "%.3f", score->kendall);
}

static int print_scores(const struct tune_report *r, struct error *error) {
  const struct tune *t = r->tune;
  struct table *table = table_create((struct table_column[]){{"", false},
                                                             {"MAPE %", true},
                                                             {"without largest", true},
                                                             {"Pearson", true},
                                                             {"Spearman", true},
                                                             {"Kendall", true}},
                                     6);
  struct score constant = {.mape_percent = t->score.constant_baseline_mape_percent,
                           .mape_percent_without_largest = NAN,
                           .pearson = NAN,
                           .spearman = NAN,
                           .kendall = NAN};
  add_score(table, "tuned, in sample", &t->score);
  if (t->held_out != NULL)
    add_score(table, "tuned, held out", &t->held_out_score);
  add_score(table, "start values", &t->start_score);
  add_score(table, "constant guess", &constant);
  add_score(table, "work-item instructions", &r->work_items);
  if (t->held_out != NULL)
    add_score(table, "the same, held out", &r->work_items_held_out);
  add_score(table, "issue slots", &r->issue_slots);
  if (t->held_out != NULL)
    add_score(table, "the same, held out", &r->issue_slots_held_out);
  putchar('\n');
  const int status = table_print(table, stdout, error);
  table_destroy(table);
  return status;
}

/* ---- kernels ---- */

static double error_percent(double predicted, double measured) {
  return 100 * (predicted - measured) / measured;
}

static int print_kernels(const struct tune_report *r, struct error *error) {
  const struct tune *t = r->tune;
  struct table *table = table_create((struct table_column[]){{"kernel", false},
                                                             {"measured", true},
                                                             {"start %", true},
                                                             {"tuned", true},
                                                             {"error %", true},
                                                             {t->held_out != NULL ? "held out" : "", true},
                                                             {t->held_out != NULL ? "error %" : "", true},
                                                             {t->replicas > 0 ? "interval" : "", false}},
                                     8);
  for (size_t i = 0; i < r->board->count; i++) {
    const double m = t->setup.measured[i];
    table_add(table, "%s", r->board->measurements[i].name);
    table_add(table, "%.0f", m);
    table_add(table, "%+.1f", error_percent(t->start_predictions[i], m));
    table_add(table, "%.0f", t->predictions[i]);
    table_add(table, "%+.1f", error_percent(t->predictions[i], m));
    if (t->held_out != NULL) {
      add_number(table, "%.0f", t->held_out[i]);
      add_number(table, "%+.1f", error_percent(t->held_out[i], m));
    } else {
      table_add(table, "%s", "");
      table_add(table, "%s", "");
    }
    if (t->replicas > 0)
      table_add(table, "%.0f..%.0f", t->prediction_intervals[i].low, t->prediction_intervals[i].high);
    else
      table_add(table, "%s", "");
  }
  putchar('\n');
  const int status = table_print(table, stdout, error);
  table_destroy(table);
  return status;
}

static void print_notes(const struct tune *t) {
  if (t->replicas > 0)
    printf("\nIntervals: 95 %% of %zu replicas with errors as large as those of the fit; they assume a model that is "
           "right "
           "but for its parameters.\n",
           t->replicas);
  if (t->nothing_moves)
    puts("\nNo parameter moves the objective, at neither end of its range: nothing was searched.");
  if (t->underdetermined)
    printf("\nForced: %zu measurements cannot determine %zu parameters; other values fit as well.\n",
           t->setup.predictor->count, t->setup.space->count);
}

int tune_print_text(const struct tune_report *report, struct error *error) {
  print_head(report);
  if (print_parameters(report, error) != 0 || print_scores(report, error) != 0 || print_kernels(report, error) != 0 ||
      (report->identification->axis_count > 0 && tune_print_identity(report, error) != 0))
    return -1;
  if (report->subset != NULL && tune_print_subset(report, error) != 0)
    return -1;
  print_notes(report->tune);
  return 0;
}

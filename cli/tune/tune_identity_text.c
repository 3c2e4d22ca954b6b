/* Which parameters the data determine, for people. */
#include "cli/tune/tune_report.h"

#include <math.h>
#include <stdio.h>

#include "cli/core/table.h"

static void add_cost(struct table *table, double value) {
  char text[32] = "-";
  if (isfinite(value))
    snprintf(text, sizeof text, "%.2f", value);
  table_add(table, "%s", text);
}

static int print_table(const struct tune_report *r, struct error *error) {
  const struct identification *id = r->identification;
  struct table *table = table_create((struct table_column[]){{"parameter", false},
                                                             {"moves times %/%", true},
                                                             {"error per 1 %", true},
                                                             {"objective at x0.5", true},
                                                             {"x0.8", true},
                                                             {"x1.25", true},
                                                             {"x2", true},
                                                             {"others refitted x0.5", true},
                                                             {"x2", true},
                                                             {"", false}},
                                     10);
  for (size_t a = 0; a < id->axis_count; a++) {
    const size_t p = id->axes[a];
    const struct identity *identity = &id->identities[p];
    table_add(table, "%s", r->tune->setup.space->axes[p].row->key);
    table_add(table, "%.3f", identity->sensitivity);
    if (identity->amplification < 1000)
      table_add(table, "%.1f %%", identity->amplification);
    else
      table_add(table, "> 1000 %%");
    for (int s = 0; s < PROFILE_STEPS; s++)
      add_cost(table, identity->fixed[s]);
    add_cost(table, identity->refitted[0]);
    add_cost(table, identity->refitted[PROFILE_STEPS - 1]);
    table_add(table, "%s", identity->amplification >= undetermined_amplification ? "not determined" : "");
  }
  const int status = table_print(table, stdout, error);
  table_destroy(table);
  return status;
}

static void print_pairs(const struct tune_report *r) {
  const struct identification *id = r->identification;
  const struct space *space = r->tune->setup.space;
  for (size_t a = 0; a < id->axis_count; a++) {
    for (size_t b = a + 1; b < id->axis_count; b++) {
      const double c = id->correlation[id->axes[a]][id->axes[b]];
      if (fabs(c) >= trade_off_correlation)
        printf("%s and %s trade off (correlation %+.2f): the data determine them only together\n",
               space->axes[id->axes[a]].row->key, space->axes[id->axes[b]].row->key, c);
    }
  }
}

static void print_flat(const struct tune_report *r) {
  const struct identification *id = r->identification;
  static const double least_component = 0.2; /* of a unit vector */
  for (size_t i = 0; i < id->flat_count; i++) {
    fputs("flat direction:", stdout);
    for (size_t a = 0; a < id->axis_count; a++) {
      const double component = id->flat[i][id->axes[a]];
      if (fabs(component) >= least_component)
        printf(" %+.2f %s", component, r->tune->setup.space->axes[id->axes[a]].row->key);
    }
    putchar('\n');
  }
}

int tune_print_identity(const struct tune_report *report, struct error *error) {
  printf("\nWhat the data determine, at the tuned values (objective %.2f):\n", report->tune->cost);
  if (print_table(report, error) != 0)
    return -1;
  print_pairs(report);
  print_flat(report);
  return 0;
}

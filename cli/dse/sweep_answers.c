/* Answers of a sweep as text. */
#include "cli/dse/sweep_answers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/dse/sweep_diff.h"
#include "cli/dse/sweep_reference.h"
#include "cli/dse/sweep_sensitivities.h"
#include "cli/core/table.h"
#include "dse/answer/answers.h"
#include "dse/answer/pareto.h"
#include "dse/answer/results.h"

enum { FRONT_SHOWN = 40, TARGETS_SHOWN = 10 /* at most TARGETS_LISTED */, PAIRS_SHOWN = 5, POINTS_SHOWN = 40 };

static void add_number(struct table *table, const char *format, double value) {
  char text[64];
  snprintf(text, sizeof text, format, value);
  table_add(table, "%s", isnan(value) ? "n/a" : text);
}

static void add_name(struct table *table, const struct points *points, size_t design) {
  char *name = points_name(points, points->first_points[design]);
  table_add(table, "%s", name != NULL ? name : "?");
  free(name);
}

static int finish(struct table *table, FILE *out, struct error *error) {
  const int status = table_print(table, out, error);
  table_destroy(table);
  return status;
}

static int print_main_effects(const struct points *points, const struct effects *effects, FILE *out,
                              struct error *error) {
  const struct sweep *sweep = points->sweep;
  fprintf(out, "\nMain effects: mean speed-up of the samples with a value, over that of all samples\n");
  if (points->impossible_count > 0)
    fprintf(out, "%zu points are impossible: values also get the effects of those that they go along with\n",
            points->impossible_count);
  struct table *table =
      table_create((struct table_column[]){{"value", false}, {"factor", true}, {"share of the variance %", true}}, 3);
  for (size_t a = 0; a < sweep->axis_count; a++)
    for (size_t v = 0; v < sweep->axes[a].value_count; v++) {
      table_add(table, "%s", sweep->axes[a].labels[v]);
      add_number(table, "%.3f", exp(effects->means[a][v]));
      if (v == 0)
        add_number(table, "%.1f", 100 * effects->shares[a]);
      else
        table_add(table, "%s", "");
    }
  return finish(table, out, error);
}

struct pair {
  size_t a, b;
  double share;
};

static int largest_first(const void *x, const void *y) {
  const struct pair *p = x, *q = y;
  if (p->share != q->share)
    return p->share > q->share ? -1 : 1;
  return p->a != q->a ? (p->a > q->a) - (p->a < q->a) : (p->b > q->b) - (p->b < q->b);
}

static int print_interactions(const struct sweep *sweep, const struct effects *effects, FILE *out,
                              struct error *error) {
  const size_t axes = sweep->axis_count;
  struct pair pairs[SWEEP_MOST_AXES * SWEEP_MOST_AXES / 2];
  size_t count = 0;
  for (size_t a = 0; a < axes; a++)
    for (size_t b = a + 1; b < axes; b++)
      if (!isnan(effects->pair_shares[a * axes + b]))
        pairs[count++] = (struct pair){a, b, effects->pair_shares[a * axes + b]};
  if (count == 0)
    return 0;
  qsort(pairs, count, sizeof *pairs, largest_first);
  fprintf(out, "\nInteractions: what two axes together explain beyond both\n");
  struct table *table =
      table_create((struct table_column[]){{"axis", false}, {"with", false}, {"share of the variance %", true}}, 3);
  for (size_t i = 0; i < count && i < PAIRS_SHOWN; i++) {
    table_add(table, "%s", sweep->axes[pairs[i].a].name);
    table_add(table, "%s", sweep->axes[pairs[i].b].name);
    table_add(table, "%.2f", 100 * pairs[i].share);
  }
  return finish(table, out, error);
}

static int print_effects(const struct sweep_session *session, const double *score, FILE *out, struct error *error) {
  struct effects effects = {0};
  bool any;
  if (answer_effects(&session->points, score, &effects, &any, error) != 0)
    return -1;
  int status = 0;
  if (any && (print_main_effects(&session->points, &effects, out, error) != 0 ||
              print_interactions(session->sweep, &effects, out, error) != 0))
    status = -1;
  effects_clear(&effects);
  return status;
}

static int print_designs(const struct sweep_session *session, const double *score, const size_t *designs, size_t count,
                         size_t shown, FILE *out, struct error *error) {
  struct table *table = table_create(
      (struct table_column[]){
          {"area", true}, {"of the base's", true}, {"speed-up", true}, {"energy", true}, {"point", false}},
      5);
  for (size_t i = 0; i < count && i < shown; i++) {
    const size_t d = designs[i];
    add_number(table, "%.1f", session->scores.area[d]);
    add_number(table, "%.2f", session->scores.area[d] / session->scores.area[0]);
    add_number(table, "%.3f", score[d]);
    add_number(table, "%.2f", session->scores.energy_ratio[d]);
    add_name(table, &session->points, d);
  }
  const int status = finish(table, out, error);
  if (count > shown)
    fprintf(out, "... and %zu more (results.json)\n", count - shown);
  return status;
}

static int print_front(const struct sweep_session *session, const double *score, FILE *out, struct error *error) {
  size_t count, *front = calloc(session->points.design_count, sizeof *front);
  if (front == NULL || pareto_front(session->scores.area, score, session->points.design_count, front, &count) != 0) {
    free(front);
    return error_set(error, ERROR_WORK, "out of memory");
  }
  fprintf(out, "\nPareto front: speed-up against area (proxy), %zu of %zu designs\n", count,
          session->points.design_count);
  const int status = print_designs(session, score, front, count, FRONT_SHOWN, out, error);
  free(front);
  return status;
}

static int print_targets(const struct sweep_session *session, const double *score, FILE *out, struct error *error) {
  const size_t designs = session->points.design_count;
  size_t count, *reach = calloc(designs, sizeof *reach);
  int status = reach != NULL ? 0 : error_set(error, ERROR_WORK, "out of memory");
  for (size_t t = 0; t < session->sweep->target_count && status == 0; t++) {
    const double target = session->sweep->targets[t];
    if (pareto_reach(session->scores.area, score, designs, target, reach, &count) != 0)
      status = error_set(error, ERROR_WORK, "out of memory");
    else if (count == 0)
      fprintf(out, "\nTarget %.4g: no design reaches it\n", target);
    else {
      fprintf(out, "\nTarget %.4g: reached by %zu designs, the cheapest first\n", target, count);
      status = print_designs(session, score, reach, count, TARGETS_SHOWN, out, error);
    }
  }
  free(reach);
  return status;
}

static int print_points(const struct sweep_session *session, const double *score, FILE *out, struct error *error) {
  const struct points *points = &session->points;
  if (session->sweep->variant_count == 0 || session->sweep->reference != NULL)
    return 0;
  fprintf(out, "\nVariants\n");
  struct table *table =
      table_create((struct table_column[]){{"point", false}, {"speed-up", true}, {"area", true}, {"energy", true}}, 4);
  for (size_t v = 0; v < session->sweep->variant_count && v < POINTS_SHOWN; v++) {
    const uint32_t design = points->designs[1 + v];
    table_add(table, "%s", session->sweep->variants[v].name);
    add_number(table, "%.3f", design != POINT_IMPOSSIBLE ? score[design] : NAN);
    add_number(table, "%.1f", design != POINT_IMPOSSIBLE ? session->scores.area[design] : NAN);
    add_number(table, "%.2f", design != POINT_IMPOSSIBLE ? session->scores.energy_ratio[design] : NAN);
  }
  return finish(table, out, error);
}

/* All answers to one score per design. */
static int print_score(const struct sweep_session *session, const struct sweep_score *score, FILE *out,
                       struct error *error) {
  fputs("Score: ", out);
  table_print_text(score->title, out);
  putc('\n', out);
  return print_points(session, score->of, out, error) || sweep_sensitivities_print(session, score, out, error) ||
                 print_effects(session, score->of, out, error) || print_front(session, score->of, out, error) ||
                 print_targets(session, score->of, out, error)
             ? -1
             : 0;
}

int sweep_answers_print(const struct sweep_session *session, FILE *out, struct error *error) {
  static const char *const meanings[] = {
#define X(id, name, meaning) meaning,
      SWEEP_OBJECTIVES(X)
#undef X
  };
  struct sweep_score score;
  int status = 0;
  for (size_t i = 0; i < sweep_score_count(session) && status == 0; i++) {
    if (i > 0)
      putc('\n', out);
    status = sweep_score_make(session, i, &score, error);
    if (score.title == NULL)
      score.title = meanings[session->sweep->objective];
    if (status == 0)
      status = print_score(session, &score, out, error);
    sweep_score_clear(&score);
  }
  if (status == 0)
    status = sweep_reference_print(session, out, error);
  if (status == 0 && session->own->diff != NULL)
    status = sweep_diff_print(session, out, error);
  if (status == 0)
    fprintf(out, "\nAll points: %s/results.csv, %s/results.json\n", session->output, session->output);
  if (status == 0 && session->points.impossible_count > 0)
    fprintf(out, "Impossible: %zu points, with reasons in %s/impossible.csv\n", session->points.impossible_count,
            session->output);
  return status;
}

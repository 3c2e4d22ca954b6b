#include "cli/simulate/ablation_report.h"

#include <math.h>
#include <stdlib.h>

#include "base/progress.h"
#include "base/text.h"
#include "cli/core/command.h"
#include "cli/core/table.h"

/* ---- replays ---- */

static void simulate_one(struct ablation *ablation, const struct replay *replay, const struct isa_profile *isa,
                         size_t at, struct error *error) {
  struct sim_result result;
  const size_t variant = at / ablation->kernels, kernel = at % ablation->kernels;
  if (simulate(replay->kernels[kernel].trace, isa, &ablation->variants[variant].spec, &result, error) != 0)
    return;
  ablation->cycles[at] = result.cycles;
  ablation->time_ns[at] = result.time_ns;
  sim_result_clear(&result);
}

static int report_error(const struct ablation *ablation, const struct replay *replay, const struct error *errors,
                        struct error *error) {
  for (size_t at = 0; at < ablation->count * ablation->kernels; at++)
    if (errors[at].kind != ERROR_NONE) {
      const struct ablation_variant *variant = &ablation->variants[at / ablation->kernels];
      char *label = ablation_label(variant);
      error_set(error, errors[at].kind, "%s, %s: %s", replay->kernels[at % ablation->kernels].name,
                label != NULL ? label : "", errors[at].text);
      free(label);
      return -1;
    }
  return 0;
}

static int simulate_all(struct ablation *ablation, const struct replay *replay, const struct isa_profile *isa, int jobs,
                        bool quiet, struct error *error) {
  const size_t all = ablation->count * ablation->kernels;
  struct error *errors = calloc(all, sizeof *errors);
  if (errors == NULL)
    return error_set(error, ERROR_WORK, "out of memory");
  struct progress progress;
  progress_start(&progress, "ablating", "replays", all - ablation->kernels, quiet);
  (void)jobs; /* without OpenMP there is one thread */
#pragma omp parallel for schedule(dynamic, 1) num_threads(jobs)
  for (size_t at = ablation->kernels; at < all; at++) {
    simulate_one(ablation, replay, isa, at, &errors[at]);
    progress_add(&progress, 1);
  }
  progress_end(&progress);
  const int status = report_error(ablation, replay, errors, error);
  free(errors);
  return status;
}

int ablation_run(struct ablation *ablation, const struct replay *replay, int jobs, bool quiet, struct error *error) {
  struct isa_profile *isa;
  *ablation = (struct ablation){.kernels = replay->count};
  if (ablation_list(&replay->gpu->spec, &ablation->variants, &ablation->count, error) != 0 ||
      isa_load(replay->gpu->isa, &isa, error) != 0) {
    ablation_clear(ablation);
    return -1;
  }
  const size_t all = ablation->count * ablation->kernels;
  ablation->cycles = calloc(2 * all, sizeof *ablation->cycles);
  int status = ablation->cycles != NULL ? 0 : error_set(error, ERROR_WORK, "out of memory");
  if (status == 0) {
    ablation->time_ns = ablation->cycles + all;
    for (size_t i = 0; i < replay->count; i++) {
      ablation->cycles[i] = replay->kernels[i].result.cycles;
      ablation->time_ns[i] = replay->kernels[i].result.time_ns;
    }
    status = simulate_all(ablation, replay, isa, jobs, quiet, error);
  }
  isa_destroy(isa);
  if (status != 0)
    ablation_clear(ablation);
  return status;
}

void ablation_clear(struct ablation *ablation) {
  free(ablation->variants);
  free(ablation->cycles);
  *ablation = (struct ablation){0};
}

/* ---- names ---- */

static const char *const kind_names[] = {
    [ABLATION_FULL] = "all", [ABLATION_WITHOUT] = "without", [ABLATION_STEP] = "step"};

char *ablation_label(const struct ablation_variant *variant) {
  static const char *const prefix[] = {[ABLATION_FULL] = "", [ABLATION_WITHOUT] = "without ", [ABLATION_STEP] = "+ "};
  return text_format("%s%s", variant->mechanism != NULL ? prefix[variant->kind] : "", ablation_name(variant));
}

json_t *ablation_variant_json(const struct ablation_variant *variant) {
  return json_pack("{s:s, s:s?, s:s?}", "kind", kind_names[variant->kind], "mechanism",
                   variant->mechanism != NULL ? variant->mechanism->name : NULL, "meaning",
                   variant->mechanism != NULL ? variant->mechanism->meaning : NULL);
}

/* ---- how cycles change ---- */

struct change {
  double sum;               /* cycles of all kernels */
  double mean_percent;      /* geometric mean over the kernels */
  double least, most;       /* percent */
  size_t least_of, most_of; /* kernels */
};

/* Against the full GPU, or for a step against the step before it. A kernel of no cycles changes by nothing. */
static struct change change_of(const struct ablation *ablation, size_t variant) {
  const bool first = variant == 0 || ablation->variants[variant].mechanism == NULL;
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

static void add_change(struct table *table, const struct ablation *ablation, const struct replay *replay,
                       size_t variant) {
  const struct change change = change_of(ablation, variant);
  char *label = ablation_label(&ablation->variants[variant]);
  table_add(table, "%s", label != NULL ? label : "?");
  free(label);
  table_add(table, "%.0f", change.sum);
  table_add(table, "%+.1f", change.mean_percent);
  if (ablation->kernels == 1)
    return;
  table_add(table, "%+.1f", change.least);
  table_add(table, "%s", replay->kernels[change.least_of].name);
  table_add(table, "%+.1f", change.most);
  table_add(table, "%s", replay->kernels[change.most_of].name);
}

static int print_kind(const struct ablation *ablation, const struct replay *replay, bool steps, struct error *error) {
  const struct table_column columns[] = {{steps ? "added one by one" : "one off in turn", false},
                                         {"cycles", true},
                                         {"change %", true},
                                         {"least %", true},
                                         {"of", false},
                                         {"most %", true},
                                         {"of", false}};
  struct table *table = table_create(columns, ablation->kernels == 1 ? 3 : sizeof columns / sizeof columns[0]);
  for (size_t v = 0; v < ablation->count; v++)
    if ((ablation->variants[v].kind == ABLATION_STEP) == steps)
      add_change(table, ablation, replay, v);
  const int status = table_print(table, stdout, error);
  table_destroy(table);
  return status;
}

int ablation_print_cycles(const struct ablation *ablation, const struct replay *replay, struct error *error) {
  if (print_kind(ablation, replay, false, error) != 0)
    return -1;
  putchar('\n');
  return print_kind(ablation, replay, true, error);
}

static json_t *kernels_json(const struct ablation *ablation, const struct replay *replay, size_t variant) {
  json_t *list = json_array();
  for (size_t i = 0; i < ablation->kernels; i++) {
    const size_t at = variant * ablation->kernels + i;
    json_array_append_new(list, json_pack("{s:o, s:f, s:f}", "name", command_json_text(replay->kernels[i].name),
                                          "cycles", ablation->cycles[at], "time_ns", ablation->time_ns[at]));
  }
  return list;
}

json_t *ablation_cycles_json(const struct ablation *ablation, const struct replay *replay) {
  json_t *list = json_array();
  for (size_t v = 0; v < ablation->count; v++) {
    json_t *variant = ablation_variant_json(&ablation->variants[v]);
    json_object_set_new(variant, "change_percent", json_real(change_of(ablation, v).mean_percent));
    json_object_set_new(variant, "kernels", kernels_json(ablation, replay, v));
    json_array_append_new(list, variant);
  }
  return list;
}

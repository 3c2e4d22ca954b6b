#include "cli/replay/ablation_run.h"

#include <stdlib.h>
#include <string.h>

#include "base/progress.h"
#include "base/text.h"

/* ---- replays ---- */

/* Replays a kernel on a variant, unless the result is known. */
static int replay_on_variant(const struct replay *replay, size_t kernel, size_t variant, const struct gpu_spec *spec,
                             const struct isa_profile *isa, struct sim_result *result, struct error *error) {
  const int known = replay_recall(replay, kernel, variant, result, error);
  if (known != 0)
    return known > 0 ? 0 : -1;
  struct trace *trace = replay_trace_begin(replay, kernel, error);
  if (!trace)
    return -1;
  int status = simulate(trace, isa, spec, result, error);
  replay_trace_end(replay, kernel, trace);
  if (status == 0 && replay_keep(replay, kernel, variant, result, error) != 0) {
    sim_result_clear(result);
    status = -1;
  }
  return status;
}

static void simulate_one(struct ablation *ablation, const struct replay *replay, const struct isa_profile *isa,
                         size_t at, struct error *error) {
  struct sim_result result = {0};
  const size_t variant = at / ablation->kernels, kernel = at % ablation->kernels;
  if (replay_on_variant(replay, kernel, variant, &ablation->variants[variant].spec, isa, &result, error) != 0)
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
      error_set(error, errors[at].kind, "%s, %s: %s", replay->kernels[at % ablation->kernels].name, label ? label : "",
                errors[at].text);
      free(label);
      return -1;
    }
  return 0;
}

static int simulate_all(struct ablation *ablation, const struct replay *replay, const struct isa_profile *isa, int jobs,
                        bool quiet, struct error *error) {
  const size_t all = ablation->count * ablation->kernels;
  struct error *errors = calloc(all, sizeof *errors);
  if (!errors)
    return error_no_memory(error);
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
  int status = ablation->cycles ? 0 : error_no_memory(error);
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

/* ---- rows ---- */

char *ablation_label(const struct ablation_variant *variant) {
  static const char *const prefix[] = {[ABLATION_FULL] = "", [ABLATION_WITHOUT] = "without ", [ABLATION_STEP] = "+ "};
  return text_format("%s%s", variant->mechanism ? prefix[variant->kind] : "", ablation_name(variant));
}

static void show_kind(const struct ablation *ablation, int steps, struct view *view, const struct view_column *columns,
                      size_t count, ablation_row *row, const void *context) {
  struct view_column titled[VIEW_MOST_COLUMNS];
  struct view_list list;
  memcpy(titled, columns, count * sizeof *columns);
  titled[ABLATION_COLUMNS_LABEL].title = steps ? "added one by one" : "one off in turn";
  view_list_begin(view, "ablation", titled, count, &list);
  for (size_t v = 0; v < ablation->count; v++)
    if (view_is_json(view) || (ablation->variants[v].kind == ABLATION_STEP) == steps)
      row(ablation, v, &list, context);
  view_list_end(&list);
}

void ablation_show(const struct ablation *ablation, struct view *view, const struct view_column *columns, size_t count,
                   ablation_row *row, const void *context) {
  view_say(view, "\n");
  show_kind(ablation, 0, view, columns, count, row, context);
  view_say(view, "\n");
  if (!view_is_json(view)) /* one list there */
    show_kind(ablation, 1, view, columns, count, row, context);
}

void ablation_values(const struct ablation_variant *variant, const char *label, struct view_value *values) {
  static const char *const kinds[] = {
      [ABLATION_FULL] = "all", [ABLATION_WITHOUT] = "without", [ABLATION_STEP] = "step"};
  const struct mechanism *mechanism = variant->mechanism;
  values[0] = view_text(kinds[variant->kind]);
  values[1] = view_text(mechanism ? mechanism->name : NULL);
  values[2] = view_text(mechanism ? mechanism->meaning : NULL);
  values[ABLATION_COLUMNS_LABEL] = view_text(label);
}

#include "cli/params/physics_check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "cli/core/view.h"
#include "cli/params/micro_kernels.h"
#include "cli/params/public_figures.h"
#include "cli/replay/replay.h"

/* The largest allowed error against a public figure, up or down, as a ratio. */
static const double most_ratio = 1.25;

struct check {
  struct replay replay;           /* the launches of all wanted workloads, for one GPU after the other */
  const struct micro_kernel **of; /* [count]: the wanted micro-kernels */
  size_t *end;                    /* [count]: how many launches there are up to the end of the kernel's workload */
  size_t count;
  struct public_figures figures;
  size_t off; /* figures that are off */
};

static int load_kernels(struct check *check, const char *pattern, const struct options *options, struct error *error) {
  int status = 0;
  check->of = calloc(micro_kernel_count, sizeof *check->of);
  check->end = calloc(micro_kernel_count, sizeof *check->end);
  if (!check->of || !check->end)
    return error_no_memory(error);
  for (size_t i = 0; i < micro_kernel_count && status == 0; i++) {
    if (pattern && !strstr(micro_kernels[i].name, pattern))
      continue;
    status = replay_load(&check->replay, micro_kernels[i].workload, options, error);
    check->of[check->count] = &micro_kernels[i];
    check->end[check->count++] = check->replay.count;
  }
  if (status == 0 && check->count == 0)
    return error_set(error, ERROR_INPUT, "found \"%.100s\", which is part of no micro-kernel's name", pattern);
  return status;
}

static int load_figures(struct check *check, struct error *error) {
  char *path = NULL;
  int status = data_find(DATA_FIGURES, "public", &path, error);
  if (status == 0)
    status = public_figures_load(path, &check->figures, error);
  free(path);
  return status;
}

/* Returns what the model says of the kernel after a replay. */
static double figure_of(const struct check *check, size_t i) {
  const struct replay_kernel *last = &check->replay.kernels[check->end[i] - 1];
  const bool alone = check->of[i]->form == MICRO_TIME;
  return micro_figure(check->of[i], alone ? NULL : &last[-1].result, &last->result);
}

static const char *verdict(const struct public_figure *figure, double ratio) {
  if (!figure->source)
    return "no figure";
  if (ratio <= most_ratio && ratio >= 1 / most_ratio)
    return "ok";
  return figure->reason ? "known" : "off";
}

static void add_row(struct check *check, size_t i, struct view_list *list) {
  const struct micro_kernel *kernel = check->of[i];
  const char *gpu = check->replay.gpu->name;
  const struct public_figure figure = public_figure_of(&check->figures, gpu, kernel->name);
  const double model = figure_of(check, i), ratio = model / figure.value;
  const char *said = verdict(&figure, ratio);
  const bool compared = figure.source != NULL, missed = strcmp(said, "known") == 0;
  check->off += strcmp(said, "off") == 0;
  VIEW_ROW(list, view_text(gpu), view_text(kernel->name), view_text(kernel->meaning), view_real(model),
           compared ? view_real(figure.value) : view_null(), view_text(kernel->unit),
           compared ? view_real(ratio) : view_null(), view_text(said), view_text(figure.source),
           missed ? view_text(figure.reason) : view_null(),
           missed ? view_text(figure.reason) : view_text(figure.source));
}

static int check_gpu(struct check *check, const char *name, const struct options *options, struct view_list *list,
                     struct error *error) {
  if (replay_load_gpu(&check->replay, name, error) != 0)
    return -1;
  const int status = replay_simulate(&check->replay, options->jobs, options->quiet, error);
  const struct gpu_spec *spec = &check->replay.gpu->spec;
  const uint64_t l1_bytes = spec->l1_bytes > spec->scratchpad_l1_bytes ? spec->l1_bytes : spec->scratchpad_l1_bytes;
  for (size_t i = 0; i < check->count && status == 0; i++)
    if (micro_kernel_suits((size_t)(check->of[i] - micro_kernels), l1_bytes))
      add_row(check, i, list);
  for (size_t i = 0; i < check->replay.count; i++)
    sim_result_clear(&check->replay.kernels[i].result);
  gpu_destroy(check->replay.gpu);
  check->replay.gpu = NULL;
  return status;
}

static int check_given(struct check *check, const char *const *names, size_t count, const struct options *options,
                       struct error *error) {
  static const struct view_column columns[] = {{.key = "gpu", .title = "gpu"},
                                               {.key = "kernel", .title = "micro-kernel"},
                                               {.key = "meaning"},
                                               {.key = "model", .title = "model", .format = "%.4g"},
                                               {.key = "public", .title = "public", .format = "%.4g"},
                                               {.key = "unit", .title = "unit"},
                                               {.key = "ratio", .title = "ratio", .format = "%.2f"},
                                               {.key = "verdict", .title = "verdict"},
                                               {.key = "source"},
                                               {.key = "reason"},
                                               {.title = "reason, or source of the public figure"}};
  struct view view;
  struct view_list list;
  int status = 0;
  view_begin(&view, options->json, stdout, "reassemble.physics/1");
  view_list_begin(&view, "figures", columns, sizeof columns / sizeof columns[0], &list);
  for (size_t i = 0; i < count && status == 0; i++)
    status = check_gpu(check, names[i], options, &list, error);
  view_member(&view, "off", view_whole(check->off));
  view_list_end(&list);
  return view_end(&view, status, error);
}

static int check_shipped(struct check *check, const struct options *options, struct error *error) {
  char **names;
  size_t count;
  if (data_list(DATA_GPU, &names, &count, error) != 0)
    return -1;
  const int status = check_given(check, (const char *const *)names, count, options, error);
  data_list_free(names, count);
  return status;
}

int physics_check(const struct option_list *gpus, const char *pattern, const struct options *options,
                  struct error *error) {
  struct check check = {.replay = {0}};
  int status = load_figures(&check, error);
  if (status == 0)
    status = load_kernels(&check, pattern, options, error);
  if (status == 0)
    status = gpus->count > 0 ? check_given(&check, gpus->items, gpus->count, options, error)
                             : check_shipped(&check, options, error);
  if (status == 0 && check.off > 0)
    status =
        error_set(error, ERROR_WORK,
                  "%zu figures are off by more than 25 %% without a reason in datasets/figures/public.json", check.off);
  public_figures_clear(&check.figures);
  replay_clear(&check.replay);
  free(check.of);
  free(check.end);
  return status;
}

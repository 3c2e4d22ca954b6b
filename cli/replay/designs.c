#include "cli/replay/designs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "cli/replay/view_result.h"

enum { MOST_DESIGNS = 60 }; /* a table has a column for each */

static int add(struct designs *designs, struct gpu *gpu, struct error *error) {
  if (designs->count == MOST_DESIGNS) {
    gpu_destroy(gpu);
    return error_set(error, ERROR_INPUT, "more than %d GPUs to compare; `reassemble dse` sweeps many", MOST_DESIGNS);
  }
  if (!array_room_for_one(&designs->items, designs->count, sizeof *designs->items)) {
    gpu_destroy(gpu);
    return error_no_memory(error);
  }
  designs->items[designs->count++] = (struct design){.gpu = gpu};
  return 0;
}

/* `values` as one --set has them. */
static int add_changed(struct designs *designs, const struct gpu *base, const char *values, struct error *error) {
  struct gpu *gpu;
  if (gpu_copy(base, &gpu, error) != 0)
    return -1;
  char *name = text_format("%s %s", base->name, values);
  if (!name || gpu_set(gpu, values, error) != 0) {
    free(name);
    gpu_destroy(gpu);
    return error->kind != ERROR_NONE ? -1 : error_no_memory(error);
  }
  free(gpu->name);
  gpu->name = name;
  return add(designs, gpu, error);
}

static int add_gpu(struct designs *designs, const char *name, const struct option_list *sets, struct error *error) {
  struct gpu *gpu;
  if (gpu_load(name, &gpu, error) != 0 || add(designs, gpu, error) != 0)
    return -1;
  for (size_t i = 0; i < sets->count; i++)
    if (add_changed(designs, gpu, sets->items[i], error) != 0)
      return -1;
  return 0;
}

/* "mali-g71-mp8,mali-g72-mp12" */
static int add_gpus(struct designs *designs, const char *list, const struct option_list *sets, struct error *error) {
  char *names = strdup(list), *rest = NULL;
  int status = names ? 0 : error_no_memory(error);
  for (char *name = status == 0 ? strtok_r(names, ",", &rest) : NULL; name && status == 0;
       name = strtok_r(NULL, ",", &rest))
    status = add_gpu(designs, name, sets, error);
  free(names);
  return status;
}

int designs_load(struct designs *designs, const struct option_list *gpus, const struct option_list *sets,
                 struct error *error) {
  *designs = (struct designs){0};
  int status = 0;
  for (size_t i = 0; i < gpus->count && status == 0; i++)
    status = add_gpus(designs, gpus->items[i], sets, error);
  if (status == 0 && designs->count == 0)
    status = error_set(error, ERROR_INPUT, "--gpu is missing; `reassemble list gpus` names those that ship");
  if (status != 0)
    designs_clear(designs);
  return status;
}

/* Moves the results of the last replay to the design. */
static bool take_results(struct design *design, struct replay *replay) {
  design->results = calloc(replay->count + 1, sizeof *design->results);
  design->refusals = calloc(replay->count + 1, sizeof *design->refusals);
  if (!design->results || !design->refusals)
    return false;
  for (size_t i = 0; i < replay->count; i++) {
    struct replay_kernel *kernel = &replay->kernels[i];
    design->results[i] = kernel->result;
    kernel->result = (struct sim_result){0};
    if (!kernel->trace)
      continue; /* it was not emulated; the refusal is for all designs */
    design->refusals[i] = kernel->refusal;
    kernel->refusal = NULL;
  }
  return true;
}

/* The first design's results go back to the replay. */
static void give_back(const struct design *first, struct replay *replay) {
  for (size_t i = 0; i < replay->count; i++) {
    struct replay_kernel *kernel = &replay->kernels[i];
    kernel->result = first->results[i];
    if (kernel->trace)
      kernel->refusal = first->refusals[i];
  }
}

int designs_replay(struct designs *designs, struct replay *replay, const struct options *options, struct error *error) {
  const struct replay asked = *replay;
  int status = 0;
  designs->kernels = replay->count;
  replay->observe = false; /* the first design's launches have been observed */
  replay->spans = 0;
  if (!take_results(&designs->items[0], replay))
    status = error_no_memory(error);
  for (size_t d = 1; d < designs->count && status == 0; d++) {
    replay->gpu = designs->items[d].gpu;
    status = replay_simulate(replay, options->jobs, options->quiet, error);
    if (status == 0 && !take_results(&designs->items[d], replay))
      status = error_no_memory(error);
  }
  replay->gpu = designs->items[0].gpu;
  replay->observe = asked.observe;
  replay->spans = asked.spans;
  if (designs->items[0].results && designs->items[0].refusals)
    give_back(&designs->items[0], replay);
  return status;
}

/* ---- what is shown ---- */

static bool has_result(const struct designs *designs, const struct replay *replay, size_t design, size_t kernel) {
  return replay->kernels[kernel].trace && !designs->items[design].refusals[kernel];
}

/* Returns the geometric mean of the speed-ups over the first design of the kernels that run on both; NaN: there are
 * none. */
static double mean_speedup(const struct designs *designs, const struct replay *replay, size_t design) {
  double sum = 0;
  size_t count = 0;
  for (size_t i = 0; i < replay->count; i++) {
    if (!has_result(designs, replay, 0, i) || !has_result(designs, replay, design, i))
      continue;
    const double first = designs->items[0].results[i].time_ns, time = designs->items[design].results[i].time_ns;
    if (first <= 0 || time <= 0)
      continue;
    sum += log(first / time);
    count++;
  }
  return count > 0 ? exp(sum / (double)count) : NAN;
}

static void show_table(const struct designs *designs, const struct replay *replay, struct view *view) {
  struct view_column columns[MOST_DESIGNS + 1] = {{.title = "us"}};
  struct view_value row[MOST_DESIGNS + 1];
  struct view_list list;
  for (size_t d = 0; d < designs->count; d++)
    columns[d + 1] = (struct view_column){.title = designs->items[d].gpu->name, .format = "%.4g", .scale = 1e-3};
  view_say(view, "\n");
  view_list_begin(view, NULL, columns, designs->count + 1, &list);
  for (size_t i = 0; i < replay->count; i++) {
    row[0] = view_text(replay->kernels[i].name);
    for (size_t d = 0; d < designs->count; d++)
      row[d + 1] = has_result(designs, replay, d, i) ? view_real(designs->items[d].results[i].time_ns) : view_null();
    view_row(&list, row, designs->count + 1);
  }
  row[0] = view_text("speed-up, geometric mean");
  for (size_t d = 0; d < designs->count; d++)
    row[d + 1] = view_real(1e3 * mean_speedup(designs, replay, d));
  view_row(&list, row, designs->count + 1);
  view_list_end(&list);
}

static void show_design(const struct designs *designs, const struct replay *replay, size_t d, struct view *view) {
  view_element_begin(view, "designs");
  view_member(view, "gpu", view_text(designs->items[d].gpu->name));
  view_member(view, "speedup", view_real(mean_speedup(designs, replay, d)));
  view_array(view, "kernels");
  for (size_t i = 0; i < replay->count; i++) {
    view_element_begin(view, "kernels");
    if (has_result(designs, replay, d, i))
      view_result(view, replay->kernels[i].name, &designs->items[d].results[i]);
    else
      view_member(view, "name", view_text(replay->kernels[i].name));
    if (designs->items[d].refusals[i])
      view_member(view, "refused", view_text(designs->items[d].refusals[i]));
    view_object_end(view);
  }
  view_object_end(view);
}

void designs_show(const struct designs *designs, const struct replay *replay, struct view *view) {
  if (designs->count < 2)
    return;
  show_table(designs, replay, view);
  for (size_t d = 0; d < designs->count; d++)
    show_design(designs, replay, d, view);
}

void designs_clear(struct designs *designs) {
  for (size_t d = 0; d < designs->count; d++) {
    struct design *design = &designs->items[d];
    for (size_t i = 0; d > 0 && i < designs->kernels; i++) {
      if (design->results)
        sim_result_clear(&design->results[i]);
      if (design->refusals)
        free(design->refusals[i]);
    }
    free(design->results);
    free(design->refusals);
    gpu_destroy(design->gpu);
  }
  free(designs->items);
  *designs = (struct designs){0};
}

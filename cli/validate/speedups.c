#include "cli/validate/speedups.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"
#include "cli/core/reference.h"
#include "cli/core/view.h"

struct speedup {
  double mean, geometric;
};

struct relative {
  struct gpu *gpu;
  double measured;
  struct speedup cycles, time;
};

struct comparison {
  struct replay replay; /* its GPU is the base */
  struct reference reference;
  struct relative *gpus;           /* [reference.count] */
  double *base_cycles, *base_time; /* [replay.count], one allocation */
};

static struct speedup speedup_of(const struct comparison *c, const double *base,
                                 double (*value)(const struct sim_result *)) {
  struct speedup sum = {0, 0};
  for (size_t k = 0; k < c->replay.count; k++) {
    const double ratio = base[k] / value(&c->replay.kernels[k].result);
    sum.mean += ratio;
    sum.geometric += log(ratio);
  }
  return (struct speedup){sum.mean / (double)c->replay.count, exp(sum.geometric / (double)c->replay.count)};
}

static double cycles_of(const struct sim_result *result) {
  return result->cycles;
}

static double time_of(const struct sim_result *result) {
  return result->time_ns;
}

/* Loads the GPUs that the reference names; an unknown name is an error of the reference. */
static int load_gpus(struct comparison *c, const char *path, struct error *error) {
  for (size_t i = 0; i < c->reference.count; i++) {
    c->gpus[i].measured = c->reference.rows[i].theirs;
    if (gpu_load(c->reference.rows[i].point, &c->gpus[i].gpu, error) == 0)
      continue;
    if (error->file[0] == '\0') {
      snprintf(error->file, sizeof error->file, "%s", path);
      snprintf(error->key, sizeof error->key, "point");
    }
    return -1;
  }
  return 0;
}

static int load(struct comparison *c, const char *reference, struct error *error) {
  char *path = NULL;
  int status = data_find(DATA_REFERENCE, reference, &path, error);
  if (status == 0)
    status = reference_load(path, &c->reference, error);
  if (status == 0) {
    c->gpus = calloc(c->reference.count, sizeof *c->gpus);
    status = c->gpus ? load_gpus(c, path, error) : error_no_memory(error);
  }
  free(path);
  return status;
}

static int replay_base(struct comparison *c, const struct options *options, struct error *error) {
  c->base_cycles = calloc(2 * c->replay.count, sizeof *c->base_cycles);
  if (!c->base_cycles)
    return error_no_memory(error);
  c->base_time = c->base_cycles + c->replay.count;
  if (replay_simulate(&c->replay, options->jobs, options->quiet, error) != 0)
    return -1;
  for (size_t k = 0; k < c->replay.count; k++) {
    c->base_cycles[k] = c->replay.kernels[k].result.cycles;
    c->base_time[k] = c->replay.kernels[k].result.time_ns;
  }
  return 0;
}

static int replay_on(struct comparison *c, struct relative *r, const struct options *options, struct error *error) {
  struct gpu *base = c->replay.gpu;
  for (size_t k = 0; k < c->replay.count; k++)
    sim_result_clear(&c->replay.kernels[k].result);
  c->replay.gpu = r->gpu;
  const int status = replay_simulate(&c->replay, options->jobs, options->quiet, error);
  c->replay.gpu = base;
  if (status != 0)
    return -1;
  r->cycles = speedup_of(c, c->base_cycles, cycles_of);
  r->time = speedup_of(c, c->base_time, time_of);
  return 0;
}

/* ---- output ---- */

static double error_percent(double predicted, double measured) {
  return 100 * (predicted - measured) / measured;
}

static int show(const struct comparison *c, const char *workloads, bool json, struct error *error) {
  static const struct view_column columns[] = {
      {.key = "gpu", .title = "gpu"},
      {.key = "measured", .title = "measured", .format = "%.2f"},
      {.key = "cycles.mean", .title = "in cycles", .format = "%.2f"},
      {.key = "cycles.geometric_mean", .title = "geometric, cycles", .format = "%.2f", .last = true},
      {.key = "cycles.error_percent", .title = "error %", .format = "%+.1f"},
      {.key = "time.mean", .title = "in time", .format = "%.2f"},
      {.key = "time.geometric_mean", .title = "time", .format = "%.2f", .last = true},
      {.key = "time.error_percent", .title = "error %", .format = "%+.1f"},
  };
  struct view view;
  struct view_list list;
  view_begin(&view, json, stdout, "reassemble.speedups/1");
  view_member(&view, "gpu", view_text(c->replay.gpu->name));
  view_member(&view, "workloads", view_text(workloads));
  view_member(&view, "kernels", view_whole(c->replay.count));
  view_say(&view, "Speed-ups over %s, mean of the %zu kernels of %s\n%s\n\n", c->replay.gpu->name, c->replay.count,
           workloads, c->reference.source);
  view_list_begin(&view, "gpus", columns, sizeof columns / sizeof columns[0], &list);
  for (size_t i = 0; i < c->reference.count; i++) {
    const struct relative *r = &c->gpus[i];
    VIEW_ROW(&list, view_text(r->gpu->name), view_real(r->measured), view_real(r->cycles.mean),
             view_real(r->cycles.geometric), view_real(error_percent(r->cycles.mean, r->measured)),
             view_real(r->time.mean), view_real(r->time.geometric),
             view_real(error_percent(r->time.mean, r->measured)));
  }
  view_list_end(&list);
  return view_end(&view, 0, error);
}

int speedups_compare(const char *gpu, const char *reference, const char *workloads, const struct options *options,
                     struct error *error) {
  struct comparison c = {.replay = {0}};
  int status = replay_load_gpu(&c.replay, gpu, error);
  if (status == 0)
    status = load(&c, reference, error);
  if (status == 0)
    status = replay_load(&c.replay, workloads, options, error);
  if (status == 0)
    status = replay_base(&c, options, error);
  for (size_t i = 0; i < c.reference.count && status == 0; i++)
    status = replay_on(&c, &c.gpus[i], options, error);
  if (status == 0)
    status = show(&c, workloads, options->json, error);
  for (size_t i = 0; i < c.reference.count && c.gpus; i++)
    gpu_destroy(c.gpus[i].gpu);
  free(c.gpus);
  free(c.base_cycles);
  reference_clear(&c.reference);
  replay_clear(&c.replay);
  return status;
}

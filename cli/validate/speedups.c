#include "cli/validate/speedups.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"
#include "cli/core/command.h"
#include "cli/core/reference.h"
#include "cli/core/table.h"

struct speedup {
  double mean, geometric;
};

struct relative {
  struct gpu *gpu;
  double measured;
  struct speedup cycles, time;
};

struct family {
  struct replay replay; /* its GPU is the base */
  struct reference reference;
  struct relative *gpus;           /* [reference.count] */
  double *base_cycles, *base_time; /* [replay.count], one allocation */
};

static struct speedup speedup_of(const struct family *f, const double *base,
                                 double (*value)(const struct sim_result *)) {
  struct speedup sum = {0, 0};
  for (size_t k = 0; k < f->replay.count; k++) {
    const double ratio = base[k] / value(&f->replay.kernels[k].result);
    sum.mean += ratio;
    sum.geometric += log(ratio);
  }
  return (struct speedup){sum.mean / (double)f->replay.count, exp(sum.geometric / (double)f->replay.count)};
}

static double cycles_of(const struct sim_result *result) {
  return result->cycles;
}

static double time_of(const struct sim_result *result) {
  return result->time_ns;
}

/* A name that is nowhere stands in the reference. */
static int load_gpus(struct family *f, const char *path, struct error *error) {
  for (size_t i = 0; i < f->reference.count; i++) {
    f->gpus[i].measured = f->reference.rows[i].theirs;
    if (gpu_load(f->reference.rows[i].point, &f->gpus[i].gpu, error) == 0)
      continue;
    if (error->file[0] == '\0') {
      snprintf(error->file, sizeof error->file, "%s", path);
      snprintf(error->key, sizeof error->key, "point");
    }
    return -1;
  }
  return 0;
}

static int load(struct family *f, const char *reference, struct error *error) {
  char *path = NULL;
  int status = data_find(DATA_REFERENCE, reference, &path, error);
  if (status == 0)
    status = reference_load(path, &f->reference, error);
  if (status == 0) {
    f->gpus = calloc(f->reference.count, sizeof *f->gpus);
    status = f->gpus != NULL ? load_gpus(f, path, error) : error_set(error, ERROR_WORK, "out of memory");
  }
  free(path);
  return status;
}

static int replay_base(struct family *f, const struct options *options, struct error *error) {
  f->base_cycles = calloc(2 * f->replay.count, sizeof *f->base_cycles);
  if (f->base_cycles == NULL)
    return error_set(error, ERROR_WORK, "out of memory");
  f->base_time = f->base_cycles + f->replay.count;
  if (replay_simulate(&f->replay, options->jobs, options->quiet, error) != 0)
    return -1;
  for (size_t k = 0; k < f->replay.count; k++) {
    f->base_cycles[k] = f->replay.kernels[k].result.cycles;
    f->base_time[k] = f->replay.kernels[k].result.time_ns;
  }
  return 0;
}

static int replay_on(struct family *f, struct relative *r, const struct options *options, struct error *error) {
  struct gpu *base = f->replay.gpu;
  for (size_t k = 0; k < f->replay.count; k++)
    sim_result_clear(&f->replay.kernels[k].result);
  f->replay.gpu = r->gpu;
  const int status = replay_simulate(&f->replay, options->jobs, options->quiet, error);
  f->replay.gpu = base;
  if (status != 0)
    return -1;
  r->cycles = speedup_of(f, f->base_cycles, cycles_of);
  r->time = speedup_of(f, f->base_time, time_of);
  return 0;
}

/* ---- output ---- */

static double error_percent(double predicted, double measured) {
  return 100 * (predicted - measured) / measured;
}

static int print_text(const struct family *f, const char *workloads, struct error *error) {
  printf("Speed-ups over %s, mean of the %zu kernels of %s\n", f->replay.gpu->name, f->replay.count, workloads);
  table_print_text(f->reference.source, stdout);
  fputs("\n\n", stdout);
  struct table *table = table_create((struct table_column[]){{"gpu", false},
                                                             {"measured", true},
                                                             {"in cycles", true},
                                                             {"error %", true},
                                                             {"in time", true},
                                                             {"error %", true},
                                                             {"geometric, cycles", true},
                                                             {"time", true}},
                                     8);
  for (size_t i = 0; i < f->reference.count; i++) {
    const struct relative *r = &f->gpus[i];
    table_add(table, "%s", r->gpu->name);
    table_add(table, "%.2f", r->measured);
    table_add(table, "%.2f", r->cycles.mean);
    table_add(table, "%+.1f", error_percent(r->cycles.mean, r->measured));
    table_add(table, "%.2f", r->time.mean);
    table_add(table, "%+.1f", error_percent(r->time.mean, r->measured));
    table_add(table, "%.2f", r->cycles.geometric);
    table_add(table, "%.2f", r->time.geometric);
  }
  const int status = table_print(table, stdout, error);
  table_destroy(table);
  return status;
}

static json_t *speedup_json(const struct speedup *s, double measured) {
  return json_pack("{s:f, s:f, s:f}", "mean", s->mean, "geometric_mean", s->geometric, "error_percent",
                   error_percent(s->mean, measured));
}

static int print_json(const struct family *f, const char *workloads, struct error *error) {
  json_t *gpus = json_array();
  for (size_t i = 0; i < f->reference.count; i++) {
    const struct relative *r = &f->gpus[i];
    json_array_append_new(gpus, json_pack("{s:s, s:f, s:o, s:o}", "gpu", r->gpu->name, "measured", r->measured,
                                          "cycles", speedup_json(&r->cycles, r->measured), "time",
                                          speedup_json(&r->time, r->measured)));
  }
  return command_print_json(json_pack("{s:s, s:s, s:s, s:I, s:o}", "schema", "reassemble.speedups/1", "gpu",
                                      f->replay.gpu->name, "workloads", workloads, "kernels",
                                      (json_int_t)f->replay.count, "gpus", gpus),
                            error);
}

int family_compare(const struct replay_options *base, const char *reference, const char *workloads,
                   const struct options *options, struct error *error) {
  struct family f = {.replay = {0}};
  int status = replay_load_gpu(&f.replay, base->gpu, error);
  if (status == 0)
    status = load(&f, reference, error);
  if (status == 0)
    status = replay_load(&f.replay, workloads, base->timeout_s, options, error);
  if (status == 0)
    status = replay_base(&f, options, error);
  for (size_t i = 0; i < f.reference.count && status == 0; i++)
    status = replay_on(&f, &f.gpus[i], options, error);
  if (status == 0)
    status = options->json ? print_json(&f, workloads, error) : print_text(&f, workloads, error);
  for (size_t i = 0; i < f.reference.count && f.gpus != NULL; i++)
    gpu_destroy(f.gpus[i].gpu);
  free(f.gpus);
  free(f.base_cycles);
  reference_clear(&f.reference);
  replay_clear(&f.replay);
  return status;
}

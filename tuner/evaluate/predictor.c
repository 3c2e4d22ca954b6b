#include "tuner/evaluate/predictor.h"

#include <math.h>
#include <stdlib.h>

#include "model/retime/retime_record.h"
#include "model/simulate.h"

static double simulate_one(const struct simulated_kernels *kernels, size_t index, const struct gpu_spec *spec,
                           struct error *error) {
  const struct retime_recording *recorded = kernels->recorded != NULL ? kernels->recorded[index] : NULL;
  struct sim_result result = {0};
  double prediction = NAN;
  if (recorded != NULL && retime(recorded, spec, &result))
    return kernels->nanoseconds ? result.time_ns : result.cycles;
  if (simulate(kernels->traces[index], kernels->isa, spec, &result, error) == 0)
    prediction = kernels->nanoseconds ? result.time_ns : result.cycles;
  sim_result_clear(&result);
  return prediction;
}

/* A configuration that one kernel refuses is refused; lack of memory is no property of a configuration. */
static int judge(struct error *errors, size_t count, double *predictions, struct error *refusal, struct error *error) {
  bool refused = false;
  for (size_t i = 0; i < count; i++) {
    if (errors[i].kind == ERROR_WORK)
      return error_set(error, ERROR_WORK, "%s", errors[i].text);
    if (errors[i].kind == ERROR_INPUT)
      error_at(refusal, ERROR_INPUT, NULL, 0, 0, errors[i].key, "%s", errors[i].text);
    refused |= errors[i].kind != ERROR_NONE;
  }
  for (size_t i = 0; i < count && refused; i++)
    predictions[i] = NAN;
  return 0;
}

int predict_by_simulation(void *context, const struct gpu_spec *specs, size_t spec_count, double *predictions,
                          struct error *refusal, struct error *error) {
  const struct simulated_kernels *kernels = context;
  const size_t count = kernels->count, all = spec_count * count;
  struct error *errors = calloc(all > 0 ? all : 1, sizeof *errors);
  if (errors == NULL)
    return error_set(error, ERROR_WORK, "out of memory");
#pragma omp parallel for schedule(dynamic, 1) num_threads(kernels->jobs)
  for (size_t i = 0; i < all; i++) {
    const size_t spec = i % spec_count, kernel = kernels->order[i / spec_count], at = spec * count + kernel;
    predictions[at] = simulate_one(kernels, kernel, &specs[spec], &errors[at]);
  }
  int status = 0;
  for (size_t s = 0; s < spec_count && status == 0; s++)
    status = judge(errors + s * count, count, predictions + s * count, refusal, error);
  free(errors);
  return status;
}

/* ---- recorded replays ---- */

enum { MOST_RECORDED_BYTES = 1 << 30 }; /* of all kernels together */

static void record_one(const struct simulated_kernels *kernels, size_t index, const struct gpu_spec *spec,
                       struct retime_recording **out, struct error *error) {
  struct sim_result result = {0};
  if (retime_record(kernels->traces[index], kernels->isa, spec, 1, out, &result, error) != 0)
    return;
  sim_result_clear(&result);
  if (*out != NULL && retime_bytes(*out) > MOST_RECORDED_BYTES / kernels->count) {
    retime_destroy(*out);
    *out = NULL;
  }
}

static void release(struct predictor *near) {
  struct simulated_kernels *kernels = near->context;
  for (size_t i = 0; kernels != NULL && i < kernels->count && kernels->recorded != NULL; i++)
    retime_destroy(kernels->recorded[i]);
  if (kernels != NULL)
    free(kernels->recorded);
  free(kernels);
  *near = (struct predictor){0};
}

static int first_of(const struct error *errors, size_t count, struct error *error) {
  for (size_t i = 0; i < count; i++)
    if (errors[i].kind != ERROR_NONE)
      return error_set(error, errors[i].kind, "%s", errors[i].text);
  return 0;
}

static int record_all(struct simulated_kernels *kernels, const struct gpu_spec *spec, struct error *error) {
  struct error *errors = calloc(kernels->count + 1, sizeof *errors);
  int status = errors != NULL ? 0 : error_set(error, ERROR_WORK, "out of memory");
#pragma omp parallel for schedule(dynamic, 1) num_threads(kernels->jobs)
  for (size_t i = 0; i < kernels->count; i++)
    if (errors != NULL)
      record_one(kernels, kernels->order[i], spec, &kernels->recorded[kernels->order[i]], &errors[i]);
  if (status == 0)
    status = first_of(errors, kernels->count, error);
  free(errors);
  return status;
}

static bool any_recorded(const struct simulated_kernels *kernels) {
  for (size_t i = 0; i < kernels->count; i++)
    if (kernels->recorded[i] != NULL)
      return true;
  return false;
}

static int record_near(void *context, const struct gpu_spec *spec, struct predictor *out, struct error *error) {
  const struct simulated_kernels *kernels = context;
  struct simulated_kernels *near = malloc(sizeof *near);
  *out = (struct predictor){kernels->count, near, predict_by_simulation, NULL, release};
  if (near == NULL)
    return error_set(error, ERROR_WORK, "out of memory");
  *near = *kernels;
  near->recorded = calloc(kernels->count + 1, sizeof(struct retime_recording *));
  const int status =
      near->recorded != NULL ? record_all(near, spec, error) : error_set(error, ERROR_WORK, "out of memory");
  if (status != 0 || !any_recorded(near))
    release(out);
  return status;
}

const struct predictor simulating_predictor = {.predict = predict_by_simulation, .near = record_near};

int count_work(const struct simulated_kernels *kernels, const struct gpu_spec *spec, double *instructions,
               double *issue_slots, struct error *error) {
  struct error *errors = calloc(kernels->count + 1, sizeof *errors);
  if (errors == NULL)
    return error_set(error, ERROR_WORK, "out of memory");
#pragma omp parallel for schedule(dynamic, 1) num_threads(kernels->jobs)
  for (size_t i = 0; i < kernels->count; i++) {
    struct sim_result result = {0};
    const size_t at = kernels->order[i];
    simulate(kernels->traces[at], kernels->isa, spec, &result, &errors[at]);
    instructions[at] = (double)result.work_item_instructions;
    issue_slots[at] = result.issue_slots;
    sim_result_clear(&result);
  }
  const int status = first_of(errors, kernels->count, error);
  free(errors);
  return status;
}

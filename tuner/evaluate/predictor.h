/* Parameters in, predictions of all measured kernels out: what a tuning calls.
 *
 * predict: `predictions[s * count + m]` is the prediction of measurement m, in the board's unit, on specs[s]. A
 *          configuration that the model refuses (caches of broken lines, kernels of more than 2^52 ticks) is a row of
 *          NaN, and `refusal` says why (the first one wins). -1: the work failed, `error` says why.
 * near:    cheaper predictions by the replays recorded on one spec (model/retime/retime_record.h); those of `predict`
 *          at that spec, approximate elsewhere. They depend on both specs alone.
 * moves:   whether any measurement's prediction on a spec is another than the one given. It ends with the first, so
 * that it
 *          costs about a measurement's prediction where most do.
 *
 * Determinism: the predictions of a spec depend on nothing but the spec, neither on what was asked before nor on the
 *              number of threads.
 * Threads:     one call at a time. */
#ifndef TUNER_PREDICTOR_H
#define TUNER_PREDICTOR_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "model/params/gpu.h"
#include "model/isa/isa.h"
#include "trace/trace.h"
#include "tuner/board/board_launches.h"

struct predictor {
  size_t count; /* measurements */
  void *context;
  int (*predict)(void *context, const struct gpu_spec *specs, size_t spec_count, double *predictions,
                 struct error *refusal, struct error *error);
  /* Records on `spec` for *out, and writes what `predict` says there to `predictions`; NULL: there is nothing cheaper.
   * Without a context in *out, no replay on `spec` can be recorded, and none of its family; then `predictions` are not
   * written. A spec that `predict` refuses is an error of the kind ERROR_INPUT. */
  int (*near)(void *context, const struct gpu_spec *spec, struct predictor *out, double *predictions,
              struct error *error);
  /* Makes a predictor of some of the measurements, in the order of `rows`, by the same means: it predicts each as
   * `predict` does, and costs as much less. NULL: there is none. */
  int (*part)(void *context, const size_t *rows, size_t count, struct predictor *out, struct error *error);
  /* Of a predictor that `near` or `part` has made, which has to be released before the one that made it. */
  void (*release)(struct predictor *predictor);
  /* NULL: ask `predict`. */
  int (*moves)(void *context, const struct gpu_spec *spec, const double *predictions, bool *moves, struct error *error);
};

/* Context of predict_by_simulation: one simulation per launch and configuration, over `jobs` threads. */
struct simulated_kernels {
  const struct trace *const *traces; /* [count], by launch */
  size_t count;
  const struct board_launches *sums; /* what measurements are of the launches; NULL: measurement i is launch i */
  size_t measurements;               /* of sums */
  const struct isa_profile *isa;
  double unit_ns; /* of predictions; 0: cycles */
  int jobs;
  const size_t *order; /* [count]: which launch is started first, for balance; results do not depend on it */
  struct retime_recording **recorded; /* [count], NULL: all cold; an entry that is NULL: that launch is */
};

extern const struct predictor simulating_predictor; /* without context and count */
int predict_by_simulation(void *context, const struct gpu_spec *specs, size_t spec_count, double *predictions,
                          struct error *refusal, struct error *error);

/* What the kernels do on a spec, for baselines; arrays by measurement. */
struct kernel_work {
  double *instructions; /* of work-items */
  double *issue_slots;
  double *roofline; /* cycles: the larger of issue and memory traffic, each at its full rate (Williams, Waterman,
                       Patterson, Communications of the ACM 52, 2009) */
};

int count_work(const struct simulated_kernels *kernels, const struct gpu_spec *spec, struct kernel_work *work,
               struct error *error);

#endif

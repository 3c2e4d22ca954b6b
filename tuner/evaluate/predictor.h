/* The interface by which a tuning predicts all measured kernels from parameters.
 *
 * - predict: sets predictions[s * count + m] to the prediction of measurement m, in the board's unit, on specs[s]. A
 *   configuration that the model refuses (caches of broken lines, kernels of more than 2^52 ticks) gives NaN for all
 *   measurements, and `refusal` has the reason (the first one wins). Returns -1 with `error` if the work failed.
 * - near: cheaper predictions by the replays recorded on one spec (model/retime/retime_record.h): equal to those of
 *   `predict` at that spec, approximate elsewhere. They depend on both specs alone.
 * - moves: tells whether any measurement's prediction on a spec differs from the given one. It ends with the first
 *   difference, so that it usually costs about one measurement's prediction.
 *
 * Determinism: the predictions of a spec depend only on the spec, neither on earlier calls nor on the number of
 * threads.
 * Threads: one call at a time. */
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
  size_t count; /* number of measurements */
  void *context;
  int (*predict)(void *context, const struct gpu_spec *specs, size_t spec_count, double *predictions,
                 struct error *refusal, struct error *error);
  /* Records on `spec` for *out, and writes what `predict` says there to `predictions`; NULL: there is nothing cheaper.
   * Without a context in *out, no replay on `spec` can be recorded, and none of its family; then `predictions` are not
   * written. A spec that `predict` refuses is an error of the kind ERROR_INPUT. */
  int (*near)(void *context, const struct gpu_spec *spec, struct predictor *out, double *predictions,
              struct error *error);
  /* Makes a predictor of some of the measurements, in the order of `indices`, by the same means: it predicts each as
   * `predict` does, and costs as much less. NULL: there is none. */
  int (*part)(void *context, const size_t *indices, size_t count, struct predictor *out, struct error *error);
  /* Releases a predictor that `near` or `part` has made. It has to be called before the predictor that made this
   * one is released. */
  void (*release)(struct predictor *predictor);
  /* NULL: callers use `predict` */
  int (*moves)(void *context, const struct gpu_spec *spec, const double *predictions, bool *moves, struct error *error);
};

/* The work of a launch, for baselines. */
struct launch_work {
  bool known;
  double instructions; /* of work-items */
  double issue_slots;
  double roofline; /* cycles: the larger of issue and memory traffic (Williams et al., CACM 52, 2009) */
};

/* The context of predict_by_simulation: one simulation for each launch and configuration, over `jobs` threads. */
struct simulated_kernels {
  const struct trace *const *traces; /* [count], by launch */
  size_t count;
  const struct board_launches *sums; /* measurements as sums of launches; NULL: measurement i is launch i */
  size_t measurements;               /* number of measurements, with `sums` */
  const struct isa_profile *isa;
  double unit_ns; /* nanoseconds of the unit of predictions; 0: cycles */
  int jobs;
  const size_t *order;      /* [count]: order in which launches are started, for balance; results do not depend on it */
  struct launch_work *work; /* [count]: kept from exact replays on `work_spec`; NULL: not kept */
  const struct gpu_spec *work_spec;
  struct retime_recording **recorded; /* [count]; NULL: none is recorded; an entry that is NULL: that launch is not */
};

extern const struct predictor simulating_predictor; /* without context and count */
int predict_by_simulation(void *context, const struct gpu_spec *specs, size_t spec_count, double *predictions,
                          struct error *refusal, struct error *error);

/* The work of the measurements, as in struct launch_work; arrays by measurement. */
struct kernel_work {
  double *instructions, *issue_slots, *roofline;
};

/* Writes the work on `spec`. A launch whose work is known for this GPU is not replayed. */
int count_work(const struct simulated_kernels *kernels, const struct gpu_spec *spec, struct kernel_work *work,
               struct error *error);

#endif

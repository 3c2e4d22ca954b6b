/* Predicts the launches of a program while it runs, and answers the layer, which waits for the time of each
 * (tracegen/program/answers.h).
 *
 * A launch is emulated, its trace is replayed on each GPU, and the answer is the time on the first one. Traces of the
 * same bytes are replayed once. Launches of many work-items or much work are sampled where that is possible
 * (docs/sampling.md); others are emulated whole, and the user is told so once. Of a whole trace of much work a part is
 * replayed if the estimate is good (model/sampling/sample.h). The layer refuses a launch that cannot be predicted, and
 * the user is told why at once.
 *
 * Units: nanoseconds. Ownership: predictor_open fills, predictor_close frees. Errors: a launch that cannot be predicted
 * is kept with the reason, and the others go on. Threads: one. */
#ifndef CLI_PREDICTOR_H
#define CLI_PREDICTOR_H

#include "base/error.h"
#include "cli/core/options.h"
#include "model/isa/isa.h"
#include "model/params/gpu.h"
#include "tracegen/program/answers.h"
#include "tracegen/program/capture/capture.h"

struct prediction {
  int64_t index; /* of the launch */
  char *kernel;
  int64_t *ns;                      /* by GPU; 0: none */
  char **unfit;                     /* by GPU: why the launch does not run on it; NULL: it does */
  bool sampled;                     /* some of its work-groups stand for all */
  double error_bound;               /* of the estimate on the first GPU; 0: exact */
  uint64_t groups;                  /* work-groups of the launch */
  uint64_t instructions;            /* of the work-items that were emulated */
  uint64_t digest;                  /* of the trace */
  char *failure;                    /* NULL: it was predicted */
  enum capture_agreement agreement; /* with OpenCL's result */
  char *difference;                 /* the first one, in words; NULL: none */
  double emulation_s, replay_s;     /* real time that it took */
};

struct known_trace {
  uint64_t digest;
  size_t prediction; /* that has its times */
};

struct predictor {
  const struct options *options;
  struct gpu **gpus;
  struct isa_profile **isas;
  size_t gpu_count;
  const char *folder;
  enum out_of_bounds out_of_bounds;
  bool whole;    /* no launch is sampled, because all of its results are wanted */
  bool compares; /* results with OpenCL's */
  struct capture capture;
  struct launch_answer *answers;
  struct prediction *predictions;
  size_t count, next; /* next: the first launch of the capture that has no prediction */
  struct known_trace *traces;
  size_t trace_count;
  uint64_t outside_loads, outside_launches; /* that gave zeros, and launches with such loads */
  bool told_whole;                          /* the user was told that launches are emulated whole */
  bool *told_unfit;                         /* by GPU: the user was told that a launch does not run on it */
};

/* `gpus` are borrowed. `folder` is the capture's. */
int predictor_open(const char *folder, struct gpu **gpus, size_t gpu_count, const struct options *options,
                   struct predictor *out, struct error *error);
void predictor_close(struct predictor *predictor);
/* Predicts what the layer has captured since the last call. *any: whether there was something. */
int predictor_advance(struct predictor *predictor, bool *any, struct error *error);
/* Returns why the launch has no time on this GPU, or NULL where it has one. */
const char *prediction_is_missing(const struct prediction *prediction, size_t gpu);
/* Returns the prediction of the launch with this index, or NULL. */
const struct prediction *predictor_find(const struct predictor *predictor, uint64_t index);

#endif

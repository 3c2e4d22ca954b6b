/* Writes a tuning's result as a GPU description (schema reassemble.gpu/1) that inherits from the one that was tuned.
 *
 * Every tuned parameter has its value and, as its source, interval, board, objective, method, seed, evaluations and
 * version. With cross-validation, prediction_error_ratio is the interval of conformal.h and order_error_ratio that of
 * pair_order.h. The file appears whole or not at all. A GPU that is loaded from it gives the tuned predictions to the
 * bit: values are written with all digits they need. */
#ifndef TUNER_TUNED_GPU_H
#define TUNER_TUNED_GPU_H

#include "base/error.h"
#include "model/params/gpu.h"
#include "tuner/board/board.h"
#include "tuner/tune.h"

struct tuned_gpu_facts {
  const struct gpu *gpu; /* the GPU before the tuning */
  const char *base;      /* the name or path to inherit from */
  const struct board *board;
  const char *objective;
  const char *cv; /* "loo", "kfold=5"; NULL: no cross-validation */
  const char *tool_version;
};

/* Checks that the file is not the one that it inherits from. */
int tuned_gpu_check_path(const char *path, const struct gpu *gpu, struct error *error);
int tuned_gpu_write(const char *path, const struct tune *tune, const struct tuned_gpu_facts *facts,
                    struct error *error);

#endif

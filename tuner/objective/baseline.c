#include "tuner/objective/baseline.h"

#include "tuner/objective/score.h"

void baseline_of_work(const double *measured, const double *work, size_t count, bool hold_out, double *predicted) {
  const double scale = hold_out ? 0 : score_best_scale(measured, work, count, count);
  for (size_t i = 0; i < count; i++)
    predicted[i] = work[i] * (hold_out ? score_best_scale(measured, work, count, i) : scale);
}

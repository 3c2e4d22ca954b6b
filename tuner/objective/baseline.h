/* A baseline that a model has to beat: time proportional to the work, with one scale fitted to the same
 * measurements. */
#ifndef TUNER_BASELINE_H
#define TUNER_BASELINE_H

#include <stdbool.h>
#include <stddef.h>

/* Sets predicted[i] = scale * work[i] with the scale of least MAPE. With hold_out, each has the scale that fits the
 * others. `work` is not negative; measurements without work predict 0. */
void baseline_of_work(const double *measured, const double *work, size_t count, bool hold_out, double *predicted);

#endif

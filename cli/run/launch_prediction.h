/* Predicts one launch: chooses how much of it is emulated, and replays the trace on each GPU (docs/virtual-board.md,
 * "Which launches are predicted").
 *
 * Errors: a launch that cannot be predicted is an error with the reason. Cost: at most three emulations, and a replay
 * for each GPU. Threads: one. */
#ifndef CLI_LAUNCH_PREDICTION_H
#define CLI_LAUNCH_PREDICTION_H

#include "cli/run/predictor.h"

/* Predicts launch `i` of the capture, which `launch` describes. *out is the last of the predictor's predictions; it
 * gets the times, and how they were found. */
int predict_launch(struct predictor *predictor, size_t i, const json_t *launch, struct prediction *out,
                   struct error *error);

#endif

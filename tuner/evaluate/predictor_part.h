/* Simulation of some measurements of a board: the `part` of a simulating predictor (predictor.h). Internal to
 * evaluate/. */
#ifndef TUNER_PREDICTOR_PART_H
#define TUNER_PREDICTOR_PART_H

#include "tuner/evaluate/predictor.h"

int predict_part_by_simulation(void *context, const size_t *indices, size_t count, struct predictor *out,
                               struct error *error);

#endif

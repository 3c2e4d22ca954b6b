/* The search methods, each in its file method_<name>.c (contract: fit.h). */
#ifndef TUNER_METHODS_H
#define TUNER_METHODS_H

#include "tuner/method/fit.h"

extern const struct tune_method tune_method_binary;
extern const struct tune_method tune_method_gauss_newton;
extern const struct tune_method tune_method_linear;
extern const struct tune_method tune_method_simplex;
extern const struct tune_method tune_method_coordinate;
extern const struct tune_method tune_method_annealing;
extern const struct tune_method tune_method_grid;

#endif

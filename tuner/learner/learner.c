#include "tuner/learner/learner.h"

extern const struct learner learner_linear, learner_perceptron, learner_ridge, learner_boosting;

const struct learner *const learners[] = {&learner_linear, &learner_perceptron, &learner_ridge, &learner_boosting,
                                          NULL};

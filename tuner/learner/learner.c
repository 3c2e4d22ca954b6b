#include "tuner/learner/learner.h"

extern const struct learner learner_linear, learner_perceptron;

const struct learner *const learners[] = {&learner_linear, &learner_perceptron, NULL};

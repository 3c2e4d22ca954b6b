/* Summarises the repetitions of one launch.
 *
 * The board's value is the minimum, because a disturbance only adds time (the thesis, section 2.7.1, takes the
 * minimum of 100 runs). Median and interquartile range show how much other work disturbed the board. */
#ifndef MEASURE_REPETITIONS_H
#define MEASURE_REPETITIONS_H

#include <stddef.h>

struct repetitions {
  double minimum, median, maximum, spread; /* spread: interquartile range */
  size_t count, outliers; /* outliers: above the third quartile by more than 3 interquartile ranges (Tukey) */
};

/* `times` is sorted in place; count >= 1. */
void repetitions_summarise(double *times, size_t count, struct repetitions *out);

#endif

/* Nelder and Mead's simplex within bounds (GSL's nmsimplex2 underneath).
 *
 * The simplex knows no bounds, so it walks in angles: x = middle + half range * sin(angle), which reaches both ends of
 * the range and never leaves it (the transformation of CERN's Minuit). Where it has collapsed, which happens at kinks,
 * a new one of full size goes on, until that does not help.
 * Threads: any, each with its own problem. */
#ifndef TUNER_SIMPLEX_H
#define TUNER_SIMPLEX_H

#include <stddef.h>

enum { SIMPLEX_MOST = 16 };

struct simplex_problem {
  size_t count;
  double low[SIMPLEX_MOST], high[SIMPLEX_MOST];
  double (*cost)(void *context, const double *x); /* may be INFINITY */
  void *context;
  double first_step, last_size; /* in units of x: the first simplex, the last one */
  size_t budget;                /* calls of cost, about */
};

/* From x; x becomes the best point found. Returns its cost; INFINITY when out of memory. */
double simplex_minimise(const struct simplex_problem *problem, double *x);

#endif

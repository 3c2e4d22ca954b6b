/* Nelder and Mead's simplex within bounds, with GSL's nmsimplex2.
 *
 * The simplex has no bounds, so it moves in angles: x = middle + half range * sin(angle), which reaches both ends of
 * the range and never leaves it (the transformation of CERN's Minuit). Where it has collapsed, which happens at kinks,
 * the search continues with a new one of full size, until that does not help.
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
  double first_step, last_size; /* sizes of the first and of the last simplex, in units of x */
  size_t budget;                /* approximate number of calls of cost */
};

/* Minimises from x, which becomes the best point found. Returns its cost; INFINITY when out of memory. */
double simplex_minimise(const struct simplex_problem *problem, double *x);

#endif

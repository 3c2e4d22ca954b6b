/* The combinations of axis values that a sweep uses: samples of its grid.
 *
 * A combination is a mixed-radix number in which the last axis counts fastest. SWEEP_ONE_AT_A_TIME: sample k is one
 * value of one axis, all axes' values one after another. Random: SplitMix64 by the sweep's seed. Sobol: GSL's sequence
 * (Bratley and Fox, ACM TOMS 659), which balances every axis and every pair of axes when the number of samples is a
 * power of two. A combination that is drawn again is left out and counted.
 * Ownership: sample_clear frees. */
#ifndef DSE_SAMPLE_H
#define DSE_SAMPLE_H

#include <stddef.h>
#include <stdint.h>

#include "dse/sweep/sweep.h"

struct sample {
  uint64_t count;
  uint64_t *combinations; /* NULL: sample i is combination i */
  uint64_t drawn_again;
};

int sample_take(const struct sweep *sweep, struct sample *out, struct error *error);
void sample_clear(struct sample *sample);

/* Returns the number of samples before any are dropped; saturates at UINT64_MAX. */
uint64_t sample_size(const struct sweep *sweep);

#define SAMPLE_AT_BASE SIZE_MAX
/* Writes the value of each axis in sample `i`; SAMPLE_AT_BASE for axes that keep the base's. */
void sample_coordinates(const struct sweep *sweep, const struct sample *sample, uint64_t i, size_t *coordinates);

#endif

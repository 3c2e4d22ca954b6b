/* A few kernels that represent all kernels of a board: chosen by their features, weighted by how many each represents.
 *
 * Purpose:     features (logarithms of functional statistics) -> principal components -> medoids; then the same tuning
 *              as of all, on those alone, from the start values, and how well it predicts the others. Representatives
 *              are chosen without looking at a measured time.
 * Ownership:   choose fills, clear frees.
 * Determinism: by the traces and the tuning's seed.
 * Errors:      out of memory, a subset larger than the board, objectives that are not defined on it.
 * Threads:     one. */
#ifndef TUNER_SUBSET_H
#define TUNER_SUBSET_H

#include "trace/trace.h"
#include "tuner/tune.h"

struct subset {
  size_t count;
  size_t *representatives; /* [count], measurements in ascending order */
  size_t *weights;         /* [count]: the measurements that each stands for, itself included */
  size_t *cluster;         /* [measurements], below count */

  /* subset_tune */
  double tuned[SPACE_MOST];
  const double *predictions;      /* [measurements], the evaluator's */
  struct score inside, rest, all; /* of the representatives, of the others, of both */
};

int subset_choose(struct subset *s, const struct trace *const *traces, size_t measurements, uint32_t warp_size,
                  size_t count, struct error *error);
/* After tune_search. */
int subset_tune(struct subset *s, struct tune *t, struct error *error);
void subset_clear(struct subset *s);

#endif

/* A few kernels that represent all kernels of a board: chosen by their features, weighted by how many each represents.
 *
 * Purpose:     features (logarithms of functional statistics) -> principal components -> medoids; then a tuning on
 *              those alone, from the start values: beside that of all, to say what a smaller board would lose
 *              (subset_tune), or in its place, at a fraction of the cost (subset_search). Representatives are chosen
 *              without looking at a measured time.
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
  size_t *weights;         /* [count]: number of measurements that each represents, including itself */
  size_t *cluster;         /* [measurements], below count */

  /* The following members are set by subset_tune. */
  double tuned[SPACE_MOST];
  const double *predictions;      /* [measurements], owned by the evaluator */
  struct score inside, rest, all; /* of the representatives, of the others, of both */
};

/* The measurements from which representatives are chosen. */
struct subset_source {
  const struct trace *const *traces; /* [measurements] */
  size_t measurements;
  uint32_t warp_size;
};

/* `count` 0: none are chosen. `option`: what asked for the number, for messages. */
int subset_choose(struct subset *s, const struct subset_source *source, const char *option, size_t count,
                  struct error *error);
/* Returns the percent of the work of all, work[measurements], that the representatives do. */
double subset_share_percent(const struct subset *s, const double *work, size_t measurements);
/* In place of tune_search: searches on the representatives, each as often as it has members, and takes the result
 * where all measurements, predicted exactly, are nearer to it than to the start (tune_take). The tuning's predictor
 * has a `part`. */
int subset_search(const struct subset *s, struct tune *t, struct error *error);
/* Tunes on the representatives, after tune_search of all. */
int subset_tune(struct subset *s, struct tune *t, struct error *error);
void subset_clear(struct subset *s);

#endif

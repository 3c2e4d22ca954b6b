/* The amount of work of a launch, and how alike its parts are, known before any of it is replayed.
 *
 * Work is issue slots of work-items, each counted separately (1/1024 slot, model/isa/price.h). It needs no walk: a
 * work-item's work is that of its path. Private to model/sampling/sample.h. Ownership: sample_launch_clear frees. Cost:
 * O(work-groups + shapes * cohorts). */
#ifndef MODEL_SAMPLE_LAUNCH_H
#define MODEL_SAMPLE_LAUNCH_H

#include "model/replay/core.h"

struct sample_launch {
  double work;
  double *core_work; /* [cores]; NULL: not known beforehand, because cores take work-groups from one queue */
  double lines;      /* lines of all memory that it can use, each once */
  double waves;      /* work-groups / places for them on all cores */
  double heaviest;   /* work of the heaviest work-group / mean of all work-groups */
  double longest;    /* work of the longest path / mean of all work-items */
  double looped;     /* share of the work in the largest outermost loop of a path */
  double iterations; /* iterations of that loop; mean over the work */
  double executions; /* executions by a work-item of its most frequent memory operation; mean over the work */
};

/* Computes the launch's work. Returns false when out of memory. */
bool sample_launch_init(struct sample_launch *launch, const struct gpu_replay *replay);
void sample_launch_clear(struct sample_launch *launch);

#endif

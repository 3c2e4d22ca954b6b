/* What is known about a launch before any of it is replayed: how much work there is, and how alike its parts are.
 *
 * Work: issue slots of work-items, each for itself (1/1024 slot, model/isa/price.h). It needs no walk: a work-item's
 * is its path's. Private to model/sampling/sample.h. Ownership: sample_launch_clear frees. Cost: O(work-groups +
 * shapes * cohorts). */
#ifndef MODEL_SAMPLE_LAUNCH_H
#define MODEL_SAMPLE_LAUNCH_H

#include "model/replay/core.h"

struct sample_launch {
  double work;
  double *core_work; /* [cores]; NULL: not known before, cores take work-groups from one queue */
  double lines;      /* of all memory that it can use, once */
  double waves;      /* work-groups / places for them on all cores */
  double heaviest;   /* work of the heaviest work-group / mean of all */
  double longest;    /* work of the longest path / mean of all work-items */
  double looped;     /* share of the work that is in the largest loop of a path, not inside of another */
  double iterations; /* of that loop; mean over the work */
  double executions; /* by a work-item, of the memory operation that it executes most often; mean over the work */
};

/* False: out of memory. */
bool sample_launch_init(struct sample_launch *launch, const struct gpu_replay *replay);
void sample_launch_clear(struct sample_launch *launch);

#endif

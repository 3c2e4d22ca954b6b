/* A sweep on several processes (MPI): rank 0 hands out units (run.h), one at a time, to idle workers, and stores and
 * journals the results; the others evaluate. It is built with -DREASSEMBLE_MPI=ON and started by mpirun or srun;
 * otherwise there is one process and these functions do nothing.
 *
 * Every rank loads the same sweep and traces; rank 0 compares digests before it hands out units. Workers print nothing
 * and end with 0: rank 0 reports their errors.
 * Threads: one thread only. */
#ifndef DSE_CLUSTER_H
#define DSE_CLUSTER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/progress.h"
#include "dse/run/run.h"

int cluster_begin(struct error *error);
/* Dismisses workers that still wait. */
void cluster_end(void);

/* Runs a worker: evaluates the units that rank 0 sends until it is dismissed. `failed` is the reason why it cannot
 * (kind ERROR_NONE: it can). */
void cluster_work(const struct points *points, const struct evaluation *evaluation, const struct families *families,
                  uint64_t digest, const struct error *failed);

/* Lets workers evaluate all units; they then wait for more. Rank 0 calls it. */
int cluster_dispatch(const struct run *run, const struct run_unit *units, size_t count, struct progress *progress,
                     struct error *error);

#endif

/* A sweep on several processes (MPI): rank 0 hands out units (run.h), one at a time, to whoever is free, and keeps and
 * journals the results; the others evaluate. Built with -DREASSEMBLE_MPI=ON and started by mpirun or srun;
 * otherwise there is one process and nothing here does anything.
 *
 * Every rank loads the same sweep and traces by itself; rank 0 compares digests before it hands anything out. Workers
 * print nothing and end with 0: their errors come out of rank 0.
 * Threads: from one thread only. */
#ifndef DSE_CLUSTER_H
#define DSE_CLUSTER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/progress.h"
#include "dse/run/run.h"

int cluster_begin(struct error *error);
/* Dismisses workers that still wait. */
void cluster_end(void);
int cluster_rank(void);
int cluster_size(void);

/* A worker's life: evaluates what rank 0 sends until dismissed. `failed` is why it cannot (kind ERROR_NONE: it can). */
void cluster_work(const struct points *points, const struct evaluation *evaluation, const struct families *families,
                  uint64_t digest, const struct error *failed);

/* Rank 0: all units, by workers, which then wait for more. */
int cluster_dispatch(const struct run *run, const struct run_unit *units, size_t count, struct progress *progress,
                     struct error *error);

#endif

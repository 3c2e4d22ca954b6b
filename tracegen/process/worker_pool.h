/* Idle worker processes that have built a kernel and wait for another launch of it (worker_process.h): a program
 * launches few kernels many times.
 *
 * Launches may share a worker when they agree in what the kernel's code holds of its launch: the place of each buffer
 * and constant, the formats of images, the samplers, whether reads of undefined bytes are looked for, and whether at
 * most 16 work-items run; and when they choose their work-groups by the same rule (workload/group_choice.h). They may
 * differ in the names and contents of buffers, in other sizes, in values and in how much work they may do. Each gives
 * the trace that it would give alone.
 * Ownership: the pool owns a worker between worker_pool_give and worker_pool_take. Threads: one. */
#ifndef TRACEGEN_PROCESS_WORKER_POOL_H
#define TRACEGEN_PROCESS_WORKER_POOL_H

#include <stdbool.h>

#include "base/error.h"
#include "tracegen/front/front_end.h"
#include "workload/workload.h"

struct worker_pool;
struct worker_process;

/* NULL: out of memory. */
struct worker_pool *worker_pool_create(void);
/* Ends all workers. `pool` may be NULL. */
void worker_pool_destroy(struct worker_pool *pool);

/* The rest is private to tracegen. */

/* Returns the folder inside of `directory` in which all workers of the pool write traces, and makes it at the first
 * call; it is removed with the pool. NULL: error. */
const char *worker_pool_staging(struct worker_pool *pool, const char *directory, struct error *error);

/* Returns whether a worker for this workload may serve later ones. `pool` may be NULL. */
bool worker_pool_accepts(const struct worker_pool *pool, const struct workload *workload);
/* Moves a worker that serves launches such as this one to *out. Returns false when there is none. */
bool worker_pool_take(struct worker_pool *pool, const struct front_end *front_end, const struct workload *workload,
                      struct worker_process *out);
/* Keeps the worker, or ends it; *process is empty then. */
void worker_pool_give(struct worker_pool *pool, const struct front_end *front_end, const struct workload *workload,
                      struct worker_process *process);

#endif

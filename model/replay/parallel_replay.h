/* The replay by several threads in exact lookahead windows (conservative parallel simulation: Chandy and Misra,
 * "Distributed simulation", IEEE TSE 1979; in windows: Lubachevsky, "Efficient distributed event-driven simulations of
 * multiple-loop networks", CACM 1989).
 *
 * Between a core's access and the time when its answer can matter lies at least the latency of L1 and of the way to L2.
 * While all cores are within that time of each other, each may run alone, on any thread: its accesses stand in its own
 * queue. Then one thread serves all accesses before the core that is furthest behind, in order of (time, core)
 * (model/replay/l2_order.h). Results are those of one thread to the bit. Memory: a thread's own counts of paths and
 * blocks. */
#ifndef MODEL_PARALLEL_REPLAY_H
#define MODEL_PARALLEL_REPLAY_H

#include "model/replay/l2_order.h"

/* Returns whether several threads may run: there is lookahead, and no hook follows events. */
bool parallel_replay_apply(const struct gpu_replay *replay);
/* Runs the cores until all are finished and all accesses are served, or replay->too_long. */
void parallel_replay_run(struct gpu_replay *replay, struct l2_order *order);

#endif

/* A first estimate of the time of a recorded launch on one GPU, from counts alone, and what it consists of.
 *
 * Purpose: the times of many GPUs are interpolated as multiples of their estimates (retime_surface.h). GPUs on which
 * the same parts have the same shares of the estimate have nearly the same multiple, whatever their latencies, caches
 * and rates are.
 * Method: the time is at least what the execution engines are busy, what each queue takes at its rate, and, where
 * engines take other warps during an access, what the resident warps wait for their accesses one after the other. The
 * estimate is a smooth maximum of these bounds.
 * Units: ticks; shares of the estimate. Errors: none. Cost: O(1). Threads: any. */
#ifndef MODEL_RETIME_ESTIMATE_H
#define MODEL_RETIME_ESTIMATE_H

#include "model/retime/many/retime_surface.h"
#include "model/retime/retime_parts.h"

struct timing_estimate {
  double ticks;                           /* 0: the launch has no events that take time */
  double shares[SURFACE_MOST_DIMENSIONS]; /* of engines, latencies, queues, launch and work-groups */
};

/* Returns the estimate for the GPU to which `prices` are set and whose caches have the columns `at`. `own` are the busy
 * ticks of the core that is timed in place of all, or 0 if all cores are timed. */
struct timing_estimate timing_estimate_of(const struct retime_recording *recorded, const struct retime_prices *prices,
                                          const struct gpu_spec *spec, const struct retime_columns *at, double own);

#endif

/* Extends the counts of the beginning of a launch to the whole launch. Private to model/sampling/sample.h. */
#ifndef MODEL_SAMPLE_RESULT_H
#define MODEL_SAMPLE_RESULT_H

#include "model/replay/core.h"

/* Adds to `result`, the counts so far, `factor` times their difference to `half`, the counts at an earlier time. The
 * launch takes `ticks`, and the cycle stacks of all cores add up to them. */
void sample_extrapolate(struct replay_result *result, const struct replay_result *half, double factor, uint64_t ticks,
                        const struct gpu_replay *replay);

#endif

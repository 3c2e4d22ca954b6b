/* Counts of a whole launch from those of its beginning. Private to model/sampling/sample.h. */
#ifndef MODEL_SAMPLE_RESULT_H
#define MODEL_SAMPLE_RESULT_H

#include "model/replay/core.h"

/* `result` counts what was done, `half` what had been done earlier; the rest counts `factor` times what came in
 * between. The launch takes `ticks`; cycle stacks of all cores add up to them. */
void sample_extrapolate(struct replay_result *result, const struct replay_result *half, double factor, uint64_t ticks,
                        const struct gpu_replay *replay);

#endif

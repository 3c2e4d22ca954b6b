/* What a replayed share says about the whole launch, and how far off that may be. Private to model/sampling/sample.h.
 * */
#ifndef MODEL_SAMPLE_ESTIMATE_H
#define MODEL_SAMPLE_ESTIMATE_H

#include "model/sampling/sample.h"

/* Can so large a share stand for the launch at all? */
bool sample_may_estimate(const struct sample_launch *launch, const struct gpu_spec *spec, double share);
/* `now`: what was counted until the last point. True: the sampler's outcome is an estimate within SAMPLE_BOUND. */
bool sample_judge(struct sampler *sampler, const struct gpu_replay *replay, const struct replay_result *now);

#endif

/* Estimates the whole launch from the replayed share, with a bound on the error. Private to model/sampling/sample.h. */
#ifndef MODEL_SAMPLE_ESTIMATE_H
#define MODEL_SAMPLE_ESTIMATE_H

#include "model/sampling/sample.h"

/* Returns whether a share of this size can represent the launch at all. */
bool sample_may_estimate(const struct sample_launch *launch, const struct gpu_spec *spec, double share);
/* Estimates the launch from `now`, the counts until the last point. Returns true if the sampler's outcome is an
 * estimate within SAMPLE_BOUND. */
bool sample_judge(struct sampler *sampler, const struct gpu_replay *replay, const struct replay_result *now);

#endif

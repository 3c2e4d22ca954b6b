/* Replays a part of a launch and estimates the rest, with a bound on the error (simulate_sampled).
 *
 * Progress is work that warps have begun (model/sampling/sample_launch.h), not work-groups that ended. When a share
 * of it is done, the rest is extrapolated from the slope of the second half: of each core where the dispatch order
 * gives each its own work-groups. The bound comes from how far the estimate moved while the share doubled, and from
 * the end of the launch, where cores run empty. Where it is too wide the replay goes on and asks again later, at last
 * to the end: then the result is exact. docs/sampling.md says when an estimate is allowed, and why.
 *
 * The replay calls the sampler's hook whenever all cores have come to replay->until; a stop there changes no result.
 * Ownership: the caller sets `least`, gives sampler_hooks to a replay, whose result then says what was estimated, and
 * calls sampler_clear in any case. Threads: one. */
#ifndef MODEL_SAMPLE_H
#define MODEL_SAMPLE_H

#include "model/sampling/sample_launch.h"

#define SAMPLE_BOUND 0.05 /* an estimate that may be further off is none */
enum { SAMPLE_LOOKS = 8, SAMPLE_POINTS = 1024 };

struct sample_point {
  uint64_t ticks;
  double work;
  double *core_work; /* [cores], where each has its own work-groups; else NULL */
};

struct sampler {
  double least; /* share of the work to be replayed in any case */
  /* private */
  struct replay_estimate outcome;
  uint64_t ticks; /* of the whole launch */
  struct sample_launch launch;
  struct sample_point *points; /* [SAMPLE_POINTS] */
  double *core_work;           /* of all points */
  uint32_t point_count;
  uint32_t look, kept_count;               /* the next one; those whose half is kept */
  struct replay_result kept[SAMPLE_LOOKS]; /* counts when half of a look's share was done */
  double kept_work[SAMPLE_LOOKS];
  uint64_t step; /* ticks to the next question */
};

/* The counts kept when about half of what was done until the last point was, and the work since. */
struct sample_half {
  const struct replay_result *counts;
  double work;
};
struct sample_half sampler_half(const struct sampler *sampler);

/* Returns the hooks of a replay that the sampler may stop. */
struct replay_hooks sampler_hooks(struct sampler *sampler);
void sampler_clear(struct sampler *sampler);

#endif

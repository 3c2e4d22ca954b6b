/* Replays a part of a launch and estimates the rest, with a bound on the error (simulate_sampled).
 *
 * Progress is work that warps have begun (model/sampling/sample_launch.h), not work-groups that ended. When a share of
 * it is done, the rest is extrapolated from the slope of the second half: for each core if the dispatch order assigns
 * work-groups to cores. The bound follows from the movement of the estimate while the share doubled, and from the end
 * of the launch, where cores run empty. If it is too wide the replay continues and checks again later, at last to the
 * end: then the result is exact. docs/sampling.md says when an estimate is allowed, and why.
 *
 * The replay calls the sampler's hook whenever all cores have come to replay->until; a stop there changes no result.
 * Ownership: the caller sets `least`, gives sampler_hooks to a replay, whose result then tells what was estimated, and
 * calls sampler_clear in any case. Threads: one. */
#ifndef MODEL_SAMPLE_H
#define MODEL_SAMPLE_H

#include "model/sampling/sample_launch.h"

#define SAMPLE_BOUND 0.05 /* largest bound of an estimate that is used */
enum { SAMPLE_LOOKS = 8, SAMPLE_POINTS = 1024 };

struct sample_point {
  uint64_t ticks;
  double work;
  double *core_work; /* [cores], if the dispatch order assigns work-groups to cores; else NULL */
};

struct sampler {
  double least; /* least share of the work to be replayed */
  /* the following members are private */
  struct replay_estimate outcome;
  uint64_t ticks; /* ticks of the whole launch */
  struct sample_launch launch;
  struct sample_point *points; /* [SAMPLE_POINTS] */
  double *core_work;           /* work of the cores at all points */
  uint32_t point_count;
  uint32_t look, kept_count;               /* number of the next check; number of checks whose half is kept */
  struct replay_result kept[SAMPLE_LOOKS]; /* counts when half of a check's share was done */
  double kept_work[SAMPLE_LOOKS];
  uint64_t step; /* ticks to the next point */
};

/* The counts when about half of the work until the last point was done, and the work since. */
struct sample_half {
  const struct replay_result *counts;
  double work;
};
struct sample_half sampler_half(const struct sampler *sampler);

/* Returns the hooks of a replay that the sampler may stop. */
struct replay_hooks sampler_hooks(struct sampler *sampler);
void sampler_clear(struct sampler *sampler);

#endif

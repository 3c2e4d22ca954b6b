#include "model/sampling/sample_estimate.h"

#include <math.h>

/* These numbers were chosen on some GPUs and judged on others: docs/sampling.md. */
#define SAFETY      3.0  /* factor of the movement of the estimate while the share doubled */
#define LEAST_ERROR 0.01 /* of the part that was not replayed */
#define LOOP_ERROR  0.02 /* the same, where iterations represent that part */

/* ---- when the rest may be estimated ---- */

/* Returns whether places for work-groups were filled four times, so that everything that happens in a work-group
 * happens at all times. */
static bool has_generations(const struct sample_launch *launch, double share) {
  return share * launch->waves >= 4;
}

/* Returns whether nearly all work-groups run from the beginning, in one loop whose iterations represent the rest. There
 * must be enough iterations, and so many that an item that reads successive words of 4 bytes has read four lines. It
 * does not apply where engines continue while memory is slow: warps of one loop then drift apart, and the lines that L1
 * holds for them change suddenly at one point. */
static bool has_iterations(const struct sample_launch *launch, const struct gpu_spec *spec, double share) {
  return spec->memory == MEMORY_BLOCKING && launch->core_work && launch->waves <= 1.5 && launch->looped >= 0.9 &&
         share * launch->iterations >= 8 && share * launch->executions >= (double)spec->line_bytes;
}

bool sample_may_estimate(const struct sample_launch *launch, const struct gpu_spec *spec, double share) {
  return has_generations(launch, share) || has_iterations(launch, spec, share);
}

/* ---- the estimate ---- */

struct estimate {
  double ticks, apart; /* apart: half of the difference of two ways to estimate it */
};

/* Returns the last point at or before `work`. */
static uint32_t point_before(const struct sampler *s, double work) {
  uint32_t low = 0, high = s->point_count - 1;
  while (low < high) {
    const uint32_t middle = (low + high + 1) / 2;
    if (s->points[middle].work <= work)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

/* The second half of the work until a point. */
struct half {
  const struct sample_point *begin; /* the last point before it */
  double part;                      /* share of the way from there to the next point */
  double ticks;                     /* ticks of the second half */
};

static struct half half_of(const struct sampler *s, const struct sample_point *now) {
  const struct sample_point *begin = &s->points[point_before(s, now->work / 2)];
  const double part = (now->work / 2 - begin->work) / (begin[1].work - begin->work);
  const double begun = (double)begin->ticks + part * (double)(begin[1].ticks - begin->ticks);
  return (struct half){begin, part, (double)now->ticks - begun};
}

static double core_done(const struct half *half, uint32_t core, const struct sample_point *now) {
  const double *before = half->begin[0].core_work, *behind = half->begin[1].core_work;
  return now->core_work[core] - (before[core] + half->part * (behind[core] - before[core]));
}

/* Estimates the end of each core from its own rest. Cores may differ systematically or by chance, so the estimate lies
 * between the slowest core's end if each continues as before and the end if all continue as their mean. */
static struct estimate estimate_cores(const struct sampler *s, const struct sample_point *now, const struct half *half,
                                      uint32_t cores) {
  double own = 0, most = 0, done = 0;
  uint32_t busy = 0;
  for (uint32_t core = 0; core < cores; core++) {
    const double rest = s->launch.core_work[core] - now->core_work[core], did = core_done(half, core, now);
    if (rest <= 0)
      continue;
    own = fmax(own, rest * half->ticks / did);
    most = fmax(most, rest);
    done += did;
    busy++;
  }
  const double common = busy > 0 ? most * half->ticks / (done / busy) : 0;
  return (struct estimate){(double)now->ticks + (own + common) / 2, fabs(own - common) / 2};
}

/* Estimates the end if the launch continues as in the second half of the work until point `index`; may be infinite. */
static struct estimate estimate_at(const struct sampler *s, uint32_t index, uint32_t cores) {
  const struct sample_point *now = &s->points[index];
  const struct half half = half_of(s, now);
  if (s->launch.core_work)
    return estimate_cores(s, now, &half, cores);
  return (struct estimate){(double)now->ticks + (s->launch.work - now->work) * half.ticks / (now->work / 2), 0};
}

/* Returns half of the largest share by which the end of the launch takes longer than its work at full speed: warps that
 * started last run alone, and cores that share a queue end a work-group's work apart. Engines that wait for memory are
 * kept busy by few warps. */
static double tail(const struct sample_launch *launch, const struct gpu_replay *replay) {
  const double resident = (double)replay->group_places * replay->warps_per_group;
  const bool blocking = replay->spec->memory == MEMORY_BLOCKING;
  const double alone = blocking ? fmin(1, replay->execution_engines / resident) : 1;
  const double last = launch->waves > 1 ? launch->longest / launch->waves : launch->longest - 1;
  const double apart = launch->core_work ? 0 : launch->heaviest / (launch->waves * replay->group_places);
  return 0.5 * (last * alone + apart);
}

/* Returns how far the estimate moved since the share was half of the present one. */
static double movement(const struct sampler *s, double ticks, uint32_t cores) {
  const uint32_t last = s->point_count - 1;
  double most = 0;
  for (uint32_t i = point_before(s, s->points[last].work / 2) + 1; i < last; i++)
    most = fmax(most, fabs(estimate_at(s, i, cores).ticks - ticks));
  return most;
}

/* ---- caches that hit more in the rest ---- */

/* Returns the share of the cores' time between two counts that belongs to a component. */
static double time_of(enum stack_component component, const struct replay_result *now, const struct replay_result *half,
                      uint32_t cores) {
  double own = 0, all = 0;
  for (uint32_t core = 0; core < cores; core++)
    for (int i = 0; i < SIM_STACK_COUNT; i++) {
      const double ticks = (double)now->core_stacks[core][i] - (double)half->core_stacks[core][i];
      all += ticks;
      own += i == (int)component ? ticks : 0;
    }
  return all > 0 ? own / all : 0;
}

static double time_behind_l2(const struct replay_result *now, const struct replay_result *half, uint32_t cores) {
  return time_of(STACK_dram, now, half, cores) + time_of(STACK_bandwidth, now, half, cores);
}

/* Returns the share of time that the last work-groups may save, because fewer run beside them and share L1: half of the
 * time behind L1. */
static double fewer_at_the_end(const struct sampler *s, const struct gpu_replay *replay,
                               const struct replay_result *now) {
  const struct sample_half half = sampler_half(s);
  const double behind_l1 =
      time_of(STACK_l2, now, half.counts, replay->core_count) + time_behind_l2(now, half.counts, replay->core_count);
  return s->launch.waves > 1 ? 0.5 * behind_l1 / s->launch.waves : 0;
}

/* Returns the share of its time that the rest may save because L2 is warm. A line that comes to L2 for the first time
 * misses. If more lines would do so in the rest than are left, L2 must hold some of them. */
static double warming(const struct sampler *s, const struct gpu_replay *replay, const struct replay_result *now) {
  const struct sample_half half = sampler_half(s);
  const double rest = s->launch.work - s->points[s->point_count - 1].work;
  const double left = s->launch.lines - (double)now->counters.l2_misses;
  const double expected = (double)(now->counters.l2_misses - half.counts->counters.l2_misses) * rest / half.work;
  if (!replay->spec->l2_enabled || left <= 0 || expected <= left)
    return 0;
  return time_behind_l2(now, half.counts, replay->core_count) * (1 - left / expected);
}

/* Returns whether the second half of the replayed part began before L2 was full, so that the rest writes dirty lines to
 * memory and this half did not. Warps wait for that only where stores take MSHRs. */
static bool writes_back_later(const struct sampler *s, const struct gpu_replay *replay) {
  const struct gpu_spec *spec = replay->spec;
  const double held = (double)spec->l2_bytes / spec->line_bytes;
  return spec->l1_mshrs > 0 && spec->l2_enabled && spec->l2_write == L2_WRITE_BACK && s->launch.lines > held &&
         (double)sampler_half(s).counts->counters.l2_misses < held;
}

/* ---- the judgement ---- */

/* Returns whether the estimate is good enough. */
bool sample_judge(struct sampler *s, const struct gpu_replay *replay, const struct replay_result *now) {
  const struct sample_launch *launch = &s->launch;
  const double share = s->points[s->point_count - 1].work / launch->work;
  const struct estimate end = estimate_at(s, s->point_count - 1, replay->core_count);
  const double moved = SAFETY * movement(s, end.ticks, replay->core_count), late = tail(launch, replay);
  const double other = has_generations(launch, share) ? LEAST_ERROR : LOOP_ERROR + 2 * (1 - launch->looped);
  const double ticks = end.ticks * (1 + late);
  const double bound = (moved + end.apart) / ticks + late + fewer_at_the_end(s, replay, now) +
                       (other + warming(s, replay, now)) * (1 - share);
  if (!(bound <= SAMPLE_BOUND) || ticks > MAX_TICKS || writes_back_later(s, replay))
    return false;
  s->outcome = (struct replay_estimate){true, share, bound};
  s->ticks = (uint64_t)ticks;
  return true;
}

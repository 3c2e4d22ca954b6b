#include "model/sampling/sample_estimate.h"

#include <math.h>

/* Chosen on some GPUs, judged on others: docs/sampling.md. */
#define SAFETY      3.0  /* times the movement of the estimate while the share doubled */
#define LEAST_ERROR 0.01 /* of what was not replayed */
#define LOOP_ERROR  0.02 /* the same, where iterations stand for what was not */

/* ---- when it may be estimated ---- */

/* Places for work-groups were filled four times over: all that happens in a work-group happens at all times. */
static bool has_generations(const struct sample_launch *launch, double share) {
  return share * launch->waves >= 4;
}

/* Nearly all work-groups run from the beginning, in one loop: its iterations stand for them. Enough of them, and so
 * many that an item that reads 4 bytes after 4 bytes has gone through four lines. Not where engines go on while memory
 * is slow: there warps of one loop drift apart, and what L1 holds for them changes at one point all of a sudden. */
static bool has_iterations(const struct sample_launch *launch, const struct gpu_spec *spec, double share) {
  return spec->memory == MEMORY_BLOCKING && launch->core_work && launch->waves <= 1.5 && launch->looped >= 0.9 &&
         share * launch->iterations >= 8 && share * launch->executions >= (double)spec->line_bytes;
}

bool sample_may_estimate(const struct sample_launch *launch, const struct gpu_spec *spec, double share) {
  return has_generations(launch, share) || has_iterations(launch, spec, share);
}

/* ---- the estimate ---- */

struct estimate {
  double ticks, apart; /* apart: of two ways to say it, half */
};

/* The last point at or before `work`. */
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

/* The second half of what was done at a point. */
struct half {
  const struct sample_point *begin; /* the last point before it */
  double part;                      /* of the way from there to the next point */
  double ticks;                     /* that it took */
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

/* Each core has its own rest. Cores may differ by nature or by chance: between the slowest core's end if each goes on
 * as it did and the end if all go on as their mean. */
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

/* If the launch goes on as in the second half of what was done at point `index`; may be infinite. */
static struct estimate estimate_at(const struct sampler *s, uint32_t index, uint32_t cores) {
  const struct sample_point *now = &s->points[index];
  const struct half half = half_of(s, now);
  if (s->launch.core_work)
    return estimate_cores(s, now, &half, cores);
  return (struct estimate){(double)now->ticks + (s->launch.work - now->work) * half.ticks / (now->work / 2), 0};
}

/* The end of the launch takes longer than its work at full speed, by up to twice this share of all: warps that started
 * last run alone, and cores that share a queue end a work-group's work apart. Engines that wait for memory are kept
 * busy by few warps. */
static double tail(const struct sample_launch *launch, const struct gpu_replay *replay) {
  const double resident = (double)replay->slots * replay->warps_per_group;
  const bool blocking = replay->spec->memory == MEMORY_BLOCKING;
  const double alone = blocking ? fmin(1, replay->execution_engines / resident) : 1;
  const double last = launch->waves > 1 ? launch->longest / launch->waves : launch->longest - 1;
  const double apart = launch->core_work ? 0 : launch->heaviest / (launch->waves * replay->slots);
  return 0.5 * (last * alone + apart);
}

/* How far the estimate moved since the share was half of what it is. */
static double movement(const struct sampler *s, double ticks, uint32_t cores) {
  const uint32_t last = s->point_count - 1;
  double most = 0;
  for (uint32_t i = point_before(s, s->points[last].work / 2) + 1; i < last; i++)
    most = fmax(most, fabs(estimate_at(s, i, cores).ticks - ticks));
  return most;
}

/* ---- caches that hit more in the rest ---- */

/* Share of the cores' time between two counts that is this component's. */
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

/* The last work-groups have fewer beside them, and L1 to themselves: half of what they could spare. */
static double fewer_at_the_end(const struct sampler *s, const struct gpu_replay *replay,
                               const struct replay_result *now) {
  const struct sample_half half = sampler_half(s);
  const double behind_l1 =
      time_of(STACK_l2, now, half.counts, replay->core_count) + time_behind_l2(now, half.counts, replay->core_count);
  return s->launch.waves > 1 ? 0.5 * behind_l1 / s->launch.waves : 0;
}

/* What comes to L2 for the first time misses. Where more lines would do so in the rest than are left, some of them must
 * be there: the share of its time that this may spare. */
static double warming(const struct sampler *s, const struct gpu_replay *replay, const struct replay_result *now) {
  const struct sample_half half = sampler_half(s);
  const double rest = s->launch.work - s->points[s->point_count - 1].work;
  const double left = s->launch.lines - (double)now->counters.l2_misses;
  const double expected = (double)(now->counters.l2_misses - half.counts->counters.l2_misses) * rest / half.work;
  if (!replay->spec->l2_enabled || left <= 0 || expected <= left)
    return 0;
  return time_behind_l2(now, half.counts, replay->core_count) * (1 - left / expected);
}

/* A dirty line leaves L2 when another one takes its place. Returns whether the second half of what was replayed began
 * before L2 was full, so that the rest writes to memory what this half did not. Only where stores take MSHRs do warps
 * wait for that. */
static bool writes_back_later(const struct sampler *s, const struct gpu_replay *replay) {
  const struct gpu_spec *spec = replay->spec;
  const double held = (double)spec->l2_bytes / spec->line_bytes;
  return spec->l1_mshrs > 0 && spec->l2_enabled && spec->l2_write == L2_WRITE_BACK && s->launch.lines > held &&
         (double)sampler_half(s).counts->counters.l2_misses < held;
}

/* ---- the judgement ---- */

/* True: the estimate is good enough. */
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

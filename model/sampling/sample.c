#include "model/sampling/sample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/sampling/sample_estimate.h"
#include "model/sampling/sample_result.h"

/* The shares of the work at which the bound is checked. There are few, because each check may pass by accident. */
static const double looks[SAMPLE_LOOKS] = {1 / 16., 3 / 32., 1 / 8., 3 / 16., 1 / 4., 3 / 8., 1 / 2., 3 / 4.};

/* ---- functions that the replay calls ---- */

static double work_begun(const struct gpu_replay *replay) {
  double work = 0;
  for (uint32_t i = 0; i < replay->core_count; i++)
    work += (double)replay->cores[i].sums.work;
  return work;
}

static void add_point(struct sampler *s, const struct gpu_replay *replay, uint64_t ticks, double work) {
  struct sample_point *point = &s->points[s->point_count];
  *point = (struct sample_point){ticks, work, NULL};
  if (s->core_work) {
    point->core_work = s->core_work + (size_t)s->point_count * replay->core_count;
    for (uint32_t i = 0; i < replay->core_count; i++)
      point->core_work[i] = (double)replay->cores[i].sums.work;
  }
  s->point_count++;
}

/* Returns the ticks between the first points: the least time of the work, by issue slots alone, divided by half the
 * number of points. */
static uint64_t first_step(const struct sampler *s, const struct gpu_replay *replay) {
  const double lanes = (double)replay->spec->warp_size * replay->execution_engines * replay->core_count;
  const double ticks = s->launch.work / PRICE_ONE / lanes * replay->spec->arith_cycles * TICKS_PER_CYCLE;
  const double step = fmin(ticks / (SAMPLE_POINTS / 2), (double)(MAX_TICKS / SAMPLE_POINTS));
  return step > TICKS_PER_CYCLE ? (uint64_t)step : TICKS_PER_CYCLE;
}

static bool start(void *listener, struct gpu_replay *replay) {
  struct sampler *s = listener;
  if (!sample_launch_init(&s->launch, replay))
    return false;
  while (s->look < SAMPLE_LOOKS &&
         (looks[s->look] < s->least || !sample_may_estimate(&s->launch, replay->spec, looks[s->look])))
    s->look++;
  if (s->look == SAMPLE_LOOKS || s->launch.work <= 0)
    return true;
  s->points = calloc(SAMPLE_POINTS, sizeof *s->points);
  if (s->launch.core_work)
    s->core_work = calloc((size_t)SAMPLE_POINTS * replay->core_count, sizeof *s->core_work);
  if (!s->points || (s->launch.core_work && !s->core_work))
    return false;
  add_point(s, replay, 0, 0);
  s->step = first_step(s, replay);
  replay->until = replay->launch_ticks + s->step;
  return true;
}

/* Removes every second point, and so doubles the time between points. */
static void thin_out(struct sampler *s, uint32_t cores) {
  for (uint32_t i = 1; 2 * i < s->point_count; i++) {
    double *core_work = s->points[i].core_work;
    if (core_work)
      memcpy(core_work, s->points[2 * i].core_work, cores * sizeof *core_work);
    s->points[i] = (struct sample_point){s->points[2 * i].ticks, s->points[2 * i].work, core_work};
  }
  s->point_count /= 2;
  s->step *= 2;
}

/* Keeps the counts whenever half of the share of a check is done. Returns false when out of memory. */
static bool keep_counts(struct sampler *s, const struct gpu_replay *replay, double share) {
  while (s->kept_count < SAMPLE_LOOKS && share >= looks[s->kept_count] / 2) {
    s->kept_work[s->kept_count] = share * s->launch.work;
    if (!replay_counts_copy(replay, &s->kept[s->kept_count++]))
      return false;
  }
  return true;
}

static void out_of_memory(struct gpu_replay *replay) {
  replay->no_memory = replay->too_long = true;
}

/* Checks the bound when the share of a check is done. Returns whether the replay continues. */
static bool look(struct sampler *s, struct gpu_replay *replay) {
  struct replay_result now = {0};
  if (!replay_counts_copy(replay, &now))
    out_of_memory(replay);
  else
    sample_judge(s, replay, &now);
  replay_result_clear(&now);
  while (s->look < SAMPLE_LOOKS && looks[s->look] <= s->points[s->point_count - 1].work / s->launch.work)
    s->look++;
  if (s->look == SAMPLE_LOOKS)
    replay->until = MAX_TICKS + 1; /* no check follows */
  return !s->outcome.estimated && !replay->no_memory;
}

/* Handles the time at which all cores have come to replay->until. Returns whether they continue, to a later time. */
static bool stop(void *listener, struct gpu_replay *replay) {
  struct sampler *s = listener;
  const double work = fmax(work_begun(replay), s->points[s->point_count - 1].work), share = work / s->launch.work;
  if (s->point_count == SAMPLE_POINTS)
    thin_out(s, replay->core_count);
  add_point(s, replay, replay->until, work);
  replay->until = replay->until + s->step < MAX_TICKS ? replay->until + s->step : MAX_TICKS + 1;
  if (!keep_counts(s, replay, share))
    out_of_memory(replay);
  return !replay->no_memory && (share < looks[s->look] || look(s, replay));
}

struct sample_half sampler_half(const struct sampler *s) {
  const double work = s->points[s->point_count - 1].work;
  uint32_t i = 0;
  while (i + 1 < s->kept_count && s->kept_work[i + 1] <= work / 2)
    i++;
  return (struct sample_half){&s->kept[i], work - s->kept_work[i]};
}

/* Extends the counts to the whole launch. */
static void finish(void *listener, const struct gpu_replay *replay, struct replay_result *result) {
  const struct sampler *s = listener;
  if (!s->outcome.estimated)
    return;
  result->estimate = s->outcome;
  const struct sample_half half = sampler_half(s);
  const double rest = s->launch.work - s->points[s->point_count - 1].work;
  sample_extrapolate(result, half.counts, rest / half.work, s->ticks, replay);
}

struct replay_hooks sampler_hooks(struct sampler *s) {
  return (struct replay_hooks){.listener = s, .start = start, .stop = stop, .finish = finish};
}

void sampler_clear(struct sampler *s) {
  sample_launch_clear(&s->launch);
  free(s->points);
  free(s->core_work);
  for (uint32_t i = 0; i < s->kept_count; i++)
    replay_result_clear(&s->kept[i]);
}

#include "dse/confirm.h"

#include <stdlib.h>

#include "dse/answer/answers.h"
#include "dse/answer/pareto.h"

struct reported {
  const struct run *run;
  bool *wanted; /* [designs] */
  size_t *list; /* [designs], scratch memory */
  double *score;
};

static void want(struct reported *r, uint32_t design) {
  if (design != POINT_IMPOSSIBLE && !outcomes_all_exact(r->run->outcomes, design))
    r->wanted[design] = true;
}

static void want_listed(struct reported *r, size_t count, size_t most) {
  for (size_t i = 0; i < count && i < most; i++)
    want(r, (uint32_t)r->list[i]);
}

/* Marks the designs of the front and the targets of one score. */
static int want_of_score(struct reported *r, const struct scores *scores, const double *score) {
  const struct sweep *sweep = r->run->points->sweep;
  size_t count;
  int status = pareto_front(scores->area, score, scores->design_count, r->list, &count);
  if (status == 0)
    want_listed(r, count, count);
  for (size_t t = 0; t < sweep->target_count && status == 0; t++) {
    status = pareto_reach(scores->area, score, scores->design_count, sweep->targets[t], r->list, &count);
    if (status == 0)
      want_listed(r, count, TARGETS_LISTED);
  }
  return status;
}

static int want_of_all_scores(struct reported *r, const struct scores *scores) {
  int status = 0;
  if (r->run->points->sweep->objective != OBJECTIVE_PER_WORKLOAD)
    return want_of_score(r, scores, scores->objective);
  for (size_t w = 0; w < scores->workload_count && status == 0; w++) {
    for (size_t d = 0; d < scores->design_count; d++)
      r->score[d] = scores->speedups[d * scores->workload_count + w];
    status = want_of_score(r, scores, r->score);
  }
  return status;
}

static void want_sensitivities(struct reported *r) {
  const struct sweep *sweep = r->run->points->sweep;
  for (size_t a = 0; a < sweep->axis_count; a++)
    for (size_t v = 0; v < sweep->axes[a].value_count; v++)
      want(r, answer_one_at_a_time(r->run->points, a, v));
}

/* Writes the designs that must be confirmed next to `designs`. */
static int next_round(struct reported *r, const uint32_t *asked, size_t asked_count, uint32_t *designs, size_t *count,
                      struct error *error) {
  const size_t all = r->run->points->design_count;
  struct scores scores;
  if (scores_compute(r->run->points, r->run->outcomes, &scores, error) != 0)
    return -1;
  for (size_t d = 0; d < all; d++)
    r->wanted[d] = false;
  const int status = want_of_all_scores(r, &scores);
  scores_clear(&scores);
  if (status != 0)
    return error_no_memory(error);
  want_sensitivities(r);
  for (size_t i = 0; i < asked_count; i++)
    want(r, asked[i]);
  *count = 0;
  for (uint32_t d = 0; d < all; d++)
    if (r->wanted[d])
      designs[(*count)++] = d;
  return 0;
}

static int confirm(struct reported *r, const uint32_t *asked, size_t asked_count, uint32_t *designs,
                   struct error *error) {
  for (;;) {
    size_t count = 0;
    if (next_round(r, asked, asked_count, designs, &count, error) != 0)
      return -1;
    if (count == 0)
      return 0;
    if (run_confirm(r->run, designs, count, error) != 0)
      return -1;
  }
}

int confirm_reported(const struct run *run, const uint32_t *asked, size_t asked_count, struct error *error) {
  const size_t all = run->points->design_count;
  struct reported r = {.run = run,
                       .wanted = calloc(all + 1, sizeof *r.wanted),
                       .list = calloc(all + 1, sizeof *r.list),
                       .score = calloc(all + 1, sizeof *r.score)};
  uint32_t *designs = calloc(all + 1, sizeof *designs);
  int status = r.wanted && r.list && r.score && designs ? 0 : error_no_memory(error);
  if (status == 0)
    status = confirm(&r, asked, asked_count, designs, error);
  free(r.wanted);
  free(r.list);
  free(r.score);
  free(designs);
  return status;
}

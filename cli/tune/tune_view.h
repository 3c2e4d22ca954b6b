/* The results of `reassemble tune`, and their rendering as text and JSON (schema reassemble.tune/1). */
#ifndef CLI_TUNE_VIEW_H
#define CLI_TUNE_VIEW_H

#include <stdbool.h>

#include "base/error.h"
#include "cli/core/view.h"
#include "model/params/gpu.h"
#include "tuner/board/board.h"
#include "tuner/identify.h"
#include "tuner/measured_board.h"
#include "tuner/nested.h"
#include "tuner/subset.h"
#include "tuner/tune.h"

struct tune_report {
  const struct tune *tune;
  const struct board *board;
  const struct gpu *gpu;
  const char *objective; /* as the user may write it */
  const char *cv;        /* of --cv, NULL where there is none */
  const struct identification *identification;
  const struct nested *nested; /* of --nested, NULL where there is none */
  const struct choices *choices;
  const struct subset *subset; /* of --subset, NULL where there is none */
  double subset_work_percent;  /* its issue slots, of all */
  size_t search_on;            /* of --search-on, 0: all */
  /* Scores of what has to be beaten, in sample and, with --cv, held out. */
  struct score work_items, issue_slots, work_items_held_out, issue_slots_held_out, roofline;
};

int tune_show(const struct tune_report *report, bool json, struct error *error);

/* A table of scores and the object `key`, a member per row; `first` heads the column of what is scored. */
void tune_scores_begin(struct view *view, const char *key, struct view_list *map);
/* `name`: the member. `score` NULL: there is none. */
void tune_score_row(struct view_list *map, const char *name, const char *label, const struct score *score);

/* Shows which parameters the data determine: the object "identification". */
void tune_identity_show(const struct tune_report *report, struct view *view);
/* Shows the scores of a tuning that chooses for itself: the object "nested", null where there is none. */
void tune_nested_show(const struct tune_report *report, struct view *view);
/* A tuning of a few kernels beside one of all: the object "subset", null where there is none. */
void tune_subset_show(const struct tune_report *report, struct view *view);

#endif

/* What `tune` prints: as text, as JSON, and the GPU file. */
#ifndef CLI_TUNE_REPORT_H
#define CLI_TUNE_REPORT_H

#include <stdbool.h>

#include "base/error.h"
#include "model/params/gpu.h"
#include "tuner/board/board.h"
#include "tuner/identify.h"
#include "tuner/subset.h"
#include "tuner/tune.h"

struct tune_report {
  const struct tune *tune;
  const struct board *board;
  const struct gpu *gpu;
  const char *objective; /* as the user may write it */
  const char *cv;        /* of --cv, NULL where there is none */
  const struct identification *identification;
  const struct subset *subset; /* of --subset, NULL where there is none */
  double subset_work_percent;  /* its issue slots, of all */
  /* Scores of what has to be beaten, in sample and, with --cv, held out. */
  struct score work_items, issue_slots, work_items_held_out, issue_slots_held_out;
};

int tune_print_text(const struct tune_report *report, struct error *error);
/* Part of the text: which parameters the data determine. */
int tune_print_identity(const struct tune_report *report, struct error *error);
/* Part of the text: a tuning of a few kernels beside one of all. */
int tune_print_subset(const struct tune_report *report, struct error *error);
int tune_print_json(const struct tune_report *report, struct error *error);

#endif

/* The results of `reassemble baseline`, and their rendering as text and JSON (schema reassemble.baseline/1). */
#ifndef CLI_BASELINE_VIEW_H
#define CLI_BASELINE_VIEW_H

#include <stdbool.h>

#include "model/params/gpu.h"
#include "tuner/board/board.h"
#include "tuner/learner/features.h"
#include "tuner/learner/projection.h"
#include "tuner/objective/score.h"

#define BASELINE_MOST_ROWS 64

struct baseline_row {
  const char *predictor;          /* static */
  const char *inputs, *selection; /* static; NULL where the predictor has none */
  bool has_in_sample, has_held_out;
  struct score in_sample, held_out;
};

struct baseline_report {
  const struct board *board;
  const struct gpu *gpu;
  const char *cv; /* as given */
  uint64_t seed;
  struct baseline_row rows[BASELINE_MOST_ROWS];
  size_t count;
};

int baseline_show(const struct baseline_report *r, bool json, struct error *error);

#endif

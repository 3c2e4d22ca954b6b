/* validate --ablate: how well a GPU predicts a board with each mechanism off in turn, and while they are added. */
#ifndef CLI_ABLATION_SCORES_H
#define CLI_ABLATION_SCORES_H

#include "cli/replay/ablation_run.h"
#include "tuner/board/board_launches.h"

struct measured_values {
  size_t count;
  const double *measured;                /* [count] */
  const struct board_launches *launches; /* what each measurement is made of */
  const size_t *kernels;                 /* [launches->count]: of the replay */
  double unit_ns;                        /* of the measurements, 0: cycles */
};

/* `reference`: NULL, or the name or file of other people's MAPE per step, shown beside ours; a row's point is the name
 * of a step. */
int ablation_scores_show(const struct ablation *ablation, const struct measured_values *values, const char *reference,
                         struct view *view, struct error *error);
/* Before anything is replayed: returns 0 if the reference loads and names steps of this GPU alone. */
int ablation_check_reference(const struct gpu_spec *spec, const char *reference, struct error *error);

#endif

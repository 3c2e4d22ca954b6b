/* --ablate: every mechanism of a GPU off in turn, and all added one by one (model/params/ablation.h), over the kernels of a
 * replay.
 *
 * Ownership: ablation_run fills, ablation_clear frees. Threads: ablation_run replays on one thread per job; results do
 * not depend on how many. Cost: a replay per kernel and mechanism in use, twice. */
#ifndef CLI_ABLATION_REPORT_H
#define CLI_ABLATION_REPORT_H

#include <jansson.h>

#include "cli/core/replay.h"
#include "model/params/ablation.h"

struct ablation {
  struct ablation_variant *variants;
  size_t count, kernels;
  double *cycles, *time_ns; /* [count * kernels], variant after variant; cycles is one allocation for both */
};

/* `replay` has been simulated: its results are those of the first variant. */
int ablation_run(struct ablation *ablation, const struct replay *replay, int jobs, bool quiet, struct error *error);
void ablation_clear(struct ablation *ablation);

/* simulate: cycles and how they change, per variant and, in JSON, per kernel. */
int ablation_print_cycles(const struct ablation *ablation, const struct replay *replay, struct error *error);
json_t *ablation_cycles_json(const struct ablation *ablation, const struct replay *replay);

/* What a variant is called in a row of a table: "all", "without l1", "+ l1"; the caller frees it. */
char *ablation_label(const struct ablation_variant *variant);
/* The members that every variant has in JSON: kind, mechanism (null: none), meaning. */
json_t *ablation_variant_json(const struct ablation_variant *variant);

/* validate: how well each variant predicts. `reference` NULL, or the name or file of other people's MAPE per step,
 * printed beside ours: a row's point is the name of a step. */
struct measured_values {
  size_t count;
  const double *measured; /* [count] */
  const size_t *kernel;   /* [count]: of the replay */
  bool nanoseconds;       /* else cycles */
};

/* Before anything is replayed: does the reference load, and does it name steps of this GPU? */
int ablation_check_reference(const struct gpu_spec *spec, const char *reference, struct error *error);
int ablation_print_scores(const struct ablation *ablation, const struct measured_values *values, const char *reference,
                          struct error *error);
json_t *ablation_scores_json(const struct ablation *ablation, const struct measured_values *values,
                             const char *reference, struct error *error);

#endif

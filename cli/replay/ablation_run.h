/* --ablate: every mechanism of a GPU off in turn, and all added one by one (model/params/ablation.h), over the kernels
 * of a replay.
 *
 * Ownership: ablation_run fills, ablation_clear frees.
 * Cost:      two replays per kernel and mechanism in use.
 * Threads:   ablation_run replays on one thread per job; results do not depend on how many. */
#ifndef CLI_ABLATION_RUN_H
#define CLI_ABLATION_RUN_H

#include "cli/replay/replay.h"
#include "cli/core/view.h"
#include "model/params/ablation.h"

struct ablation {
  struct ablation_variant *variants;
  size_t count, kernels;
  double *cycles, *time_ns; /* [count * kernels], variant after variant; cycles is one allocation for both */
};

/* `replay` has been simulated: its results are those of the first variant. */
int ablation_run(struct ablation *ablation, const struct replay *replay, int jobs, bool quiet, struct error *error);
void ablation_clear(struct ablation *ablation);

/* Returns what a variant is called in a row of a table, "all", "without l1" or "+ l1"; the caller frees it. */
char *ablation_label(const struct ablation_variant *variant);

/* The list "ablation": in text two tables, one mechanism off in turn and all added one by one. A row begins with
 * ABLATION_COLUMNS, whose values ablation_values fills in. */
#define ABLATION_COLUMNS                                                                                               \
  {.key = "kind"}, {.key = "mechanism"}, {.key = "meaning"}, {                                                         \
    .title = ""                                                                                                        \
  }
enum { ABLATION_COLUMNS_LABEL = 3, ABLATION_COLUMNS_COUNT = 4 };
void ablation_values(const struct ablation_variant *variant, const char *label, struct view_value *values);

typedef void ablation_row(const struct ablation *ablation, size_t variant, struct view_list *list, const void *context);
void ablation_show(const struct ablation *ablation, struct view *view, const struct view_column *columns, size_t count,
                   ablation_row *row, const void *context);

#endif

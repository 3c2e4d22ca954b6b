/* Several GPUs that a command compares on the same traces: those of --gpu, and each of them as every --set changes it.
 *
 * Ownership: designs_load fills the list, designs_clear frees it with the results. Errors: a GPU or parameter that is
 * not known, a value out of range. Threads: as replay_simulate. Cost: a replay for each design and kernel. */
#ifndef CLI_DESIGNS_H
#define CLI_DESIGNS_H

#include "base/error.h"
#include "cli/core/options.h"
#include "cli/core/view.h"
#include "cli/replay/replay.h"

struct design {
  struct gpu *gpu;            /* its name says what was set: "mali-g71-mp8 cores=16" */
  struct sim_result *results; /* [kernels of the replay] */
  char **refusals;            /* [kernels of the replay]; NULL: the kernel has a result */
};

struct designs {
  struct design *items;
  size_t count, kernels;
};

/* clang-format off */
#define DESIGN_ROWS(gpus, sets) \
  {.name = "gpu", .letter = 'g', .argument = "GPU,...", .type = OPTION_LIST, .target = &(gpus), \
   .help = "GPU description, by name or file (required); several are compared"}, \
  {.name = "set", .argument = "P=V,...", .type = OPTION_LIST, .target = &(sets), \
   .help = "compare with this GPU changed: cores=16,l1_bytes=x2; may be given again"}
/* clang-format on */

int designs_load(struct designs *designs, const struct option_list *gpus, const struct option_list *sets,
                 struct error *error);
/* Replays the kernels that `replay` has loaded on all designs but the first, whose results stay in `replay` and are
 * lent to designs->items[0]. The replay's GPU is that of the first design, borrowed. */
int designs_replay(struct designs *designs, struct replay *replay, const struct options *options, struct error *error);
/* A table of times, a column for each design, with the geometric mean of the speed-ups over the first, and an array
 * "designs" whose elements hold the results. Shows nothing where there is one design. */
void designs_show(const struct designs *designs, const struct replay *replay, struct view *view);
void designs_clear(struct designs *designs);

#endif

/* The traces of a board's measurements.
 *
 * Loads each workload once, though several of its launches may have been measured. Errors that stem from the board file
 * name it. Ownership: the kernels are the replay's; measured_load allocates *launches (board->count), which the caller
 * frees. */
#ifndef CLI_MEASURED_H
#define CLI_MEASURED_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "cli/core/replay.h"
#include "tuner/board/board.h"

/* The kernels of a measurement's workload among the replay's: the measured one is kernels[first + launch]. */
struct measured_launches {
  size_t first, count;
};

/* The GPU `name`, or where that is NULL the one that the board file names. */
int measured_load_gpu(struct replay *replay, const struct board *board, const char *name, struct error *error);
int measured_load(struct replay *replay, const struct board *board, double timeout_s, const struct options *options,
                  struct measured_launches **launches, struct error *error);

/* The kernel of measurement i. */
struct replay_kernel *measured_kernel(const struct replay *replay, const struct board *board,
                                      const struct measured_launches *launches, size_t i);

#endif

/* The traces of a board's measurements.
 *
 * Loads each workload once, though several of its launches may have been measured. Errors that stem from the board file
 * name it.
 * Ownership: the kernels are the replay's; measured_load allocates *launches (board->count), which the caller frees. */
#ifndef CLI_MEASURED_H
#define CLI_MEASURED_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "cli/replay/replay.h"
#include "tuner/measured_board.h"

/* The kernels of a measurement's workload among the replay's: the measured one is kernels[first + launch]. */
struct measured_launches {
  size_t first, count;
};

int measured_load(struct replay *replay, const struct board *board, const struct options *options,
                  struct measured_launches **launches, struct error *error);

/* The kernel of measurement i. */
struct replay_kernel *measured_kernel(const struct replay *replay, const struct board *board,
                                      const struct measured_launches *launches, size_t i);

/* Loads the traces into `replay`, which has to outlive `m`, and gives them to the board. The seed of the options is not
 * used: the workloads have to have the data that were measured. */
int measured_load_board(struct measured_board *m, struct replay *replay, const struct options *options,
                        struct error *error);

/* Returns 0 if --board was given. */
int measured_check_board(const char *board, struct error *error);

#endif

/* The traces of a board's measurements.
 *
 * Loads each workload once, though several of its launches may have been measured. Errors that stem from the board file
 * name it.
 * Ownership: the kernels are the replay's; measured_load allocates *kernels, which the caller frees. */
#ifndef CLI_MEASURED_H
#define CLI_MEASURED_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "cli/replay/replay.h"
#include "tuner/measured_board.h"

/* (*kernels)[i]: index of the replay's kernel that is launch i of `launches`. */
int measured_load(struct replay *replay, const struct board *board, const struct board_launches *launches,
                  const struct options *options, size_t **kernels, struct error *error);

/* Loads the traces into `replay`, which has to outlive `m`, and gives them to the board. The seed of the options is not
 * used: the workloads have to have the data that were measured. */
int measured_load_board(struct measured_board *m, struct replay *replay, const struct options *options,
                        struct error *error);

/* Returns 0 if --board was given. */
int measured_check_board(const char *board, struct error *error);

#endif

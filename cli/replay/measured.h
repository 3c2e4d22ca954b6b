/* The traces of a board's measurements.
 *
 * Loads each workload once, though several of its launches may have been measured. Errors that stem from the board file
 * name it.
 * Ownership: the kernels are the replay's; measured_add allocates *kernels, which the caller frees. */
#ifndef CLI_MEASURED_H
#define CLI_MEASURED_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "cli/replay/replay.h"
#include "cli/replay/trace_store.h"
#include "tuner/measured_board.h"

/* (*kernels)[i]: index of the replay's kernel that is launch i of `launches`. Traces of many points of a table stay in
 * the folder of `files`, which begins empty and which the caller clears after the replay; others, and all where it is
 * NULL, are loaded. The options have to stay until then. */
int measured_add(struct replay *replay, const struct board *board, const struct board_launches *launches,
                 struct trace_store *files, const struct options *options, size_t **kernels, struct error *error);

/* Loads the traces into `replay`, which has to outlive `m`, and gives them to the board. The seed of the options is not
 * used: the workloads have to have the data that were measured. */
int measured_load_board(struct measured_board *m, struct replay *replay, const struct options *options,
                        struct error *error);

/* Returns 0 if --board was given. */
int measured_check_board(const char *board, struct error *error);

#endif

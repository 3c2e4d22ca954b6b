/* A tuning by several processes (MPI, base/process/ranks.h). All run the command, with the same files. They share the
 * emulations and simulations, so that all have all predictions and make the same decisions; the first one prints. */
#ifndef CLI_TUNE_RANKS_H
#define CLI_TUNE_RANKS_H

#include "cli/core/options.h"
#include "cli/replay/replay.h"
#include "tuner/board/board.h"

/* Runs the command between the beginning and the end of MPI: in one thread a process, unless --jobs was given. */
int tune_ranks_run(const struct options *options, int (*run)(const struct options *options, struct error *error),
                   struct error *error);

/* Returns `status`, that of the preparations, where they went well in all processes, which have the same board, GPU and
 * traces; else -1 in all. Several processes refuse a journal: `journal` is its path, or NULL. */
int tune_ranks_agree(int status, const struct board *board, const struct gpu *gpu, const struct replay *traces,
                     const char *journal, struct error *error);

#endif

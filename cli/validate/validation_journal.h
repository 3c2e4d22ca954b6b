/* The journal of a validation (base/input/journal.h): the replayed launches of one board, so that a run of thousands of
 * points goes on after an interruption.
 *
 * Format: a result is "r DIGEST VARIANT CYCLES TIME_NS SLOTS": the digest of the trace's bytes (16 hexadecimal digits),
 * 0 or the number of a variant of the ablation, and numbers as C's %a. Results are those of traces, whatever the number
 * of the launch: a launch that could not be emulated in one run changes nothing about the others.
 * Checks: the head names board, choice of points, GPU and version. Results of traces that the replay does not have are
 * kept and not used. The first of the others is replayed again and has to be equal, because the program may have
 * changed.
 * Ownership: validation_journal_open allocates, validation_journal_close frees (NULL: nothing); the replay is borrowed.
 * Threads: as struct replay_keeper says. */
#ifndef CLI_VALIDATION_JOURNAL_H
#define CLI_VALIDATION_JOURNAL_H

#include <stdbool.h>

#include "base/error.h"
#include "cli/replay/replay.h"
#include "tuner/board/board.h"

struct validation_journal;

/* Makes or opens the file `path`. The kernels of the replay have their digests. */
int validation_journal_open(const char *path, const struct board *board, const struct replay *replay, bool ablate,
                            struct validation_journal **out, struct error *error);
/* Returns what gives and takes the replay's results. */
const struct replay_keeper *validation_journal_keeper(const struct validation_journal *journal);
void validation_journal_close(struct validation_journal *journal);

#endif

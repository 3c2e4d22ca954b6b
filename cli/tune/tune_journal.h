/* The journal of a run of `tune`: where it lies and what it has to agree with. */
#ifndef CLI_TUNE_JOURNAL_H
#define CLI_TUNE_JOURNAL_H

#include <stdint.h>

#include "base/error.h"
#include "model/params/gpu.h"
#include "tuner/board/board.h"
#include "tuner/evaluate/point_journal.h"
#include "tuner/tune.h"

/* Opens `path` for the tuning: version, board, GPU, parameters, method, objective and seed have to be those of the run
 * that began it. */
int tune_journal_open(const char *path, struct tune *tune, const struct board *board, const struct gpu *gpu,
                      const char *objective, struct point_journal **out, struct error *error);

/* Returns the path of the journal of a run that writes to `output`, which the caller frees; NULL: there is none,
 * because `output` is NULL or is written through. */
char *tune_journal_beside(const char *output);

/* Returns a number that differs for other measurements and for another GPU. */
uint64_t tune_digest(const struct board *board, const struct gpu *gpu);

#endif

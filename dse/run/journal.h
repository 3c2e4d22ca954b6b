/* The journal of a sweep: every result as one line of text, written when it is known, so that a run can be resumed
 * after it was ended at any byte.
 *
 * Format: a line is 16 hexadecimal digits (FNV-1a of the rest), a space, the rest. The rest of the first line is a JSON
 * object that identifies the run (the head); every other line's is "r DESIGN WORKLOAD exact|approximate|confirmed M1 M2
 * ...", numbers as C's %a, which are exact.
 * Reading: a last line without its end is cut off; a line whose checksum is wrong counts as missing. The head must
 * equal the reader's own: a journal of another sweep, GPU, set of traces or version is refused.
 * Threads: one thread at a time calls journal_append. One process writes at a time (flock). */
#ifndef DSE_JOURNAL_H
#define DSE_JOURNAL_H

#include <stdbool.h>

#include <jansson.h>

#include "base/error.h"
#include "dse/evaluate/evaluate.h"
#include "dse/points/points.h"

/* Returns the head of a journal of this sweep, which the caller releases with json_decref; NULL when out of memory.
 * `exact` says that nothing is approximate. */
json_t *journal_head(const struct points *points, const struct evaluation *evaluation, bool exact, const char *version);

struct journal;

/* Makes the file, or with `resume` opens it, reads its results into `outcomes` and appends to it. */
int journal_open(const char *path, const json_t *head, bool resume, struct outcomes *outcomes, struct journal **out,
                 struct error *error);
int journal_append(struct journal *journal, size_t design, size_t workload, const double *values, size_t value_count,
                   enum outcome_kind kind, struct error *error);
void journal_close(struct journal *journal);

/* Reads the head of a journal, for a reader that does not know the sweep yet. */
int journal_read_head(const char *path, json_t **out, struct error *error);
/* Adds a journal's results to `outcomes`. */
int journal_read(const char *path, const json_t *head, struct outcomes *outcomes, struct error *error);

#endif

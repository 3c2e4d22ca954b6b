/* The journal of a sweep (base/input/journal.h), so that a sweep can be resumed after it was ended at any byte.
 *
 * Format: a result is "r DESIGN WORKLOAD exact|approximate|confirmed M1 M2 ...", numbers as C's %a, which are exact.
 * The head has to be the reader's own: a journal of another sweep, GPU, set of traces or version is refused. */
#ifndef DSE_SWEEP_JOURNAL_H
#define DSE_SWEEP_JOURNAL_H

#include <stdbool.h>

#include <jansson.h>

#include "base/error.h"
#include "base/input/journal.h"
#include "dse/evaluate/evaluate.h"
#include "dse/points/points.h"

/* Returns the head of a journal of this sweep, which the caller releases with json_decref; NULL when out of memory.
 * `exact` says that nothing is approximate. */
json_t *sweep_journal_head(const struct points *points, const struct evaluation *evaluation, bool exact,
                           const char *version);

/* Makes the file, or with `resume` opens it, reads its results into `outcomes` and appends to it. The caller closes it
 * with journal_close. */
int sweep_journal_open(const char *path, const json_t *head, bool resume, struct outcomes *outcomes,
                       struct journal **out, struct error *error);
int sweep_journal_append(struct journal *journal, size_t design, size_t workload, const double *values,
                         size_t value_count, enum outcome_kind kind, struct error *error);

/* Reads the head of a journal, for a reader that does not know the sweep yet. */
int sweep_journal_read_head(const char *path, json_t **out, struct error *error);
/* Adds a journal's results to `outcomes`. */
int sweep_journal_read(const char *path, const json_t *head, struct outcomes *outcomes, struct error *error);

#endif

/* The journal of a tuning: what was evaluated, on disk while it runs.
 *
 * Format:  JSON lines. The first states the run ({"schema": "reassemble.tune-journal/1", KEY: TEXT ...}), each other
 *          one a point: {"point": [...], "predictions": [...]} (null: the model refuses the point). Doubles have 17
 *          digits. A run that was killed leaves at most one torn line, the last, which point_journal_open drops. A
 *          journal of another run (other board, GPU, seed, version ...) is an error that says which. Lines are written
 *          at once and synced to disk at least twice a second.
 * Threads: one. Only one process at a time has a journal open (flock). */
#ifndef TUNER_POINT_JOURNAL_H
#define TUNER_POINT_JOURNAL_H

#include <stddef.h>

#include "base/error.h"

struct evaluator;
struct point_journal;

/* What has to be equal for a journal to belong to this run. */
struct point_journal_fact {
  const char *key;
  char text[256];
};

/* Opens or creates `path` and puts its points into `e`, whose journal it becomes. Where it held points, the first is
 * simulated again: traces or model that have changed are an error. */
int point_journal_open(const char *path, const struct point_journal_fact *facts, size_t fact_count, struct evaluator *e,
                       struct point_journal **out, struct error *error);
int point_journal_append(struct point_journal *journal, const double *points, const double *predictions, size_t count,
                         struct error *error);
/* Syncs and closes. */
int point_journal_close(struct point_journal *journal, struct error *error);

#endif

/* The journal of a tuning: its evaluated points, on disk while it runs.
 *
 * Format: JSON lines. The first describes the run ({"schema": "reassemble.tune-journal/1", KEY: TEXT ...}), each other
 * one is a point: {"point": [...], "predictions": [...]} (null: the model refuses the point). Doubles have 17 digits. A
 * run that was killed leaves at most one incomplete line, the last, which point_journal_open drops. A journal of
 * another run (other board, GPU, seed, version ...) is an error that names the difference. Lines are written at once
 * and synced to disk at least twice a second.
 * Threads: one. Only one process at a time has a journal open (flock). */
#ifndef TUNER_POINT_JOURNAL_H
#define TUNER_POINT_JOURNAL_H

#include <stddef.h>

#include "base/error.h"

struct evaluator;
struct point_journal;

/* A fact that must be equal for a journal to belong to this run. */
struct point_journal_fact {
  const char *key;
  char text[256];
};

/* Opens or creates `path`, adds its points to `e`, and becomes the journal of `e`. If it held points, the first is
 * simulated again: it is an error if traces or model have changed. */
int point_journal_open(const char *path, const struct point_journal_fact *facts, size_t fact_count, struct evaluator *e,
                       struct point_journal **out, struct error *error);
int point_journal_append(struct point_journal *journal, const double *points, const double *predictions, size_t count,
                         struct error *error);
/* Syncs and closes the journal. */
int point_journal_close(struct point_journal *journal, struct error *error);

#endif

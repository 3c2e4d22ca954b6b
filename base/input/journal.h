/* A journal: every result of a long run as one line of text, written when it is known, so that a run can go on after it
 * was ended at any byte.
 *
 * Format: a line is 16 hexadecimal digits (FNV-1a of the rest), a space, the rest. The rest of the first line is a JSON
 * object that identifies the run (the head); that of every other line is a result, in words of the journal's kind.
 * Reading: a last line without its end is cut off; a line whose checksum is wrong counts as missing. The head must
 * equal the reader's own in every member that the kind names.
 * Ownership: journal_open allocates, journal_close frees; kinds and texts are borrowed.
 * Errors: ERROR_INPUT for a file that is no journal of this run, ERROR_WORK where it cannot be written.
 * Threads: one thread at a time calls journal_append. One process writes at a time (flock). */
#ifndef BASE_JOURNAL_H
#define BASE_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

#include "base/error.h"

/* A member of the head, and what it means to a user whose journal has another value there. */
struct journal_member {
  const char *key, *meaning;
};

struct journal_kind {
  const char *run;                      /* what it is a journal of: "a sweep" */
  const struct journal_member *members; /* the last has no key */
  const char *otherwise;                /* what to do with a journal of another run: "choose another output folder" */
  const char *goes_on;                  /* the command that goes on after an error: "--resume" */
};

/* Takes the rest of line `number`, which is not damaged. The text may be changed. Returns 0, or -1 with an error. */
typedef int journal_take(void *context, const char *path, unsigned number, char *rest, struct error *error);

struct journal;

/* Makes the file, or with `resume` opens it or makes it, gives its results to `take` and appends to it. */
int journal_open(const char *path, const struct journal_kind *kind, const json_t *head, bool resume, journal_take *take,
                 void *context, struct journal **out, struct error *error);
/* Writes a result as a whole line, or, where the disk is full, nothing. */
int journal_append(struct journal *journal, const char *rest, struct error *error);
void journal_close(struct journal *journal);

/* Reads the head of a journal, which the caller releases with json_decref, for a reader that has no head of its own. */
int journal_read_head(const char *path, const struct journal_kind *kind, json_t **out, struct error *error);
/* Gives a journal's results to `take`. */
int journal_read(const char *path, const struct journal_kind *kind, const json_t *head, journal_take *take,
                 void *context, struct error *error);

#endif

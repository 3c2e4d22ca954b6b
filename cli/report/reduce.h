/* Smaller forms of documents that are too large for a page: sweeps of many designs, and timelines.
 *
 * Both change the document in place. *note is a sentence for the page that says what was left out (the caller frees
 * it); NULL where nothing was. Cost: linear in the document. Errors: out of memory, and ERROR_INPUT for a timeline
 * without spans. */
#ifndef CLI_REDUCE_H
#define CLI_REDUCE_H

#include "base/error.h"
#include "cli/report/documents.h"

/* Leaves out names and times of more than 2,000 designs, speed-ups of single workloads where these are more than
 * 10,000, and of more than 8,000 designs all but each n-th and those of the answers. */
int reduce_sweep(struct document *document, char **note, struct error *error);
/* Replaces the spans by the share of the time that the engines of each core were busy, by kind of work, in 240 bins. */
int reduce_timeline(struct document *document, char **note, struct error *error);
/* The same for the host and the queues of a program (run --timeline). */
int reduce_program_timeline(struct document *document, char **note, struct error *error);

#endif

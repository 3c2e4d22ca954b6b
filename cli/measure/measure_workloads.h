/* The workloads of `reassemble measure`: all are read before the first one runs, so that a mistake in the last name
 * does not cost the measurements of the others.
 *
 * Ownership: none. Errors: those of reading a workload, with its place; what a device refuses is no error
 * (measure/measure.h). Threads: one at a time for a session. */
#ifndef CLI_MEASURE_WORKLOADS_H
#define CLI_MEASURE_WORKLOADS_H

#include "cli/measure/measure_journal.h"

/* Reads a workload, or each member of a set. */
int workloads_check(const char *input, struct error *error);
/* Measures them, or recalls them from the journal, if it is not NULL. */
int workloads_measure(struct measure_journal *journal, struct session *session, const char *input,
                      const struct measure_options *options, struct measurements *m, bool quiet, struct error *error);

#endif

/* The journal of measurements (base/input/journal.h): the launches of one workload a line, so that a run of hundreds of
 * workloads goes on after an interruption.
 *
 * Format: a result is a JSON object with the workload's name and digest and its launches, in ns. The digest covers all
 * that the device is given: kernel source, build options, buffers, launches. A workload that was skipped is not kept,
 * and is tried again. Checks: the head names version, device, driver, repetitions, state of the caches and whether
 * results are checked.
 * Ownership: measure_journal_open allocates, measure_journal_close frees (NULL: nothing). Errors: those of a journal.
 * Threads: one at a time. */
#ifndef CLI_MEASURE_JOURNAL_H
#define CLI_MEASURE_JOURNAL_H

#include "measure/measure.h"

struct measure_journal;

/* Makes or opens the file `path`. */
int measure_journal_open(const char *path, const struct device *device, const struct measure_options *options,
                         struct measure_journal **out, struct error *error);
void measure_journal_close(struct measure_journal *journal);
/* Appends the launches of the workload as measure_workload does, from the journal where it has them; without it
 * measures them and keeps them. `journal` NULL: measures. */
int measure_or_recall(struct measure_journal *journal, struct session *session, const char *name,
                      const struct workload *workload, const struct measure_options *options, struct measurements *m,
                      struct error *error);

#endif

/* Timing of the phases between a kernel's source and its first work-item. Private to tracegen.
 *
 * With REASSEMBLE_PHASES set, every mark prints the milliseconds since the last one, by the clock and of processors,
 * to standard error. Threads: one. */
#ifndef TRACEGEN_PHASES_H
#define TRACEGEN_PHASES_H

#include <stdbool.h>

/* Ends a phase; `ended` is its name, NULL: a phase that is not printed. */
void phase_mark(const char *ended);
/* Stops marks from printing, for work that runs beside other work. */
void phase_silence(bool silent);

#endif

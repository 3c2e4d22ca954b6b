/* Where the time between a kernel's source and its first work-item goes: with REASSEMBLE_PHASES set, every mark prints
 * the milliseconds since the one before, by the clock and of processors, to standard error. Private to tracegen. */
#ifndef TRACEGEN_PHASES_H
#define TRACEGEN_PHASES_H

#include <stdbool.h>

/* `ended`: what took the time since the last mark; NULL: nothing that anybody asks for. */
void phase_mark(const char *ended);
/* What runs beside everything else has no phases. */
void phase_silence(bool silent);

#endif

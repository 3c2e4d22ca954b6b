/* Stops a kernel that takes too long, at no cost while it runs: an alarm makes the recording read-only (recording.h),
 * so that the running work-item faults when it enters its next block. Private to tracegen.
 *
 * One a process: it is the interval timer of real time. Forked processes start without one. */
#ifndef TRACEGEN_RUN_WATCHDOG_H
#define TRACEGEN_RUN_WATCHDOG_H

#include "base/error.h"

/* `deadline_s`: on the monotonic clock, when the recording stops; 0: never. */
int watchdog_start(double deadline_s, struct error *error);
void watchdog_end(void);

#endif

/* Stops a kernel that takes too long, at no cost while it runs: a timer makes the recording read-only
 * (group/recording.h), so that the work-item that runs faults when it enters its next block. Private to run.
 *
 * There is one per process, because it is the interval timer of real time. Forked processes start without one. */
#ifndef TRACEGEN_RUN_WATCHDOG_H
#define TRACEGEN_RUN_WATCHDOG_H

#include "base/error.h"

/* The recording stops at `deadline_s`, by clock_seconds; 0: never. */
int watchdog_start(double deadline_s, struct error *error);
void watchdog_end(void);

#endif

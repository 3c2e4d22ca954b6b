/* The list of system calls that a confined process may make (sandbox.h). Private to tracegen. */
#ifndef TRACEGEN_SYSTEM_CALLS_H
#define TRACEGEN_SYSTEM_CALLS_H

#include <stdbool.h>

/* Makes the filter, which takes a millisecond; NULL: none can be made. `may_fork`: processes may be forked. */
void *system_calls_prepare(bool may_fork);
/* Makes the filter for the time in which a kernel is compiled: all but what only an attack does. */
void *system_calls_prepare_compiling(void);
bool system_calls_confine_compiling(const void *filter);
/* Applies a filter to this process; false: the system has no such thing, or forbids it. */
bool system_calls_confine(const void *filter);
void system_calls_release(void *filter);
/* Returns whether this system filters system calls. */
bool system_calls_are_filtered(void);

#endif

/* Times commands on a real device: every command runs on the device of this machine, and its simulated time is the time
 * measured there times the factor of its kind ("device in the loop": Ko, PhD thesis, Seoul National University, 2016,
 * sections 5.2 and 5.5.5).
 *
 * Every command is waited for as soon as it is enqueued, so it runs alone; where it waits for a user event, its time is
 * taken when the event is set. A kernel's own time is that of OpenCL's profiling. What a call takes beside that is the
 * host's (calls), and what passes from the end of a call to the start of the command and from its end to that of the
 * wait is the device's latency, which a call that waits pays.
 * Units: nanoseconds. Threads: any. Errors: a device that cannot tell times gives 0. Private to the board. */
#ifndef TRACEGEN_PROGRAM_DEVICE_TIME_H
#define TRACEGEN_PROGRAM_DEVICE_TIME_H

#include "tracegen/program/board/virtual_command.h"
#include "tracegen/program/board/virtual_settings.h"

/* Makes queues that can tell the times of their commands, where settings->device_times. */
void virtual_wrap_device_times(cl_icd_dispatch *table, const struct virtual_settings *settings);
bool device_time_is_on(void);
/* Waits for the event, and returns how long its command, which is of this kind, takes. */
int64_t device_time_of(cl_event event, enum command_kind kind);
/* The call has enqueued the command: fills in the time of the command, where that can be known, and passes that of the
 * call. */
void device_time_measure(struct virtual_command *c, bool blocks);
/* Returns how long the program waits, after the command that ran last has ended, for the call that waits to return. */
int64_t device_time_latency(void);
/* Passes the time since `start` (real) as that of a call. */
void device_time_pass_call(int64_t start);

#endif

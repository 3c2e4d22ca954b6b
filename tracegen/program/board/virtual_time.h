/* The simulated time of this process: its timeline, guarded by a lock, and the lines about what the host did.
 *
 * While no thread is inside an OpenCL call, the host's time passes as measured, times host_scale. While one is, it
 * stands still: what a call costs is what the timeline says, however long the device of this machine needs for it.
 * Units: nanoseconds since the process began. Threads: any, but for virtual_time_open. Private to the board. */
#ifndef TRACEGEN_PROGRAM_VIRTUAL_TIME_H
#define TRACEGEN_PROGRAM_VIRTUAL_TIME_H

#include "tracegen/program/board/virtual_settings.h"
#include "tracegen/program/timeline/timeline_actions.h"

bool virtual_time_open(const char *folder, const struct virtual_settings *settings);

/* Around every OpenCL call whose real time does not count. Calls may nest, as callbacks do. */
void virtual_enter(void);
void virtual_leave(void);

/* Around work of a driver that runs on the host inside of a call. The time of a compilation passes as measured, times
 * host_scale; that of other work only where the device's times do (device_time.h). Returns what virtual_work_end
 * takes. */
int64_t virtual_work_begin(void);
void virtual_work_end(int64_t start, bool compiles);

/* Applies what the host does to the timeline, and writes its line. Returns the number of the command or queue that is
 * new; TIMELINE_NONE: none, or out of memory. */
uint32_t virtual_act(const struct action *action);
/* Ends the program with a message. Without memory simulated time cannot go on, and a program that waits for it would
 * never end. */
_Noreturn void virtual_end_without_memory(void);
/* Returns whether the timeline knows when the command runs, and if so its times. */
bool virtual_times(uint32_t command, struct command_times *out);
/* Returns whether it would be known at once when the command runs, if it were enqueued. */
bool virtual_is_ready(const struct command_request *request);
/* Returns the first kernel that could be placed if its time were known, or TIMELINE_NONE. */
uint32_t virtual_unknown(void);
/* OpenCL calls the program back: from a thread that OpenCL made, or out of a call of the program. Until
 * virtual_called_back is given the result, the thread runs the program's code, whose clocks are simulated. */
struct outer_call {
  unsigned depth; /* of calls of the program that the thread is in */
  bool of_program;
};
struct outer_call virtual_call_back(void);
void virtual_called_back(struct outer_call outer);
/* To be called when the program reads simulated time from a clock or an event: its further calls may depend on the time
 * of the commands that it has enqueued before. */
void virtual_time_is_read(void);
/* Returns the host's time. */
int64_t virtual_now(void);

#endif

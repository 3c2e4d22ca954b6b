/* Maps an event of OpenCL to its command of the timeline.
 *
 * A handle that OpenCL uses again stands for the command that it was noted for last. Units and errors: those of
 * virtual_time.h. Cost: constant on average. Threads: any. Private to the board. */
#ifndef TRACEGEN_PROGRAM_VIRTUAL_EVENTS_H
#define TRACEGEN_PROGRAM_VIRTUAL_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "tracegen/program/launch/launch.h"

/* The OpenCL that the program had without the board: the wrappers of the capture, and OpenCL behind them. */
extern cl_icd_dispatch captured;

void virtual_event_note(cl_event event, uint32_t command);
/* Returns its command, or TIMELINE_NONE for an event that the board has not seen. */
uint32_t virtual_event_command(cl_event event);
/* Forgets the event when the program has released it as often as it was retained. */
void virtual_event_retain(cl_event event);
void virtual_event_release(cl_event event);

/* Fills `out` with the commands of the events. Returns how many there are, at most `most`. */
uint32_t virtual_event_list(cl_uint count, const cl_event *events, uint32_t *out, uint32_t most);

void virtual_wrap_events(cl_icd_dispatch *table);

#endif

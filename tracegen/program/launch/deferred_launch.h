/* Launches that the program enqueues while one of its user events is not set. The layer cannot wait until such a launch
 * may run, because the program may set the event later in the same thread. So OpenCL defers the launch, and a thread of
 * the layer reads its buffers when its turn has come.
 *
 *   program's queue:  ... `turn` -> launch (waits for `gate`) -> end (waits for the launch and `seen`) ...
 *   thread:           waits for `turn`, reads the buffers, sets `gate`, waits for the launch, reads them, sets `seen`
 *
 * `turn` is a write of a byte into a buffer of the layer; it waits for what the launch waits for, in the order of its
 * queue. The end is such a write, too; the program gets its event, so that what waits for the launch waits for the end.
 * Private to the layer. */
#ifndef TRACEGEN_PROGRAM_LAUNCH_DEFERRED_LAUNCH_H
#define TRACEGEN_PROGRAM_LAUNCH_DEFERRED_LAUNCH_H

#include "tracegen/program/launch/describe.h"

/* Adds `change` to the number of user events that the program has not set yet. */
void deferred_count_user_event(int change);
/* Returns whether the next launch has to be deferred: a user event is not set, or a launch is deferred that it may
 * have to wait for. */
bool deferred_is_needed(void);
/* Returns how many launches are deferred now. */
unsigned deferred_count(void);
/* Defers the launch, takes *c over, and logs the launch when it has ended. Returns false when it cannot be deferred:
 * it was not enqueued then, and launch_skip has said why. */
bool deferred_launch_start(struct captured_launch *c, cl_int *status);

#endif

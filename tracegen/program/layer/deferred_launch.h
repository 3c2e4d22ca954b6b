/* Launches while a user event is not set: nobody can wait for their turn, since the program may set the event later in
 * the same thread. So OpenCL holds them back until their turn has come, and a thread reads their buffers then.
 *
 *   program's queue:  ... `turn` -> launch (waits for `gate`) -> end (waits for the launch and `seen`) ...
 *   thread:           waits for `turn`, reads the buffers, sets `gate`, waits for the launch, reads them, sets `seen`
 *
 * `turn`, a write of a byte into a buffer of ours, waits for what the launch waits for, in the order of its queue. So
 * is the end, whose event the program gets: what waits for the launch waits for it. Private to the layer. */
#ifndef LAYER_DEFERRED_LAUNCH_H
#define LAYER_DEFERRED_LAUNCH_H

#include "tracegen/program/layer/describe.h"

/* User events that the program has not set yet: a change of how many. */
void held_user_event(int change);
/* Whether the next launch has to be held: a user event is open, or a launch is held that it may have to wait for. */
bool held_is_needed(void);
/* Launches that are held now. */
unsigned held_count(void);
/* Takes *c over, and logs the launch when it is done. False: it cannot be held, and was not enqueued; capture_skip has
 * said why. */
bool held_launch(struct capture *c, cl_int *status);

#endif

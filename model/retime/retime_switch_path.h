/* The inner loop of a timing-only replay where warps wait for accesses without an engine (`switch_on_access`), and
 * nothing queues.
 *
 * Runs the core up to the first moment at which a warp ends or arrives at a barrier, or a work-group arrives. */
#ifndef MODEL_RETIME_SWITCH_PATH_H
#define MODEL_RETIME_SWITCH_PATH_H

#include "model/retime/retime_core.h"

/* True: all that ends at core->now has ended, and now work-groups may come and engines take warps. False: nothing has
 * been done yet at the next moment. */
bool timing_switch(struct timing *timing, struct timing_core *core);

#endif

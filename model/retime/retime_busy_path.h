/* The inner loop of a timing-only replay: stretches in which all engines of a core are busy and nothing but ordinary
 * events ends, where an engine's next warp is always the first of the queue.
 *
 * Runs the core up to the next moment at which something else happens; may do nothing. Only where warps never sleep
 * (`memory: blocking`) and every event takes time. */
#ifndef MODEL_RETIME_BUSY_PATH_H
#define MODEL_RETIME_BUSY_PATH_H

#include "model/retime/retime_core.h"

void timing_stretch(struct timing *timing, struct timing_core *core);

#endif

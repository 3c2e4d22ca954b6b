/* simulate --detail: what an observer saw of each kernel (model/timeline/observer.h): busy engines, occupancy, levels,
 * queues, source lines. */
#ifndef CLI_DETAIL_H
#define CLI_DETAIL_H

#include "cli/replay/replay.h"
#include "cli/core/view.h"

/* Tables, and the object "detail" of the current one. */
int detail_show(const struct replay *replay, const struct replay_kernel *kernel, struct view *view,
                struct error *error);

#endif

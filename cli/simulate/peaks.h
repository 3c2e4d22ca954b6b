/* Shows how near a kernel comes to what the GPU can do at most: its engines, each rate of the description that is
 * limited, and the work-items that a core holds. */
#ifndef CLI_PEAKS_H
#define CLI_PEAKS_H

#include "cli/core/view.h"
#include "cli/replay/replay.h"

/* A table, the list "peaks" and the member "bound" of the current object. */
void peaks_show(const struct gpu_spec *spec, const struct replay_kernel *kernel, struct view *view);

#endif

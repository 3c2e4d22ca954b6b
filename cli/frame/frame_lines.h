/* Reports what each line of a frame's shaders costs. The lines are those of shader-<digest>.cl, which `reassemble draw`
 * wrote. */
#ifndef CLI_FRAME_LINES_H
#define CLI_FRAME_LINES_H

#include "cli/core/view.h"
#include "cli/frame/frame_draws.h"

/* Shows the lines that cost most, as a list "lines"; JSON has all. Cycles are those of draws alone: of each line the
 * sum over all draws with the shader. `results`: by kernel of the replay. `alone`: the cycles of all draws.
 * Errors: memory. Cost: that of sorting the lines. */
int frame_lines_show(const struct frame_draws *draws, const struct sim_result *results, double alone,
                     const char *folder, struct view *view, struct error *error);

#endif

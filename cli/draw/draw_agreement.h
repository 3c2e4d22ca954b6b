/* Each draw of an executed frame beside Vulkan's, where the capture has Vulkan's targets. */
#ifndef CLI_DRAW_AGREEMENT_H
#define CLI_DRAW_AGREEMENT_H

#include "cli/core/view.h"
#include "graphics/execute/frame_execute.h"

/* Shows how many draws were compared and agree, which do not, and why others were not compared. */
void draw_agreement_show(const struct frame_execution *execution, struct view *view);

#endif

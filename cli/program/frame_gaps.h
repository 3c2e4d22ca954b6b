/* Shows which draws of a captured frame lack a command that the capture does not hold. */
#ifndef CLI_FRAME_GAPS_H
#define CLI_FRAME_GAPS_H

#include "base/error.h"
#include "cli/core/view.h"

struct frame_capture;
struct frame_summary;

/* The list "not_captured" of the present object; nothing where the capture holds all commands. */
void frame_gaps_show(const struct frame_summary *summary, struct view *view);
/* The same for a capture. */
int frame_gaps_find(const struct frame_capture *capture, struct view *view, struct error *error);

#endif

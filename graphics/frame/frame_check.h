/* The check of one record of a frame capture. Private to graphics/frame. */
#ifndef GRAPHICS_FRAME_CHECK_H
#define GRAPHICS_FRAME_CHECK_H

#include "graphics/frame/frame_capture.h"

/* Returns NULL for a record whose numbers are in bounds, given the objects before it, else a description of the
 * error. */
const char *frame_check(const struct frame_capture *capture, const struct frame_entry *record);
/* Returns whether a record defines an object. The object's number stands first in the payload. */
bool frame_defines(const struct frame_entry *record);

#endif

/* Shows what a captured frame holds (docs/graphics.md). */
#ifndef CLI_INFO_CAPTURE_H
#define CLI_INFO_CAPTURE_H

#include <stdbool.h>

#include "base/error.h"
#include "cli/core/options.h"
#include "cli/core/view.h"

/* Returns whether the file's name is that of a captured frame (*.rframe). */
bool info_capture_is(const char *file);
/* Shows each draw of the frame, the memory that its commands can reach and the records of the file: an element of
 * "captures". Nothing is executed, so that what depends on results of shaders is named as not known. */
int info_capture_show(const char *file, const struct options *options, struct view *view, struct error *error);

#endif

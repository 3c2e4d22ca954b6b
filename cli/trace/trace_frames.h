/* reassemble trace --graphics -- APP ARGUMENT...: captures frames of a program that draws (docs/graphics.md). */
#ifndef CLI_TRACE_FRAMES_H
#define CLI_TRACE_FRAMES_H

#include "base/error.h"
#include "cli/core/options.h"

/* clang-format off */
#define TRACE_FRAMES_ROWS(graphics, frames) \
  {.name = "graphics", .type = OPTION_FLAG, .target = &(graphics), \
   .help = "APP: it draws, with GL or Vulkan: capture frames instead of launches"}, \
  {.name = "frames", .argument = "A..B", .type = OPTION_TEXT, .target = &(frames), \
   .help = "APP, --graphics: the frames to capture, counted from 1: 10 (the default), 10..12"}
/* clang-format on */

/* `frames`: "10" or "10..12"; NULL: 10. The captures are FOLDER/frame-<number>.rframe, compressed. */
int trace_frames_run(const char *folder, const char *frames, const struct options *options, struct error *error);

#endif

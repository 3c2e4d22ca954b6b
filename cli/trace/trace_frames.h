/* reassemble trace --graphics -- APP ARGUMENT...: captures frames of a program that draws (docs/graphics.md). */
#ifndef CLI_TRACE_FRAMES_H
#define CLI_TRACE_FRAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "cli/core/options.h"

struct trace_frames {
  bool graphics, each_draw;
  const char *frames; /* "10" or "10..12"; NULL: 10 */
  int64_t most;       /* frames; 0: all of these */
  int mediump;        /* index into trace_frames_mediump */
};

/* The number formats of mediump: "float", "half". */
extern const char *const trace_frames_mediump[];
enum { MEDIUMP_FLOAT, MEDIUMP_HALF };

/* clang-format off */
#define TRACE_FRAMES_ROWS(request) \
  {.name = "graphics", .type = OPTION_FLAG, .target = &(request).graphics, \
   .help = "APP: it draws, with GL or Vulkan: capture frames; not needed where its file names such a library"}, \
  {.name = "frames", .argument = "A..B", .type = OPTION_TEXT, .target = &(request).frames, \
   .help = "APP that draws: the frames to capture, counted from 1: 10 (the default), 10..12"}, \
  {.name = "each-draw", .type = OPTION_FLAG, .target = &(request).each_draw, \
   .help = "APP that draws: keep what Vulkan has drawn after each draw, so that `draw` compares every one of them"}, \
  {.name = "mediump", .argument = "FORMAT", .type = OPTION_CHOICE, .target = &(request).mediump, \
   .choices = trace_frames_mediump, \
   .help = "APP that draws: what GL's mediump floats are; half: the device offers 16-bit floats"}
/* clang-format on */

/* Returns whether frames are captured: an option of frames says so, or the program's file names a library that draws,
 * which is said on standard error. */
bool trace_frames_wanted(const struct trace_frames *request, const struct options *options);
/* The captures are FOLDER/frame-<number>.rframe, compressed. */
int trace_frames_run(const char *folder, const struct trace_frames *request, const struct options *options,
                     struct error *error);

#endif

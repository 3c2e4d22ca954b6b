/* Runs a program on the Vulkan layer and keeps captures of the requested frames (docs/graphics.md).
 *
 * GL and GLES programs run on Vulkan by Mesa's zink, and everything is drawn by lavapipe, Mesa's Vulkan for
 * processors. Where DISPLAY is not set, a private X server (Xvfb) is started and ended.
 *
 * Errors: a program that cannot be started is ERROR_INPUT; one that ends before the first frame that is wanted, or
 * whose Vulkan the layer does not see, is ERROR_WORK. Threads: one. */
#ifndef GRAPHICS_FRAME_PROGRAM_H
#define GRAPHICS_FRAME_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct frame_program {
  const char *const *arguments; /* the program and its arguments */
  size_t argument_count;
  const char *folder; /* gets frame-<number>.rframe */
  const char *layer;  /* the folder with the layer's manifest */
  uint32_t first, last;
  bool each_draw;    /* the captures hold the targets behind each draw */
  bool mediump_half; /* the device offers floats of 16 bits, so that zink makes them of GL's mediump */
  double timeout_s;  /* 0: 600 s */
};

/* Returns when the last frame has been captured (the program is ended then) or when the program has ended. *captured
 * becomes the number of frames in the folder. The program's output goes to standard error. */
int frame_program_run(const struct frame_program *request, uint32_t *captured, struct error *error);

/* "10", "10..12". */
int frame_program_range(const char *text, uint32_t *first, uint32_t *last, struct error *error);
/* Writes the path of a frame's capture. */
void frame_program_path(const struct frame_program *request, uint32_t frame, char *out, size_t size);

#endif

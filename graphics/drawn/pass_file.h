/* The passes of a frame and what its draws do with their targets, in the file passes.json of an executed frame
 * (docs/frame-format.md).
 *
 * Shapes: targets of a pass are its colors in order, then depth with stencil. A draw is the one whose files begin with
 *         "draw-<number>"; draws stand in the order of the frame.
 * Ownership: pass_file_clear frees the lists. Errors: damage is ERROR_INPUT. After a load each draw's pass exists, and
 *         widths, heights and bytes of a pixel are bounded. Cost: linear. */
#ifndef GRAPHICS_PASS_FILE_H
#define GRAPHICS_PASS_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

#define PASS_MOST_TARGETS 9

struct pass_target {
  uint32_t image, pixel_bytes; /* number of the image; bytes of a pixel in memory, all of its samples; 0: no image */
  bool loads, stores;          /* its contents are read from memory before the pass, written to it afterwards */
};

struct pass {
  uint32_t width, height; /* of the area that is drawn to, pixels */
  uint32_t target_count;
  bool has_depth; /* the last target is depth with stencil */
  struct pass_target targets[PASS_MOST_TARGETS];
};

struct pass_draw {
  uint32_t number, pass;
  uint32_t reads, writes; /* bit t: its fragments read target t to blend or to test, write it */
  uint32_t varying_words; /* that a vertex passes on, position included */
};

struct pass_file {
  struct pass *passes;
  struct pass_draw *draws;
  size_t pass_count, draw_count;
  bool mediump_half; /* mediump floats were halves (`reassemble draw --mediump`) */
};

int pass_file_write(const char *path, const struct pass_file *file, struct error *error);
int pass_file_load(const char *path, struct pass_file *out, struct error *error);
void pass_file_clear(struct pass_file *file);

#endif

/* The passes of an executed frame, as launches that the model replays (graphics/tile/pass_launch.h). */
#ifndef CLI_FRAME_PASSES_H
#define CLI_FRAME_PASSES_H

#include "cli/frame/frame_draws.h"
#include "graphics/tile/pass_launch.h"

struct frame_pass_launches {
  uint32_t number, draws;
  size_t vertex, fragment; /* indices of the replay's kernels; NO_LAUNCH: there is none */
  struct pass_counts counts;
};

struct frame_passes {
  struct frame_pass_launches *list;
  size_t count;
  bool mediump_half; /* of the frame: mediump floats were halves */
};

/* Adds the launches of the folder's passes to the replay; their traces go into `scratch`. The caller frees
 * passes->list. */
int frame_passes_load(const char *folder, const struct tile_options *tiles, bool immediate, const char *scratch,
                      struct replay *replay, const struct options *options, struct frame_passes *passes,
                      struct error *error);

#endif

/* The draws of an executed frame, as launches that the model replays (graphics/tile/tile_launch.h). */
#ifndef CLI_FRAME_DRAWS_H
#define CLI_FRAME_DRAWS_H

#include "base/error.h"
#include "cli/core/options.h"
#include "cli/replay/replay.h"
#include "graphics/tile/tile_launch.h"

#define NO_LAUNCH SIZE_MAX

/* The file of a shader, "shader-<digest>.cl", and its digest as traces name it. */
struct frame_shader_name {
  char file[64], digest[64];
};

struct frame_draw_launches {
  uint32_t number;
  size_t vertex, fragment; /* indices of the replay's kernels; NO_LAUNCH: there is none */
  struct frame_shader_name vertex_shader, fragment_shader;
  struct tile_counts counts;
};

struct frame_draws {
  struct frame_draw_launches *list;
  size_t count;
};

/* Adds the launches of a folder that `reassemble draw` wrote to the replay; the tiles' traces go into `scratch`. The
 * caller frees draws->list. */
int frame_draws_load(const char *folder, const struct tile_options *tiles, const char *scratch, struct replay *replay,
                     const struct options *options, struct frame_draws *draws, struct error *error);

#endif

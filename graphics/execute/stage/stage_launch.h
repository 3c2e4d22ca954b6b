/* A stage's launch while it is emulated. Private to graphics/execute/stage. */
#ifndef GRAPHICS_STAGE_LAUNCH_H
#define GRAPHICS_STAGE_LAUNCH_H

#include "graphics/execute/execution.h"
#include "workload/workload.h"

#define MOST_BUFFERS (3 + SHADER_MAX_RESOURCES * FRAME_MAX_LEVELS)

/* The launch as a workload in memory. Its buffers are filled and read where the emulator has them, without copies in
 * between (struct buffer_exchange). */

enum { INPUTS, OUTPUTS }; /* the first buffers of a draw's stage */

struct launch {
  struct workload workload;
  struct workload_launch range;
  const struct stage_exchange *exchange; /* of inputs and outputs; NULL: a compute shader has none */
  uint32_t first;                        /* work-item of this launch; above 0 the worker has the resources already */
  uint64_t number;                       /* names the contents of the resources, in struct buffer_exchange */
  struct stage_words inputs, outputs;    /* without their words */
  /* By number of buffer or argument. These arrays have 250 KB, of which a launch uses few: an entry is undefined until
   * its buffer or argument is added. */
  struct workload_buffer buffers[MOST_BUFFERS];
  struct workload_argument arguments[MOST_BUFFERS + 1];
  char names[MOST_BUFFERS][24];
  void *owned[MOST_BUFFERS];     /* texels */
  uint8_t *stored[MOST_BUFFERS]; /* destination of the bytes that the shader has stored; NULL: none */
};

/* stage_pipeline.c. Returns NULL where the pipeline has no such stage. */
const struct frame_stage *stage_find(const struct frame_pipeline *pipeline, uint32_t stage_bit);
const char *stage_name(uint32_t stage_bit); /* a word for messages */
/* Return whether the sizes of points, or a second color of fragments, are needed. */
bool stage_draws_points(const struct frame_pipeline *pipeline);
bool stage_takes_second_color(const struct frame_pipeline *pipeline);

/* Returns a number of the shader's text. */
uint64_t stage_text_digest(const struct shader_source *source);
/* Gives the path of a file with the shader's text, which is written where it is not there; the caller frees it. */
int stage_write_source(const struct execution *e, const struct shader_source *source, char **path, struct error *error);

/* Emulates the launch, and adds its work to that of the stage. */
int stage_emulate(struct execution *e, struct launch *launch, const char *name, struct stage *stage,
                  struct error *error);
/* Returns the work-items that one launch has: all, or fewer (stage_parts.c). */
uint32_t stage_items_at_once(const struct execution *e, const struct launch *launch,
                             const struct shader_source *source);
/* Emulates a stage in launches of about `most` work-items. The outputs are taken when all have run, so that a draw
 * whose shader is stopped changes nothing. */
int stage_emulate_parts(struct execution *e, struct launch *launch, const char *name, struct stage *stage,
                        uint32_t most, struct error *error);

#endif

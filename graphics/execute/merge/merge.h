/* The targets of a draw's fragments, and the places of the shader's outputs, while they are merged. Private to
 * graphics/execute.
 *
 *   merge.c        any draw, sample by sample
 *   merge_plain.c  most draws: one sample, targets of four bytes that are replaced, and a test of depth */
#ifndef GRAPHICS_MERGE_H
#define GRAPHICS_MERGE_H

#include "graphics/execute/execution.h"
#include "graphics/raster/planes.h"

struct target {
  struct storage_image *image;
  uint32_t level, layer;
  uint8_t *texels; /* of the level and layer; NULL: there are none */
  size_t row_bytes, texel_bytes, sample_bytes;
  const struct texel_format *format;
  int slots[4], second_slots[4]; /* of the shader's outputs, for both colors; -1: not written */
  const struct frame_blend *blend;
};

struct merge {
  struct execution *e;
  struct target colors[FRAME_MAX_COLORS], depth, stencil;
  const struct stage_words *words;
  int depth_slot, discard_slot, mask_slot;
  uint32_t samples;
  const struct sample_place *places; /* of these samples */
  bool tests_depth;                  /* and the target has a depth */
  struct frame_draw_result *result;
  /* The depth of the present triangle. */
  const struct raster_triangle *triangle;
  struct plane depth_plane, across, along, inverse_w; /* the last two: of a smooth line */
};

/* Finds the targets and outputs of the bound pipeline's draw. */
void merge_begin(struct merge *merge, struct execution *e, const struct stage *fragment,
                 const struct stage_words *words, struct frame_draw_result *result);
void merge_begin_triangle(struct merge *merge, const struct raster_triangle *triangle);
/* Merges all fragments, sample by sample. */
void merge_by_sample(struct merge *merge, struct raster *raster);
/* Returns whether merge_plain serves the draw. */
bool merge_is_plain(const struct merge *merge);
/* Merges all fragments of such a draw, with the result of merge_by_sample. */
void merge_plain(struct merge *merge, struct raster *raster);

static inline void merge_count_overdraw(const struct merge *m, uint32_t x, uint32_t y) {
  struct frame_execution *out = m->e->out;
  if (out->overdraw && x < out->width && y < out->height && out->overdraw[(size_t)y * out->width + x] < UINT16_MAX)
    out->overdraw[(size_t)y * out->width + x]++;
}

#endif

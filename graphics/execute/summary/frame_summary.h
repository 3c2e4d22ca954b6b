/* The contents of a frame capture in numbers that need no execution of its shaders: draws, primitives, attributes,
 * code, and the memory that commands can reach.
 *
 * Shapes: draws are numbered from 0 in the order of their execution, as `reassemble draw` numbers them.
 * Units:  bytes. A resource's bytes are those of the bound ranges, which a shader need not read; of a compressed image
 *         they are those of its decoded texels, as the capture holds them.
 * Ownership: frame_summary_make fills *out; frame_summary_clear frees it.
 * Errors: memory ran out, or the frame has more than 2^20 draws.
 * Cost: one pass over the records, and memory for the frame's buffers. Threads: one a capture. */
#ifndef GRAPHICS_FRAME_SUMMARY_H
#define GRAPHICS_FRAME_SUMMARY_H

#include <stdbool.h>

#include "base/error.h"
#include "graphics/frame/frame_capture.h"

enum frame_resource {
  RESOURCE_ATTRIBUTES, /* of the vertices from the least to the greatest index */
  RESOURCE_INDICES,
  RESOURCE_UNIFORMS,
  RESOURCE_STORAGE,
  RESOURCE_IMAGES, /* and buffers of texels */
  RESOURCE_STORAGE_IMAGES,
  RESOURCE_TARGETS,
  RESOURCE_COUNT
};

struct frame_draw_summary {
  uint32_t number, record, pass; /* pass: from 0, in the order of the frame */
  const char *topology;          /* of the bound pipeline */
  bool has_vertices;             /* the parameters of the draw are known: not where a shader or a device writes them */
  bool has_indices;              /* and its indices, or it has none; else primitives and attributes' bytes are 0 */
  uint64_t vertices, primitives; /* of all instances */
  uint32_t instances;
  uint32_t attribute_words;       /* words of 32 bits of a vertex, as the pipeline describes its attributes */
  uint32_t vertex_instructions;   /* of SPIR-V in the shader's module */
  uint32_t fragment_instructions; /* the same */
  uint32_t images;                /* that are bound for reads by samplers, buffers of texels included */
  uint64_t bytes[RESOURCE_COUNT]; /* that are bound */
  uint64_t pixels;                /* of the area of its pass */
  bool has_passed;                /* the capture was made with --each-draw */
  uint64_t passed;                /* samples that passed Vulkan's tests */
  char left_out[200];             /* why `reassemble draw` leaves it out; "": it is drawn */
};

/* A kind of resource in the whole frame; bytes that several draws can reach count once. */
struct frame_resource_summary {
  uint64_t objects, bytes;
};

/* A place of the frame that lacks a command which the capture does not hold. */
struct frame_gap {
  char place[40];                 /* "draw-3", "dispatch-0"; of a command that no draw lacks "before draw-4" */
  char command[FRAME_NAME_BYTES]; /* as its record names it */
};

struct frame_summary {
  struct frame_draw_summary *draws;
  size_t draw_count;
  uint32_t pass_count, dispatch_count;
  bool numbers_are_known; /* of all draws: false where a device says how many draws a command is */
  struct frame_resource_summary resources[RESOURCE_COUNT];
  uint64_t counts[FRAME_KIND_COUNT]; /* records */
  struct frame_gap *gaps;            /* in the order of the frame (uncaptured.h) */
  size_t gap_count;
};

int frame_summary_make(const struct frame_capture *capture, struct frame_summary *out, struct error *error);
void frame_summary_clear(struct frame_summary *summary);

#endif

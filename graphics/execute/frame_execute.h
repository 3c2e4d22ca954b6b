/* Executes a frame capture: runs its shaders in the emulator, draws, and reports the result of each draw.
 *
 * Ownership: frame_execute fills *out; frame_execution_clear frees it.
 * Errors: a draw that uses an unsupported feature is left out, its result says why, and the execution continues. A
 *         command whose references are wrong at its time is left out, too. ERROR_WORK: memory ran out, or a file
 *         could not be written.
 * Cost: about 50 ms a draw for translation and compilation, and the emulation of its work-items. Threads: one;
 *       shaders run in processes with limits (tracegen/process/emulation.h). */
#ifndef GRAPHICS_FRAME_EXECUTE_H
#define GRAPHICS_FRAME_EXECUTE_H

#include <stdbool.h>

#include "base/error.h"
#include "graphics/frame/frame_capture.h"
#include "graphics/raster/triangles.h"
#include "graphics/drawn/pass_file.h"

/* The agreement of a draw's targets with Vulkan's, where the capture has them (`reassemble trace --each-draw`). */
struct draw_agreement {
  bool compared, counted;   /* counted: `samples` is known */
  uint64_t samples;         /* that passed Vulkan's tests */
  uint64_t missing;         /* pixels that Vulkan alone has changed */
  uint64_t pixels;          /* of all color targets, that either has drawn */
  uint64_t equal, near;     /* of these: the same bytes; within 1/255 */
  double worst;             /* the largest difference, in 1/255; of a depth in 1/65535 */
  const char *reason;       /* what the draw uses that may explain a difference */
  const char *not_compared; /* why it is not compared, if the capture has targets; NULL where `compared` */
};

struct frame_draw_result {
  uint32_t record, pass, pipeline; /* numbers: of the record, of the pass from 0, of the object */
  struct pass_draw targets;        /* its uses of the targets of its pass */
  char missing[200];               /* why it was left out; "": it was drawn */
  bool has_halves;                 /* the fragment shader computes with 16-bit floats */
  bool stopped;                    /* left out because of a failure or a limit, not of a feature */
  char directory_name[40];         /* "draw-3", the beginning of the names of its files */
  uint64_t vertices, distinct_vertices;
  struct raster_counts primitives;
  uint64_t quads, fragments;  /* covered; helper lanes are 4 * quads - fragments */
  uint64_t passed, discarded; /* fragments that passed the depth test; that the shader discarded */
  uint64_t vertex_instructions, fragment_instructions; /* of the emulated work-items, helper lanes included */
  uint64_t patches, patch_vertices, patch_points; /* of tessellation: taken; vertices made of each; points of all */
  uint64_t control_instructions, evaluation_instructions;
  uint64_t geometry_primitives, geometry_vertices; /* that a geometry shader has taken and emitted */
  uint64_t geometry_invocations;                   /* for each primitive; 0: there is no such shader */
  uint64_t geometry_instructions;
  uint64_t trace_bytes;
  double vertex_run_s, fragment_run_s; /* by the clock: of these work-items, with their trace */
  struct draw_agreement agreement;
};

/* A launch of a compute shader between the draws; its trace is <name>.rtrace. */
struct frame_dispatch_result {
  char name[40]; /* "dispatch-0" */
  uint32_t record, groups[3], local[3];
  uint64_t instructions, trace_bytes;
  bool stopped;
  char missing[200]; /* as of draws */
};

struct frame_execution {
  struct frame_dispatch_result *dispatches;
  size_t dispatch_count;
  struct frame_draw_result *draws;
  size_t draw_count;
  struct pass *passes;
  size_t pass_count;
  bool mediump_half; /* as the options said */
  char *unsupported; /* names of other commands that were left out, with commas; NULL: none */
  uint32_t width, height;
  uint8_t *rgba, *expected;      /* the picture and Vulkan's, four bytes a pixel; NULL: the frame has none */
  uint16_t *overdraw;            /* fragments by pixel of the picture */
  uint32_t *operations, *texels; /* of the fragments of each pixel; NULL without traces */
};

struct kept_shaders;

struct frame_execute_options {
  struct kept_shaders *kept; /* what former frames have compiled (graphics/execute/kept_shaders.h); NULL: nothing */
  const char *folder;        /* for the shaders' sources and traces; made when it is missing */
  bool traces;               /* traces of the shaders are written */
  bool mediump_half;         /* operations with RelaxedPrecision of fragment shaders are on halves */
  bool each_draw;            /* each draw is compared with Vulkan's, and begins with Vulkan's targets */
  double timeout_s;          /* of the emulation of one stage; 0: 600 */
  size_t memory_bytes;       /* of the emulation of one stage; 0: 8 GiB */
  uint64_t max_instructions; /* of work-items, of one stage of a draw; 0: no limit */
  uint64_t most_quads;       /* of a draw; 0: 2^22 */
  uint32_t most_items;       /* work-items of a launch without traces, a multiple of 64; 0: as 1 MiB of words holds */
};

int frame_execute(const struct frame_capture *capture, const struct frame_execute_options *options,
                  struct frame_execution *out, struct error *error);
void frame_execution_clear(struct frame_execution *execution);

/* The agreement of a picture with the expected one. */
struct picture_agreement {
  uint64_t pixels, equal, near; /* near: all channels within 1 of 255 */
  unsigned worst;               /* largest difference of a channel, of 255 */
};
struct picture_agreement frame_execution_compare(const struct frame_execution *execution);

#endif

/* The state of a frame while its commands are executed. Private to graphics/execute. */
#ifndef GRAPHICS_EXECUTION_H
#define GRAPHICS_EXECUTION_H

#include <string.h>

#include "graphics/execute/frame_execute.h"
#include "graphics/execute/kept_shaders.h"
#include "graphics/execute/storage.h"
#include "graphics/spirv/shader_source.h"

struct execution {
  const struct frame_capture *capture;
  const struct frame_execute_options *options;
  struct frame_execution *out;
  struct storage storage;
  uint32_t record, pass_count;
  bool stage_stopped; /* an emulation of the present draw failed */
  /* The objects bound to the command buffer and the dynamic state that it has set. */
  const struct frame_set **set_records; /* by number: what a set is at present; NULL: not yet known */
  struct execution_point {
    const struct frame_pipeline *pipeline;
    const struct frame_set *sets[FRAME_MAX_SETS];
    uint32_t dynamic_offsets[FRAME_MAX_SETS][16];
  } points[2];                   /* by VkPipelineBindPoint */
  struct execution_point *bound; /* that of the present draw or dispatch */
  uint32_t vertex_buffers[FRAME_MAX_VERTEX];
  uint64_t vertex_offsets[FRAME_MAX_VERTEX];
  uint32_t index_buffer, index_type;
  uint64_t index_offset;
  unsigned char push[FRAME_PUSH_BYTES];
  struct frame_viewport viewport;
  struct frame_scissor scissor;
  float blend_constants[4], depth_bias[3], line_width;
  struct frame_stencil stencil[2];     /* reference and masks that commands set: front, back */
  const struct frame_begin_pass *pass; /* NULL: outside of a pass */
  struct kept_shaders *kept;           /* the caller's, or the frame's own */
  /* agreement.h: the records that follow compare the last draw; a byte for each pixel that it has written. */
  bool compares;
  bool is_one_of_many;  /* the present draw is one of several of one command, which are not compared */
  uint32_t draw_index;  /* of these */
  struct raster raster; /* empty; its memory serves all draws */
  uint32_t *gathered;   /* the outputs of several launches of one stage */
  size_t gathered_words;
  uint8_t *covered;
  uint32_t covered_width, covered_height;
};

/* Returns the descriptors of a set that is bound for the present draw or dispatch; *count is 0 where none is. */
static inline const struct frame_descriptor *execution_descriptors(const struct execution *e, uint32_t set,
                                                                   uint32_t *count) {
  const struct frame_set *record = e->bound->sets[set];
  *count = record ? record->count : 0;
  return record ? (const struct frame_descriptor *)(record + 1) : NULL;
}

/* Gives the words of a shader that SPIRV-Tools accepted; they are kept for the whole frame. */
int execution_shader(struct execution *e, uint32_t shader, const uint32_t **words, size_t *count, struct error *error);

/* The stages of a draw. */

/* Words of inputs and outputs: word s of work-item i is at i * slots + s. */
struct stage_words {
  uint32_t *words;
  uint32_t count; /* work-items, those that fill up the last work-group included */
  uint32_t slots;
};

#define STAGE_LEAST_BYTES ((size_t)1 << 20) /* of a buffer of words without traces */

/* Returns the bytes of all words, rounded up to a power of two, or without traces to one of four: stages of like sizes
 * then share a process that has compiled their shader (tracegen/process/worker_pool.h). */
size_t stage_bytes(const struct stage_words *words, bool traced);
/* Makes the words, all 0. */
int stage_words_create(struct stage_words *words, uint32_t count, uint32_t slots, struct error *error);

static inline uint32_t *stage_word(const struct stage_words *w, size_t item, uint32_t slot) {
  return &w->words[item * w->slots + slot];
}

static inline float float_of(uint32_t word) {
  float f;
  memcpy(&f, &word, sizeof f);
  return f;
}

struct worker_pool;

struct stage {
  struct shader_source source;
  uint64_t instructions, trace_bytes;
  double run_s; /* of its work-items, by the clock */
};

/* Returns whether a pipeline has the stage. */
bool stage_is_there(const struct frame_pipeline *pipeline, uint32_t stage_bit);
/* Translates a stage of the pipeline. */
int stage_translate(struct execution *e, uint32_t stage_bit, struct stage *out, struct error *error);
/* The same of a tessellation shader that takes patches of so many vertices. */
int stage_translate_patches(struct execution *e, uint32_t stage_bit, uint32_t patch_vertices, struct stage *out,
                            struct error *error);
/* Returns the number of work-items that are launched for `items`: whole work-groups. */
uint32_t stage_round(const struct stage *stage, uint64_t items);
/* Runs the stage of a compute shader with `global` work-items, and applies what it has stored. */
int stage_dispatch(struct execution *e, struct stage *stage, const char *name, const uint64_t global[3],
                   struct error *error);
/* Fills the inputs of a stage and takes its outputs where the emulator has them. */
struct stage_exchange {
  void *user;
  /* Writes the words of the work-items from number `first` on, as far as `inputs` has room for them, and returns how
   * many work-items these are; all others become 0. */
  uint32_t (*fill)(void *user, uint32_t first, struct stage_words *inputs);
  /* The outputs are those of a process that the shader ran in: any words, which may change. */
  int (*take)(void *user, const struct stage_words *outputs, struct error *error);
};

/* How many bytes of a worker's buffer of words the last launch may have left other than 0, so that the next launch
 * clears only these. The number that the emulator keeps for a buffer (struct buffer_exchange) is 0 after a failure;
 * then any byte may differ from 0. Otherwise it is the number of bytes plus 1. */

/* Clears what may differ from 0 behind the first `filled` bytes of a buffer of `all` bytes. */
static inline void held_words_clear_rest(char *memory, uint64_t filled, uint64_t all, uint64_t held) {
  const uint64_t end = held > 0 && held - 1 < all ? held - 1 : all;
  if (end > filled)
    memset(memory + filled, 0, end - filled);
}

/* Returns the number to keep for a launch that may write `bytes` bytes. */
static inline uint64_t held_words_of(uint64_t bytes) {
  return bytes + 1;
}

/* Runs it over `items` work-items: of a shader that stores nothing, without traces and limits of instructions, in
 * several launches, so that their inputs and outputs stay in the processor's cache and take few pages. */
int stage_run(struct execution *e, struct stage *stage, const char *name, uint32_t items,
              const struct stage_exchange *exchange, struct error *error);
/* The number of the slot with the same location and component, or built-in; -1: there is none. */
int stage_output_slot(const struct shader_source *source, const struct shader_slot *slot);

/* vertices.c: the vertices of a draw, each distinct one once. */
struct draw_vertices {
  uint32_t *corners; /* the distinct vertex that each corner is, in order; UINT32_MAX: the primitive restarts */
  uint64_t corner_count;
  struct stage_words inputs;
  uint32_t distinct;
};
int vertices_fetch(struct execution *e, const struct frame_draw *draw, const struct stage *stage,
                   struct draw_vertices *out, struct error *error);
void vertices_clear(struct draw_vertices *vertices);
/* Returns the bytes of an index (VkIndexType); 0: the type is unknown. */
uint32_t execution_index_bytes(uint32_t type);

/* primitives.c */
struct primitive_order {
  uint32_t topology; /* VkPrimitiveTopology */
  bool last_provokes;
  bool for_shader;         /* corners stand as a geometry shader has them */
  uint32_t patch_vertices; /* of patches */
};
/* Takes a primitive of 1 to 3 corners, of 4 (a line) or 6 (a triangle) with those beside it, or a patch. Returns
 * whether the walk goes on. */
typedef bool primitives_take(void *user, const uint32_t *corners, unsigned count, uint32_t provoking);
/* Walks through the primitives in order; `corners`: of an instance. */
bool primitives_walk(const struct primitive_order *order, const struct draw_vertices *vertices, uint64_t corners,
                     primitives_take *take, void *user);

/* Vertices as the last stage so far has made them. */
struct vertex_stream {
  const struct stage *stage;
  const struct stage_words *words; /* its outputs */
  const struct draw_vertices *vertices;
  uint64_t corners; /* of an instance */
  uint32_t instances, topology;
};

/* tessellation.c: vertices that tessellation shaders make of patches; clear it with tessellation_clear. */
struct tessellation {
  struct stage control, evaluation;
  struct draw_vertices vertices; /* their order, as a list of `topology` */
  struct stage_words words;      /* the evaluation shader's outputs, and behind them the number of the patch */
  uint32_t topology;
  uint64_t patches, patches_of_instance;
};
/* `draw`: the beginning of the names of its traces. */
int tessellation_run(struct execution *e, const struct vertex_stream *from, const char *draw, struct tessellation *out,
                     struct error *error);
void tessellation_clear(struct tessellation *tessellation);

/* geometry.c: vertices that a geometry shader makes of the primitives; clear it with geometry_clear. */
struct geometry {
  struct stage stage;
  struct draw_vertices vertices; /* their order, each strip followed by UINT32_MAX */
  struct stage_words words;
  uint64_t primitives, primitives_of_instance; /* that the shader takes */
  uint32_t instances;
};
int geometry_run(struct execution *e, const struct vertex_stream *from, const char *name, struct geometry *out,
                 struct error *error);
void geometry_clear(struct geometry *geometry);

/* assembly.c: rasterises the primitives of the last stage before the rasteriser. */
int assembly_run(const struct frame_pipeline *pipeline, const struct vertex_stream *from,
                 const struct raster_state *state, struct raster *raster, struct error *error);

/* fragments.c; samples: of a pixel. */
void fragments_inputs(const struct raster *raster, const struct stage *vertex, const struct stage_words *vertices,
                      const struct stage *fragment, uint32_t samples, struct stage_words *out);
/* merge.c: fragments_test tests all fragments before the shader runs, and writes their depths and stencil values;
 * fragments_merge merges what the shader has computed, after the tests where they have not been made. */
void fragments_test(struct execution *e, struct raster *raster, const struct stage *fragment,
                    struct frame_draw_result *result);
void fragments_merge(struct execution *e, struct raster *raster, const struct stage *fragment,
                     const struct stage_words *colors, struct frame_draw_result *result);

/* draw.c */
int execution_draw(struct execution *e, const struct frame_draw *draw, struct error *error);
/* draw_state.c: the state of a draw for the rasteriser. */
struct raster_state execution_raster_state(const struct execution *e);
/* Returns 0 if what the last shader before the rasteriser chooses (layers of targets, viewports) is executed. */
int execution_check_choices(const struct execution *e, bool of_layer, bool of_viewport, struct error *error);
/* Returns 0 if the targets have as many samples as the bound pipeline. */
int execution_check_samples(const struct execution *e, struct error *error);
/* Returns 0 if draws with the bound pipeline are executed; the error says what they need that is not supported. */
int execution_check_state(const struct execution *e, struct error *error);
/* dispatch.c */
int execution_dispatch(struct execution *e, const struct frame_dispatch *dispatch, struct error *error);
/* indirect.c */
int execution_draw_indirect(struct execution *e, const struct frame_draw_indirect *draws, struct error *error);
/* Returns the number of draws of the command. */
uint32_t execution_indirect_count(const struct execution *e, const struct frame_draw_indirect *draws);
/* Gives the parameters of one of them; false: they do not lie in the buffer. */
bool execution_indirect_draw(const struct execution *e, const struct frame_draw_indirect *draws, uint32_t index,
                             struct frame_draw *out);
/* targets.c: the uses of the pass's targets by the pass and by the draw of the bound pipeline. */
int execution_note_pass(struct execution *e, const struct frame_begin_pass *pass, struct error *error);
void execution_note_targets(const struct execution *e, struct frame_draw_result *result);
/* heat.c: adds the work of a draw to its pixels. */
int execution_add_heat(struct execution *e, const struct raster *raster, const char *name, struct error *error);
/* passes.c */
void execution_begin_pass(struct execution *e, const struct frame_begin_pass *pass);
/* Resolves the targets that have several samples and another image to resolve into. */
void execution_end_pass(struct execution *e);
/* Resolves the samples of a texel of `from` into the one texel `to`. */
void execution_resolve_texel(const struct storage_image *from, enum storage_plane plane, const uint8_t *samples,
                             uint8_t *to);
void execution_clear_targets(struct execution *e, const struct frame_clear_targets *clear);
void execution_clear_image(struct execution *e, const struct frame_clear_image *clear);
/* The view's image and plane, at its first level and layer; NULL: no view. */
struct storage_image *execution_target(const struct execution *e, uint32_t view, uint32_t *level, uint32_t *layer);
/* transfer/transfers.c; returns whether the record is one of these. */
bool execution_transfer(struct execution *e, const struct frame_entry *record);
/* textures.c: the texels of a view's level as a buffer of RGBA bytes or floats; of a stacked texture all of them. */
bool texture_describe(const struct execution *e, const struct frame_view *view, struct shader_texture *out);
/* Finds the texels in memory of a storage image or a buffer of texels; false: there are none. */
bool texels_find(const struct execution *e, const struct frame_descriptor *descriptor, struct shader_texture *out,
                 uint8_t **texels, uint64_t *bytes);
bool texture_is_bytes(const struct execution *e, const struct frame_view *view);
int texture_read(const struct execution *e, const struct frame_view *view, uint32_t level, void **out, uint32_t *width,
                 uint32_t *height, struct error *error);
/* bindings.c */
const struct frame_descriptor *execution_descriptor(const struct execution *e, uint32_t set, uint32_t binding,
                                                    uint32_t element);
/* The dynamic offset of a descriptor; 0 for others. */
uint32_t execution_dynamic_offset(const struct execution *e, uint32_t set, const struct frame_descriptor *descriptor);
/* Takes a command that binds or sets; returns whether it is one. */
bool execution_bind(struct execution *e, const struct frame_entry *record);

#endif

/* A shader as OpenCL C: a kernel whose work-items are vertices or fragments (docs/graphics.md).
 *
 * Shapes: the kernel is `shader`, with these arguments: the inputs, the outputs, the push constants, then the resources
 *         in the order of the list. Inputs and outputs are 32-bit words: word s of work-item i is at i * words + s,
 *         where the outputs have one word more than slots. An image of several levels takes an argument a level.
 * Quads:  work-items 4q to 4q+3 of a fragment shader are a quad: top left, top right, bottom left, bottom right. A
 *         shader with derivatives runs in work-groups of one quad, which exchange values through local memory.
 * Geometry: work-item i of a geometry shader is invocation i % invocations of primitive i / invocations.
 * Tessellation: a work-group of a control shader is a patch, and each of its work-items a vertex of it; what belongs to
 * the whole patch stands in the words of the first one. Work-item i of an evaluation shader is a point of a patch.
 * Compute: the kernel of a compute shader has no inputs and outputs; its first argument is the push constants.
 * Effects: a graphics shader that may store has one word of input more, SHADER_ACTIVE, which is 1 for the work-items
 * whose stores count.
 * Errors: what the translation does not support is ERROR_INPUT and names the instruction.
 * Ownership: shader_source_clear frees everything. */
#ifndef GRAPHICS_SHADER_SOURCE_H
#define GRAPHICS_SHADER_SOURCE_H

#include "graphics/frame/frame_record.h"
#include "graphics/spirv/spirv_module.h"

#define SHADER_MAX_SLOTS     256
#define SHADER_MAX_RESOURCES 64
#define SHADER_ACTIVE        UINT32_C(0x7fff0000) /* beside the numbers of SpvBuiltIn */

/* A word of input or output: a component of a location, or of what Vulkan has built in. */
struct shader_slot {
  uint32_t location, component; /* location SPIRV_NONE: a built-in */
  uint32_t builtin;             /* SpvBuiltIn; SPIRV_NONE: a location */
  bool flat, no_perspective, centroid, is_float;
  bool is_second;  /* of the second color of a target, with which the first is blended */
  uint32_t vertex; /* of inputs of a shader of primitives or patches: which one of their vertices has it */
  bool of_patch;   /* of a patch, and not of a vertex */
};

/* How a tessellation shader says that patches are divided: SpvExecutionMode, 0 where it does not say it. */
struct shader_patches {
  uint32_t domain, spacing, order;
  bool makes_points;
};

/* RESOURCE_TEXELS: a storage image or a buffer of texels, in the format that it has in memory. */
enum shader_resource_kind { RESOURCE_BUFFER, RESOURCE_TEXTURE, RESOURCE_TEXELS };

struct shader_resource {
  enum shader_resource_kind kind;
  uint32_t set, binding, element;
  uint32_t levels;   /* of textures: the image arguments */
  uint32_t variable; /* its id in the module */
  bool writes;       /* the shader stores into it */
};

struct shader_source {
  char *text;
  struct shader_slot inputs[SHADER_MAX_SLOTS], outputs[SHADER_MAX_SLOTS];
  uint32_t input_count, output_count;
  struct shader_resource resources[SHADER_MAX_RESOURCES];
  uint32_t resource_count;
  bool in_quads;     /* work-groups are quads */
  bool reads_texels; /* it calls the functions of sample_write_functions */
  bool of_samples;   /* each covered sample is shaded: the shader asks for its number or place, or for inputs there */
  bool may_discard;  /* the last output word is 1 where the fragment was discarded */
  bool early_tests, writes_depth;
  bool has_halves;   /* it has 16-bit floats, its own or of mediump_half */
  uint32_t local[3]; /* of compute shaders: the work-group */
  /* Of geometry shaders: vertices of a primitive that is taken, most that a work-item emits (0: no geometry shader),
   * work-items for each primitive, VkPrimitiveTopology of what is emitted. */
  uint32_t input_vertices, most_vertices, invocations, topology;
  /* Of tessellation shaders: input_vertices are those of a patch that is taken, too. */
  struct shader_patches patches;
  uint32_t patch_vertices; /* of a control shader: of a patch that is made; 0: no control shader */
};

/* The properties of a texture, or of texels in memory, that its translation needs. */
struct shader_texture {
  uint32_t format; /* VkFormat of the view */
  const struct frame_sampler *sampler;
  uint32_t levels;
  uint32_t width, height, depth,
      layers;       /* of the first level; a cube has 6 layers, a volume 1; a sample counts as a layer */
  uint32_t samples; /* of a texel */
  bool stacked;     /* all levels and layers are one image argument, one below the other */
};

/* Returns the rows of a level in a stacked image: each of its layers, or slices, has the level's height. */
static inline uint32_t shader_texture_rows(const struct shader_texture *t, uint32_t level) {
  const uint32_t height = t->height >> level > 0 ? t->height >> level : 1;
  const uint32_t depth = t->depth >> level > 0 ? t->depth >> level : 1;
  return height * depth * t->layers;
}

struct shader_request {
  const uint32_t *words;
  size_t word_count;
  const char *entry;
  bool is_fragment, is_compute, is_geometry, is_control, is_evaluation; /* none: a vertex shader */
  uint32_t patch_vertices;                /* of tessellation shaders: of a patch that is taken */
  bool draws_points;                      /* points have sizes */
  uint32_t target_count;                  /* of fragment shaders: outputs of further locations are left out */
  bool second_color;                      /* of fragment shaders: the second color of a target is an output, too */
  bool mediump_half;                      /* fragment shaders compute results with RelaxedPrecision as halves */
  const struct frame_constant *constants; /* of this stage and others */
  uint32_t constant_count, stage;
  const unsigned char *constant_data;
  /* Fills *out; returns false where no texture is bound. */
  bool (*texture)(void *user, uint32_t set, uint32_t binding, uint32_t element, struct shader_texture *out);
  /* Returns the bytes of a buffer that a descriptor shows. */
  uint64_t (*buffer_bytes)(void *user, uint32_t set, uint32_t binding, uint32_t element);
  void *user;
};

/* Returns the words that a work-item writes: its outputs and whether the fragment was discarded; of a geometry shader
 * the same of each vertex, with 1 where a strip ends, and last the number of vertices. */
static inline uint32_t shader_output_words(const struct shader_source *source) {
  const uint32_t words = source->output_count + 1;
  return source->most_vertices ? words * source->most_vertices + 1 : words;
}

/* Returns the work-items of a work-group of a graphics shader: a quad's, a patch's, or 64. */
static inline uint32_t shader_group_items(const struct shader_source *source) {
  return source->in_quads ? 4 : source->patch_vertices ? source->patch_vertices : 64;
}

int shader_source_create(const struct shader_request *request, struct shader_source *out, struct error *error);
void shader_source_clear(struct shader_source *source);

#endif

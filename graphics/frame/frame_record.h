/* The frame capture: what a program gave to Vulkan for one frame, as a list of records (docs/frame-format.md).
 *
 * Shapes: a file is a head and records. A record is a head, a fixed structure and what follows that structure: arrays
 *         and bytes, whose lengths the structure states. Every record begins at a multiple of 8 bytes. Objects have
 *         numbers above 0 that no two objects of a file share; 0 is no object. Enumerations and bit masks have Vulkan's
 *         values. Objects stand before the commands that use them; contents of buffers and images are those at that
 *         place of the list.
 * Units:   bytes, texels, little endian.
 * Source:  Vulkan 1.3 specification, for the meaning of the members. */
#ifndef GRAPHICS_FRAME_RECORD_H
#define GRAPHICS_FRAME_RECORD_H

#include <stdint.h>

#define FRAME_MAGIC       "\x89RFRAME\n"
#define FRAME_VERSION     1
#define FRAME_MAX_COLORS  8
#define FRAME_MAX_SETS    8
#define FRAME_NAME_BYTES  64
#define FRAME_PUSH_BYTES  256
#define FRAME_MAX_VERTEX  32 /* vertex bindings, and attributes */
#define FRAME_MAX_LEVELS  16
#define FRAME_MAX_RECORDS (UINT32_C(1) << 24)
/* A program waits while its frame is compressed. This level takes 0.7 ms for a frame of glmark2's texture scene (1.38
 * of 3.16 MB remain) and 1.0 ms for one of its build scene (0.36 MB); level -1 takes 1.8 and 1.3 ms (1.28, 0.27 MB). */
#define FRAME_ZSTD_LEVEL (-10)

struct frame_file_head {
  char magic[8];
  uint32_t version;
  uint32_t compressed; /* 1: the records are one zstd frame; 0: they are plain */
};

struct frame_record_head {
  uint32_t kind;  /* enum frame_record_kind */
  uint32_t bytes; /* of the payload; a multiple of 8 */
};

/* One row per kind: X(enumerator, "name", structure at the payload's beginning). */
#define FRAME_KINDS(X)                                                                                                 \
  X(FRAME_BUFFER, "buffer", struct frame_buffer)                                                                       \
  X(FRAME_IMAGE, "image", struct frame_image)                                                                          \
  X(FRAME_VIEW, "view", struct frame_view)                                                                             \
  X(FRAME_TEXEL_BUFFER, "texel buffer", struct frame_texel_buffer)                                                     \
  X(FRAME_SAMPLER, "sampler", struct frame_sampler)                                                                    \
  X(FRAME_SHADER, "shader", struct frame_shader)                                                                       \
  X(FRAME_PIPELINE, "pipeline", struct frame_pipeline)                                                                 \
  X(FRAME_SET, "descriptor set", struct frame_set)                                                                     \
  X(FRAME_BUFFER_BYTES, "bytes of a buffer", struct frame_buffer_bytes)                                                \
  X(FRAME_IMAGE_TEXELS, "texels of an image", struct frame_image_texels)                                               \
  X(FRAME_SUBMIT, "submit", struct frame_submit)                                                                       \
  X(FRAME_BEGIN_PASS, "begin pass", struct frame_begin_pass)                                                           \
  X(FRAME_END_PASS, "end pass", struct frame_end_pass)                                                                 \
  X(FRAME_BIND_PIPELINE, "bind pipeline", struct frame_bind_pipeline)                                                  \
  X(FRAME_BIND_SETS, "bind descriptor sets", struct frame_bind_sets)                                                   \
  X(FRAME_BIND_VERTICES, "bind vertex buffers", struct frame_bind_vertices)                                            \
  X(FRAME_BIND_INDICES, "bind index buffer", struct frame_bind_indices)                                                \
  X(FRAME_PUSH, "push constants", struct frame_push)                                                                   \
  X(FRAME_SET_VIEWPORT, "set viewport", struct frame_viewport)                                                         \
  X(FRAME_SET_SCISSOR, "set scissor", struct frame_scissor)                                                            \
  X(FRAME_SET_STATE, "set state", struct frame_set_state)                                                              \
  X(FRAME_DRAW, "draw", struct frame_draw)                                                                             \
  X(FRAME_CLEAR_IMAGE, "clear image", struct frame_clear_image)                                                        \
  X(FRAME_CLEAR_TARGETS, "clear targets", struct frame_clear_targets)                                                  \
  X(FRAME_COPY_BUFFER, "copy buffer", struct frame_copy_buffer)                                                        \
  X(FRAME_FILL_BUFFER, "fill buffer", struct frame_fill_buffer)                                                        \
  X(FRAME_COPY_IMAGE, "copy image", struct frame_copy_image)                                                           \
  X(FRAME_COPY_TEXELS, "copy between buffer and image", struct frame_copy_texels)                                      \
  X(FRAME_BLIT_IMAGE, "blit image", struct frame_blit_image)                                                           \
  X(FRAME_BARRIER, "barrier", struct frame_barrier)                                                                    \
  X(FRAME_UNSUPPORTED, "unsupported command", struct frame_unsupported)                                                \
  X(FRAME_PRESENT, "present", struct frame_present)                                                                    \
  X(FRAME_TARGET_BYTES, "bytes of a target", struct frame_target_bytes)                                                \
  X(FRAME_SAMPLES, "samples", struct frame_samples)                                                                    \
  X(FRAME_DRAW_INDIRECT, "indirect draw", struct frame_draw_indirect)                                                  \
  X(FRAME_DISPATCH, "dispatch", struct frame_dispatch)

enum frame_record_kind {
#define X(id, name, type) id,
  FRAME_KINDS(X)
#undef X
      FRAME_KIND_COUNT
};

/* Objects. */

struct frame_buffer {
  uint32_t id, usage;
  uint64_t bytes;
};

struct frame_image {
  uint32_t id, dimensions /* VkImageType */, format, width, height, depth, levels, layers, samples, usage, flags,
      reserved;
};

struct frame_view {
  uint32_t id, image, type /* VkImageViewType */, format;
  uint32_t swizzle[4]; /* VkComponentSwizzle */
  uint32_t aspect, first_level, levels, first_layer, layers, reserved;
};

struct frame_texel_buffer {
  uint32_t id, buffer, format, reserved;
  uint64_t offset, bytes;
};

struct frame_sampler {
  uint32_t id, magnify, minify, mipmap, address[3], compares, compare, border, unnormalized, reserved;
  float lod_bias, least_lod, most_lod, anisotropy; /* anisotropy 0: off */
};

/* Then: word_count words of SPIR-V. */
struct frame_shader {
  uint32_t id, word_count;
};

struct frame_stencil {
  uint32_t fail, pass, depth_fail, compare, read_mask, write_mask, reference;
};

struct frame_viewport {
  float x, y, width, height, least_depth, most_depth;
};

struct frame_scissor {
  int32_t x, y;
  uint32_t width, height;
};

/* The state that a command may set after the pipeline was bound: bits of frame_pipeline.dynamic. */
enum frame_dynamic {
  FRAME_DYNAMIC_VIEWPORT = 1,
  FRAME_DYNAMIC_SCISSOR = 2,
  FRAME_DYNAMIC_LINE_WIDTH = 4,
  FRAME_DYNAMIC_DEPTH_BIAS = 8,
  FRAME_DYNAMIC_BLEND = 16,
  FRAME_DYNAMIC_STENCIL_READ = 32,
  FRAME_DYNAMIC_STENCIL_WRITE = 64,
  FRAME_DYNAMIC_STENCIL_REFERENCE = 128,
};

/* Bits of frame_pipeline.multisampling. */
enum frame_multisampling { FRAME_ALPHA_TO_COVERAGE = 1, FRAME_ALPHA_TO_ONE = 2, FRAME_SAMPLE_SHADING = 4 };

/* Then the arrays, in this order: stages, bindings, attributes, blends, constants (each a structure below),
 * constant_bytes bytes of specialization data, and, of a pipeline of patches, zeros up to 4 bytes and frame_patches. */
struct frame_pipeline {
  uint32_t id, is_compute, stage_count, binding_count, attribute_count, blend_count, constant_count, constant_bytes;
  uint32_t topology, restarts, depth_clamp, discards_all, polygon_mode, cull, front_face, biases_depth;
  uint32_t last_provokes; /* the last vertex gives flat values, not the first */
  uint32_t line_mode;     /* VkLineRasterizationModeEXT */
  float bias_constant, bias_clamp, bias_slope, line_width;
  uint32_t samples, sample_mask, multisampling, dynamic;
  uint32_t depth_test, depth_write, depth_compare, depth_bounds, stencil_test, logic_op /* 0xffffffff: none */;
  struct frame_stencil front, back;
  float blend_constants[4];
  struct frame_viewport viewport;
  struct frame_scissor scissor;
};

struct frame_patches {
  uint32_t vertices, lower_left /* of a patch; 1: v of its domain goes up (VkTessellationDomainOrigin) */;
};

struct frame_stage {
  uint32_t stage /* VkShaderStageFlagBits */, shader;
  char entry[FRAME_NAME_BYTES];
};

struct frame_binding {
  uint32_t binding, stride, per_instance, divisor;
};

struct frame_attribute {
  uint32_t location, binding, format, offset;
};

struct frame_blend {
  uint32_t enabled, source, target, operation, source_alpha, target_alpha, operation_alpha, mask;
};

struct frame_constant {
  uint32_t stage, number, offset, bytes;
};

struct frame_descriptor {
  uint32_t binding, element, type /* VkDescriptorType */, object /* buffer, view or texel buffer */, sampler, reserved;
  uint64_t offset, bytes; /* of a buffer; bytes UINT64_MAX: to its end */
};

/* Then: count of struct frame_descriptor. The set keeps no others. */
struct frame_set {
  uint32_t id, count;
};

/* Contents. */

/* Then: `bytes` bytes. */
struct frame_buffer_bytes {
  uint32_t buffer, reserved;
  uint64_t offset, bytes;
};

/* Then: the texels of all layers of a level, row after row without gaps. */
struct frame_image_texels {
  uint32_t image, aspect, level, first_layer, layers, width, height, depth;
  uint64_t bytes;
};

/* Commands. */

struct frame_submit {
  uint32_t number, mediump_half /* 1: the device offered floats of 16 bits, which GL's mediump becomes; 0: none */;
};

struct frame_target {
  uint32_t view, resolve, load, store; /* VkAttachmentLoadOp, VkAttachmentStoreOp */
  uint32_t clear[4];                   /* VkClearValue's words */
};

struct frame_begin_pass {
  struct frame_scissor area;
  uint32_t layers, color_count;
  struct frame_target colors[FRAME_MAX_COLORS], depth, stencil; /* view 0: none */
};

struct frame_end_pass {
  uint32_t reserved[2];
};

struct frame_bind_pipeline {
  uint32_t pipeline, point; /* VkPipelineBindPoint */
};

/* Then: offset_count dynamic offsets. */
struct frame_bind_sets {
  uint32_t point, first, count, offset_count;
  uint32_t sets[FRAME_MAX_SETS];
};

struct frame_bind_vertices {
  uint32_t first, count;
  uint32_t buffers[FRAME_MAX_VERTEX];
  uint64_t offsets[FRAME_MAX_VERTEX];
};

struct frame_bind_indices {
  uint32_t buffer, type; /* VkIndexType */
  uint64_t offset;
};

struct frame_push {
  uint32_t stages, offset, bytes, reserved;
  unsigned char data[FRAME_PUSH_BYTES];
};

/* The state that a command of dynamic state sets. */
struct frame_set_state {
  uint32_t state; /* one bit of enum frame_dynamic */
  uint32_t faces; /* of stencil state: VkStencilFaceFlags */
  union {
    float f[4];
    uint32_t u[4];
  } value;
};

struct frame_draw {
  uint32_t indexed, count, instances, first, first_instance;
  int32_t vertex_offset;
};

struct frame_clear_image {
  uint32_t image, aspect, first_level, levels, first_layer, layers;
  uint32_t value[4];
};

struct frame_clear_targets {
  uint32_t aspect, color;
  uint32_t value[4];
  struct frame_scissor area;
};

struct frame_copy_buffer {
  uint32_t source, target;
  uint64_t source_offset, target_offset, bytes;
};

/* With data: it follows (vkCmdUpdateBuffer), `bytes` bytes; else each word becomes `value`. */
struct frame_fill_buffer {
  uint32_t buffer, has_data, value, reserved;
  uint64_t offset, bytes;
};

struct frame_part {
  uint32_t image, aspect, level, first_layer, layers, reserved;
  int32_t offset[3], end[3]; /* texels; end: exclusive, mirrored where it is below offset (blits) */
};

struct frame_copy_image {
  struct frame_part source, target;
  uint32_t resolves, reserved;
};

struct frame_copy_texels {
  struct frame_part part;
  uint32_t buffer, to_buffer, row_texels, rows; /* 0: without gaps */
  uint64_t offset;
};

struct frame_blit_image {
  struct frame_part source, target;
  uint32_t filter, reserved;
};

struct frame_barrier {
  uint32_t source_stages, target_stages;
};

/* A command or an object that the capture does not hold. Then: struct frame_lack; older captures have none, which is as
 * one of zeros. */
struct frame_unsupported {
  char name[FRAME_NAME_BYTES];
};

/* The draws and dispatches behind the command that may differ for want of it. */
enum frame_reach {
  FRAME_REACH_REST,   /* all that follow */
  FRAME_REACH_PASS,   /* those until the end of the present pass, or of the next one */
  FRAME_REACH_OBJECT, /* those that read an image or a buffer */
  FRAME_REACH_NONE,   /* none */
  FRAME_REACH_BEGIN,  /* those before a command with FRAME_REACH_END */
  FRAME_REACH_END,
  FRAME_REACH_COUNT
};

struct frame_lack {
  uint32_t reach;  /* enum frame_reach */
  uint32_t object; /* of FRAME_REACH_OBJECT */
};

/* The end of the frame. Then: the picture as Vulkan left it, `bytes` bytes. */
struct frame_present {
  uint32_t image, format, width, height, number /* of the frame, from 1 */, reserved;
  uint64_t bytes;
};

/* Vulkan's result so far in a target of the present pass: one record for each target after the beginning of the
 * pass, after each draw and after each clear. Then: runs of struct frame_run, and the bytes of all runs without
 * gaps. Bytes outside of the runs are those of the previous record of this target, or 0. */
struct frame_target_bytes {
  uint32_t image, aspect, level, layer;
  uint32_t goes_on /* 0: the bytes outside of the runs are 0 */, runs;
};

struct frame_run {
  uint64_t offset, bytes;
};

/* The samples that passed Vulkan's tests in the previous draw. */
struct frame_samples {
  uint64_t passed;
};

/* Draws whose parameters lie in a buffer: VkDrawIndirectCommand or VkDrawIndexedIndirectCommand. */
struct frame_draw_indirect {
  uint32_t indexed, buffer, stride, most /* draws */;
  uint32_t count_buffer; /* has the number of draws; 0: it is `most` */
  uint32_t reserved;
  uint64_t offset, count_offset;
};

/* A launch of the bound compute pipeline. */
struct frame_dispatch {
  uint32_t groups[3];
  uint32_t buffer; /* holds the groups (VkDispatchIndirectCommand) at `offset`; 0: `groups` does */
  uint64_t offset;
};

#endif

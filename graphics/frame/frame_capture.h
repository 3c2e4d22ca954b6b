/* A frame capture in memory, checked (docs/frame-format.md).
 *
 * Shapes: records in the order of the file; objects by number.
 * Ownership: frame_capture_destroy frees everything; payloads point into the capture.
 * Errors: damage is ERROR_INPUT and names the record. After a load every length, every reference to an object and every
 *         number below is in bounds: an object is of the kind that its user needs, or 0; arrays lie in their record;
 *         contents lie in their buffer or fill their level. Regions of copies are checked by what executes them.
 * Cost: one pass. Threads: read-only after loading. */
#ifndef GRAPHICS_FRAME_CAPTURE_H
#define GRAPHICS_FRAME_CAPTURE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "graphics/frame/frame_record.h"

#define FRAME_MAX_FILE    ((size_t)2 << 30)
#define FRAME_MAX_OBJECTS (UINT32_C(1) << 22)
#define FRAME_MAX_SIDE    16384 /* texels */
#define FRAME_MAX_LAYERS  2048
#define FRAME_MAX_STORAGE (UINT64_C(1) << 30) /* bytes of one buffer or image */

struct frame_entry {
  uint32_t kind, bytes; /* enum frame_record_kind; of the payload */
  const void *payload;
};

struct frame_capture {
  struct frame_entry *records;
  uint32_t record_count;
  const struct frame_entry **objects; /* by number, up to object_count; NULL: none */
  uint32_t object_count;
  const struct frame_present *picture; /* Vulkan's picture; NULL: the frame has none */
  bool is_packed;                      /* the records were compressed in the file */
  bool mediump_half;                   /* GL's mediump is 16-bit floats in the shaders (struct frame_submit) */
  void *memory;
  const char *begin; /* the first record, in `memory` */
};

int frame_capture_load(const char *path, struct frame_capture **out, struct error *error);
/* The same from memory, which is copied; `name` stands for the file in messages. */
int frame_capture_read(const char *name, const void *bytes, size_t length, struct frame_capture **out,
                       struct error *error);
void frame_capture_destroy(struct frame_capture *capture);
/* Writes the capture, compressed. */
int frame_capture_save(const struct frame_capture *capture, const char *path, struct error *error);

const char *frame_kind_name(uint32_t kind);
/* Returns the bytes of a sample of an image's aspect times the samples of one level and `layers` layers. The samples of
 * a texel lie one behind the other. */
uint64_t frame_level_bytes(const struct frame_image *image, uint32_t aspect, uint32_t level, uint32_t layers);
/* Returns the structure of the object with this number; NULL: there is none of this kind. */
const void *frame_object(const struct frame_capture *capture, enum frame_record_kind kind, uint32_t id);

/* Returns the draws that a record of an unsupported command concerns. */
struct frame_lack frame_lack_of(const struct frame_entry *record);

static inline uint32_t frame_level_side(uint32_t side, uint32_t level) {
  return side >> level > 0 ? side >> level : 1;
}

/* The arrays behind a pipeline's structure. */
static inline const struct frame_stage *frame_stages(const struct frame_pipeline *p) {
  return (const struct frame_stage *)(p + 1);
}
static inline const struct frame_binding *frame_bindings(const struct frame_pipeline *p) {
  return (const struct frame_binding *)(frame_stages(p) + p->stage_count);
}
static inline const struct frame_attribute *frame_attributes(const struct frame_pipeline *p) {
  return (const struct frame_attribute *)(frame_bindings(p) + p->binding_count);
}
static inline const struct frame_blend *frame_blends(const struct frame_pipeline *p) {
  return (const struct frame_blend *)(frame_attributes(p) + p->attribute_count);
}
static inline const struct frame_constant *frame_constants(const struct frame_pipeline *p) {
  return (const struct frame_constant *)(frame_blends(p) + p->blend_count);
}
static inline const unsigned char *frame_constant_data(const struct frame_pipeline *p) {
  return (const unsigned char *)(frame_constants(p) + p->constant_count);
}
/* Of a pipeline whose topology is that of patches. */
static inline const struct frame_patches *frame_patches(const struct frame_pipeline *p) {
  return (const struct frame_patches *)(const void *)(frame_constant_data(p) + (p->constant_bytes + 3) / 4 * 4);
}

#endif

#include "graphics/frame/frame_check.h"

#include <stdbool.h>
#include <string.h>

#include "graphics/frame/texel_format.h"

#define MOST_STAGES    5
#define MOST_CONSTANTS 256
#define MOST_INDIRECT  65536
#define PATCHES        10 /* VK_PRIMITIVE_TOPOLOGY_PATCH_LIST */

typedef const char *check(const struct frame_capture *c, const struct frame_entry *r);

/* 0 is allowed: no object. */
static bool is_object(const struct frame_capture *c, enum frame_record_kind kind, uint32_t id) {
  return id == 0 || frame_object(c, kind, id);
}

/* Returns whether `bytes` more follow the structure of the payload. */
static bool follows(const struct frame_entry *r, size_t structure, uint64_t bytes) {
  return bytes <= r->bytes - structure;
}

static const char *check_buffer(const struct frame_capture *c, const struct frame_entry *r) {
  const struct frame_buffer *b = r->payload;
  (void)c;
  return b->bytes > FRAME_MAX_STORAGE ? "the buffer is too large" : NULL;
}

static bool side_is_good(uint32_t side) {
  return side > 0 && side <= FRAME_MAX_SIDE;
}

static const char *check_image(const struct frame_capture *c, const struct frame_entry *r) {
  const struct frame_image *i = r->payload;
  (void)c;
  if (!side_is_good(i->width) || !side_is_good(i->height) || !side_is_good(i->depth))
    return "a side of the image is out of bounds";
  if (i->levels == 0 || i->levels > FRAME_MAX_LEVELS || i->layers == 0 || i->layers > FRAME_MAX_LAYERS)
    return "the image's levels or layers are out of bounds";
  if (i->samples == 0 || i->samples > 16 || i->dimensions > 2)
    return "the image's samples or dimensions are out of bounds";
  return (uint64_t)i->width * i->height * i->depth * i->layers * i->samples * 16 > 2 * FRAME_MAX_STORAGE
             ? "the image is too large"
             : NULL;
}

static const char *check_view(const struct frame_capture *c, const struct frame_entry *r) {
  const struct frame_view *v = r->payload;
  const struct frame_image *i = frame_object(c, FRAME_IMAGE, v->image);
  if (!i)
    return "the view is of no image";
  for (int k = 0; k < 4; k++)
    if (v->swizzle[k] > 6)
      return "the swizzle is out of bounds";
  if (v->levels == 0 || v->first_level >= i->levels || v->levels > i->levels - v->first_level)
    return "the view's levels are not in the image";
  if (i->depth == 1 && (v->layers == 0 || v->first_layer >= i->layers || v->layers > i->layers - v->first_layer))
    return "the view's layers are not in the image";
  return NULL;
}

static const char *check_texel_buffer(const struct frame_capture *c, const struct frame_entry *r) {
  const struct frame_texel_buffer *t = r->payload;
  const struct frame_buffer *b = frame_object(c, FRAME_BUFFER, t->buffer);
  return !b || t->offset > b->bytes ? "the texel buffer is not in a buffer" : NULL;
}

static const char *check_sampler(const struct frame_capture *c, const struct frame_entry *r) {
  const struct frame_sampler *s = r->payload;
  (void)c;
  return s->magnify > 1 || s->minify > 1 || s->mipmap > 1 || s->compare > 7 || s->address[0] > 4 || s->address[1] > 4 ||
                 s->address[2] > 4
             ? "the sampler has an unknown filter or address mode"
             : NULL;
}

static const char *check_shader(const struct frame_capture *c, const struct frame_entry *r) {
  const struct frame_shader *s = r->payload;
  (void)c;
  return follows(r, sizeof *s, (uint64_t)s->word_count * 4) ? NULL : "the shader's words are not in the record";
}

static const char *check_stages(const struct frame_capture *c, const struct frame_pipeline *p) {
  for (uint32_t i = 0; i < p->stage_count; i++) {
    const struct frame_stage *s = &frame_stages(p)[i];
    if (!is_object(c, FRAME_SHADER, s->shader) || !memchr(s->entry, '\0', sizeof s->entry))
      return "a stage has no shader, or its name does not end";
  }
  return NULL;
}

static const char *check_constants(const struct frame_pipeline *p) {
  for (uint32_t i = 0; i < p->constant_count; i++) {
    const struct frame_constant *k = &frame_constants(p)[i];
    if (k->offset > p->constant_bytes || k->bytes > p->constant_bytes - k->offset)
      return "a specialization constant is not in the data";
  }
  return NULL;
}

static const char *check_pipeline(const struct frame_capture *c, const struct frame_entry *r) {
  const struct frame_pipeline *p = r->payload;
  if (p->stage_count > MOST_STAGES || p->binding_count > FRAME_MAX_VERTEX || p->attribute_count > FRAME_MAX_VERTEX ||
      p->blend_count > FRAME_MAX_COLORS || p->constant_count > MOST_CONSTANTS)
    return "a count of the pipeline is out of bounds";
  if (!follows(r, sizeof *p,
               (uint64_t)p->stage_count * sizeof(struct frame_stage) + p->binding_count * sizeof(struct frame_binding) +
                   p->attribute_count * sizeof(struct frame_attribute) + p->blend_count * sizeof(struct frame_blend) +
                   p->constant_count * sizeof(struct frame_constant) + p->constant_bytes))
    return "the pipeline's arrays are not in the record";
  const uint64_t before = (uint64_t)((const unsigned char *)frame_patches(p) - (const unsigned char *)(p + 1));
  if (p->topology == PATCHES && !follows(r, sizeof *p, before + sizeof(struct frame_patches)))
    return "the pipeline does not say how many vertices its patches have";
  const char *wrong = check_stages(c, p);
  return wrong ? wrong : check_constants(p);
}

static enum frame_record_kind descriptor_kind(uint32_t type) {
  if (type <= 3 || type == 10)
    return FRAME_VIEW;
  return type <= 5 ? FRAME_TEXEL_BUFFER : FRAME_BUFFER;
}

static const char *check_set(const struct frame_capture *c, const struct frame_entry *r) {
  const struct frame_set *s = r->payload;
  const struct frame_descriptor *d = (const struct frame_descriptor *)(s + 1);
  if (!follows(r, sizeof *s, (uint64_t)s->count * sizeof *d))
    return "the descriptors are not in the record";
  for (uint32_t i = 0; i < s->count; i++) {
    if (d[i].type > 10)
      return "a descriptor has an unknown type";
    /* A set may keep descriptors of objects that were destroyed, as long as no shader uses them. */
    if (d[i].object >= FRAME_MAX_OBJECTS || d[i].sampler >= FRAME_MAX_OBJECTS)
      return "a descriptor's object is out of bounds";
    const struct frame_buffer *b = frame_object(c, FRAME_BUFFER, d[i].object);
    if (b && descriptor_kind(d[i].type) == FRAME_BUFFER && d[i].offset > b->bytes)
      return "a descriptor begins behind its buffer";
  }
  return NULL;
}

static const char *check_buffer_bytes(const struct frame_capture *c, const struct frame_entry *r) {
  const struct frame_buffer_bytes *b = r->payload;
  const struct frame_buffer *buffer = frame_object(c, FRAME_BUFFER, b->buffer);
  if (!buffer || b->offset > buffer->bytes || b->bytes > buffer->bytes - b->offset)
    return "the bytes are not in a buffer";
  return follows(r, sizeof *b, b->bytes) ? NULL : "the bytes are not in the record";
}

static const char *check_image_texels(const struct frame_capture *c, const struct frame_entry *r) {
  const struct frame_image_texels *t = r->payload;
  const struct frame_image *i = frame_object(c, FRAME_IMAGE, t->image);
  if (!i || t->level >= i->levels || t->first_layer >= i->layers || t->layers > i->layers - t->first_layer)
    return "the texels are of no level of an image";
  if (t->bytes != frame_level_bytes(i, t->aspect, t->level, t->layers))
    return "the texels do not fill the level";
  return follows(r, sizeof *t, t->bytes) ? NULL : "the texels are not in the record";
}

static const char *check_begin_pass(const struct frame_capture *c, const struct frame_entry *r) {
  const struct frame_begin_pass *p = r->payload;
  if (p->color_count > FRAME_MAX_COLORS)
    return "the pass has too many targets";
  for (uint32_t i = 0; i < p->color_count; i++)
    if (!is_object(c, FRAME_VIEW, p->colors[i].view) || !is_object(c, FRAME_VIEW, p->colors[i].resolve))
      return "a target is no view";
  return is_object(c, FRAME_VIEW, p->depth.view) && is_object(c, FRAME_VIEW, p->stencil.view) ? NULL
                                                                                              : "a target is no view";
}

static const char *check_bind_pipeline(const struct frame_capture *c, const struct frame_entry *r) {
  const struct frame_bind_pipeline *b = r->payload;
  return is_object(c, FRAME_PIPELINE, b->pipeline) ? NULL : "what is bound is no pipeline";
}

static const char *check_bind_sets(const struct frame_capture *c, const struct frame_entry *r) {
  const struct frame_bind_sets *b = r->payload;
  if (b->first > FRAME_MAX_SETS || b->count > FRAME_MAX_SETS - b->first)
    return "the sets are out of bounds";
  for (uint32_t i = 0; i < b->count; i++)
    if (!is_object(c, FRAME_SET, b->sets[i]))
      return "what is bound is no descriptor set";
  return follows(r, sizeof *b, (uint64_t)b->offset_count * 4) ? NULL : "the dynamic offsets are not in the record";
}

static const char *check_bind_vertices(const struct frame_capture *c, const struct frame_entry *r) {
  const struct frame_bind_vertices *b = r->payload;
  if (b->first > FRAME_MAX_VERTEX || b->count > FRAME_MAX_VERTEX - b->first)
    return "the vertex buffers are out of bounds";
  for (uint32_t i = 0; i < b->count; i++)
    if (!is_object(c, FRAME_BUFFER, b->buffers[i]))
      return "a vertex buffer is no buffer";
  return NULL;
}

static const char *check_bind_indices(const struct frame_capture *c, const struct frame_entry *r) {
  const struct frame_bind_indices *b = r->payload;
  return is_object(c, FRAME_BUFFER, b->buffer) ? NULL : "the index buffer is no buffer";
}

static const char *check_push(const struct frame_capture *c, const struct frame_entry *r) {
  const struct frame_push *p = r->payload;
  (void)c;
  return p->offset > FRAME_PUSH_BYTES || p->bytes > FRAME_PUSH_BYTES - p->offset ? "the constants are out of bounds"
                                                                                 : NULL;
}

static bool part_is_good(const struct frame_capture *c, const struct frame_part *p) {
  const struct frame_image *i = frame_object(c, FRAME_IMAGE, p->image);
  return i && p->level < i->levels && p->first_layer < i->layers && p->layers <= i->layers - p->first_layer;
}

static const char *check_clear_image(const struct frame_capture *c, const struct frame_entry *r) {
  const struct frame_clear_image *k = r->payload;
  const struct frame_image *i = frame_object(c, FRAME_IMAGE, k->image);
  return i && k->first_level < i->levels && k->levels <= i->levels - k->first_level && k->first_layer < i->layers &&
                 k->layers <= i->layers - k->first_layer
             ? NULL
             : "what is cleared is not in an image";
}

static const char *check_copy_buffer(const struct frame_capture *c, const struct frame_entry *r) {
  const struct frame_copy_buffer *k = r->payload;
  const struct frame_buffer *s = frame_object(c, FRAME_BUFFER, k->source),
                            *t = frame_object(c, FRAME_BUFFER, k->target);
  return s && t && k->source_offset <= s->bytes && k->bytes <= s->bytes - k->source_offset &&
                 k->target_offset <= t->bytes && k->bytes <= t->bytes - k->target_offset
             ? NULL
             : "what is copied is not in the buffers";
}

static const char *check_fill_buffer(const struct frame_capture *c, const struct frame_entry *r) {
  const struct frame_fill_buffer *f = r->payload;
  const struct frame_buffer *b = frame_object(c, FRAME_BUFFER, f->buffer);
  if (!b || f->offset > b->bytes || (f->bytes != UINT64_MAX && f->bytes > b->bytes - f->offset))
    return "what is filled is not in a buffer";
  return !f->has_data || follows(r, sizeof *f, f->bytes) ? NULL : "the data are not in the record";
}

static const char *check_copy_image(const struct frame_capture *c, const struct frame_entry *r) {
  const struct frame_copy_image *k = r->payload;
  return part_is_good(c, &k->source) && part_is_good(c, &k->target) ? NULL : "what is copied is not in the images";
}

static const char *check_copy_texels(const struct frame_capture *c, const struct frame_entry *r) {
  const struct frame_copy_texels *k = r->payload;
  return part_is_good(c, &k->part) && frame_object(c, FRAME_BUFFER, k->buffer) ? NULL
                                                                               : "what is copied is not in the image";
}

static const char *check_blit(const struct frame_capture *c, const struct frame_entry *r) {
  const struct frame_blit_image *k = r->payload;
  return part_is_good(c, &k->source) && part_is_good(c, &k->target) ? NULL : "what is copied is not in the images";
}

static const char *check_unsupported(const struct frame_capture *c, const struct frame_entry *r) {
  const struct frame_unsupported *u = r->payload;
  const struct frame_lack lack = frame_lack_of(r);
  if (!memchr(u->name, '\0', sizeof u->name))
    return "the name does not end";
  if (lack.reach >= FRAME_REACH_COUNT)
    return "the draws that the command concerns are unknown";
  return lack.reach != FRAME_REACH_OBJECT || frame_object(c, FRAME_IMAGE, lack.object) ||
                 frame_object(c, FRAME_BUFFER, lack.object)
             ? NULL
             : "the command concerns no image or buffer";
}

static const char *check_present(const struct frame_capture *c, const struct frame_entry *r) {
  const struct frame_present *p = r->payload;
  const struct frame_image *i = frame_object(c, FRAME_IMAGE, p->image);
  if (!i || p->width != i->width || p->height != i->height || p->format != i->format ||
      p->bytes != (uint64_t)p->width * p->height * texel_format_bytes(p->format, 1))
    return "the picture is not that of an image";
  return follows(r, sizeof *p, p->bytes) ? NULL : "the picture is not in the record";
}

static const char *check_target_bytes(const struct frame_capture *c, const struct frame_entry *r) {
  const struct frame_target_bytes *t = r->payload;
  const struct frame_run *runs = (const struct frame_run *)(t + 1);
  const struct frame_image *i = frame_object(c, FRAME_IMAGE, t->image);
  uint64_t sum = (uint64_t)t->runs * sizeof *runs;
  if (!i || t->level >= i->levels || t->layer >= i->layers || !follows(r, sizeof *t, sum))
    return "the target is of no level of an image, or its runs are not in the record";
  const uint64_t bytes = frame_level_bytes(i, t->aspect, t->level, 1);
  for (uint32_t k = 0; k < t->runs; k++) {
    if (runs[k].offset > bytes || runs[k].bytes > bytes - runs[k].offset)
      return "a run is not in the level";
    sum += runs[k].bytes;
    if (!follows(r, sizeof *t, sum))
      return "the runs' bytes are not in the record";
  }
  return NULL;
}

static const char *check_draw_indirect(const struct frame_capture *c, const struct frame_entry *r) {
  const struct frame_draw_indirect *d = r->payload;
  if (!is_object(c, FRAME_BUFFER, d->buffer) || !is_object(c, FRAME_BUFFER, d->count_buffer))
    return "the draws are in no buffer";
  return d->most > MOST_INDIRECT ? "there are too many draws" : NULL;
}

static const char *check_dispatch(const struct frame_capture *c, const struct frame_entry *r) {
  const struct frame_dispatch *d = r->payload;
  return is_object(c, FRAME_BUFFER, d->buffer) ? NULL : "the groups are in no buffer";
}

static const char *check_submit(const struct frame_capture *c, const struct frame_entry *r) {
  const struct frame_submit *s = r->payload;
  (void)c;
  return s->mediump_half > 1 ? "mediump is neither float nor half" : NULL;
}

static check *const checks[FRAME_KIND_COUNT] = {[FRAME_BUFFER] = check_buffer,
                                                [FRAME_IMAGE] = check_image,
                                                [FRAME_VIEW] = check_view,
                                                [FRAME_TEXEL_BUFFER] = check_texel_buffer,
                                                [FRAME_SAMPLER] = check_sampler,
                                                [FRAME_SHADER] = check_shader,
                                                [FRAME_PIPELINE] = check_pipeline,
                                                [FRAME_SET] = check_set,
                                                [FRAME_BUFFER_BYTES] = check_buffer_bytes,
                                                [FRAME_IMAGE_TEXELS] = check_image_texels,
                                                [FRAME_BEGIN_PASS] = check_begin_pass,
                                                [FRAME_BIND_PIPELINE] = check_bind_pipeline,
                                                [FRAME_BIND_SETS] = check_bind_sets,
                                                [FRAME_BIND_VERTICES] = check_bind_vertices,
                                                [FRAME_BIND_INDICES] = check_bind_indices,
                                                [FRAME_PUSH] = check_push,
                                                [FRAME_CLEAR_IMAGE] = check_clear_image,
                                                [FRAME_COPY_BUFFER] = check_copy_buffer,
                                                [FRAME_FILL_BUFFER] = check_fill_buffer,
                                                [FRAME_COPY_IMAGE] = check_copy_image,
                                                [FRAME_COPY_TEXELS] = check_copy_texels,
                                                [FRAME_BLIT_IMAGE] = check_blit,
                                                [FRAME_UNSUPPORTED] = check_unsupported,
                                                [FRAME_PRESENT] = check_present,
                                                [FRAME_TARGET_BYTES] = check_target_bytes,
                                                [FRAME_DRAW_INDIRECT] = check_draw_indirect,
                                                [FRAME_DISPATCH] = check_dispatch,
                                                [FRAME_SUBMIT] = check_submit};

const char *frame_check(const struct frame_capture *c, const struct frame_entry *r) {
  static const size_t sizes[] = {
#define X(id, name, type) sizeof(type),
      FRAME_KINDS(X)
#undef X
  };
  if (r->bytes < sizes[r->kind])
    return "the record is too short";
  return checks[r->kind] ? checks[r->kind](c, r) : NULL;
}

bool frame_defines(const struct frame_entry *r) {
  return r->kind <= FRAME_SET;
}

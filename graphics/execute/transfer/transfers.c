/* Copies and fills, between the storages of buffers and images. Parts outside of the storages are ignored. */
#include <string.h>
#include <vulkan/vulkan_core.h>

#include "graphics/execute/execution.h"
#include "graphics/execute/transfer/transfer.h"
#include "graphics/frame/texel_format.h"

static void copy_buffer(struct execution *e, const struct frame_copy_buffer *c) {
  uint64_t bytes;
  const uint8_t *source = storage_buffer(&e->storage, c->source, &bytes);
  uint8_t *target = storage_buffer(&e->storage, c->target, &bytes);
  if (source && target)
    memmove(target + c->target_offset, source + c->source_offset, c->bytes);
}

static void fill_buffer(struct execution *e, const struct frame_fill_buffer *f) {
  uint64_t bytes;
  uint8_t *buffer = storage_buffer(&e->storage, f->buffer, &bytes);
  const uint64_t length = f->bytes == UINT64_MAX ? (bytes - f->offset) & ~UINT64_C(3) : f->bytes;
  if (buffer && f->has_data)
    memcpy(buffer + f->offset, f + 1, length);
  else
    for (uint64_t at = 0; buffer && at + 4 <= length; at += 4)
      memcpy(buffer + f->offset + at, &f->value, 4);
}

static void copy_image_texel(struct execution *e, const void *command, const struct transfer_place *at) {
  const struct frame_copy_image *c = command;
  const struct frame_part *s = &c->source, *t = &c->target;
  const struct storage_image *from = storage_image(&e->storage, s->image), *to = storage_image(&e->storage, t->image);
  for (unsigned bit = 0; bit < 3; bit++) {
    const uint32_t aspect = s->aspect & 1u << bit;
    if (!aspect)
      continue;
    const uint8_t *source =
        transfer_texel(from, s, aspect, at->layer, s->offset[0] + at->x, s->offset[1] + at->y, s->offset[2] + at->z);
    uint8_t *target =
        transfer_texel(to, t, aspect, at->layer, t->offset[0] + at->x, t->offset[1] + at->y, t->offset[2] + at->z);
    const enum storage_plane plane = storage_plane_of(aspect);
    if (!source || !target || storage_texel_bytes(from, plane) != storage_texel_bytes(to, plane))
      continue;
    if (c->resolves && to->info->samples == 1)
      execution_resolve_texel(from, plane, source, target);
    else if (from->info->samples == to->info->samples)
      memcpy(target, source, (size_t)from->info->samples * storage_texel_bytes(to, plane));
  }
}

static void copy_buffer_texel(struct execution *e, const void *command, const struct transfer_place *at) {
  const struct frame_copy_texels *c = command;
  const struct frame_part *p = &c->part;
  const struct storage_image *image = storage_image(&e->storage, p->image);
  const uint64_t row = c->row_texels ? c->row_texels : (uint64_t)(p->end[0] - p->offset[0]);
  const uint64_t rows = c->rows ? c->rows : (uint64_t)(p->end[1] - p->offset[1]);
  const uint64_t depth = (uint64_t)(p->end[2] - p->offset[2]);
  uint8_t *texel =
      transfer_texel(image, p, p->aspect, at->layer, p->offset[0] + at->x, p->offset[1] + at->y, p->offset[2] + at->z);
  const uint32_t size = image ? storage_texel_bytes(image, storage_plane_of(p->aspect)) : 0;
  const uint64_t place =
      c->offset +
      (((at->layer * depth + (uint64_t)at->z) * rows + (uint64_t)at->y) * row + (uint64_t)at->x) * (uint64_t)size;
  uint64_t bytes;
  uint8_t *buffer = storage_buffer(&e->storage, c->buffer, &bytes);
  if (!texel || !buffer || place > bytes || size > bytes - place) /* no texel: also where the format is not known */
    return;
  if (texel_format_find(image->info->format)->block_bytes)
    return; /* the buffer has blocks; the capture has the decoded texels behind the copy */
  memcpy(c->to_buffer ? buffer + place : texel, c->to_buffer ? texel : buffer + place, size);
}

bool execution_transfer(struct execution *e, const struct frame_entry *r) {
  switch (r->kind) {
  case FRAME_COPY_BUFFER:
    copy_buffer(e, r->payload);
    return true;
  case FRAME_FILL_BUFFER:
    fill_buffer(e, r->payload);
    return true;
  case FRAME_COPY_IMAGE:
    transfer_visit(e, &((const struct frame_copy_image *)r->payload)->source, r->payload, copy_image_texel);
    return true;
  case FRAME_COPY_TEXELS:
    transfer_visit(e, &((const struct frame_copy_texels *)r->payload)->part, r->payload, copy_buffer_texel);
    return true;
  case FRAME_BLIT_IMAGE:
    transfer_blit(e, r->payload);
    return true;
  default:
    return false;
  }
}

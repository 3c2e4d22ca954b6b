#include "graphics/layer/reading/each_draw.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "graphics/frame/texel_format.h"
#include "graphics/layer/reading/copy_buffer.h"
#include "graphics/layer/reading/decoded.h"
#include "graphics/layer/reading/samples.h"

#define BLOCK_BYTES 1024

/* The data that was read at one place of the commands: a target's texels, or the number of samples that passed. */
struct reading {
  struct frame_target_bytes target;
  uint64_t bytes;
  struct copy_buffer copy;
  struct samples places; /* of a target with several samples */
  char *sample_texels;   /* of it, when the commands have been executed */
  VkQueryPool samples;
};

static const char *texels_of(const struct reading *r) {
  return r->sample_texels ? r->sample_texels : r->copy.bytes;
}

/* The present pass of a command buffer, and what was read. */
struct each_draw {
  bool wanted, in_pass;
  struct frame_begin_pass pass;
  VkRenderingInfo rendering;
  VkRenderingAttachmentInfo colors[FRAME_MAX_COLORS], depth, stencil;
  VkRenderPassBeginInfo begin; /* renderPass VK_NULL_HANDLE: dynamic rendering */
  VkRenderPassAttachmentBeginInfo attachments;
  VkImageView views[2 * FRAME_MAX_COLORS + 2];
  struct reading *list;
  size_t count, room;
};

static uint64_t held_bytes;

bool each_draw_is_on(void) {
  const char *text = getenv("REASSEMBLE_FRAME_EACH_DRAW");
  return text && strcmp(text, "1") == 0;
}

static struct each_draw *state_of(VkCommandBuffer commands) {
  const struct object *o = layer_find(OBJECT_COMMANDS, HANDLE(commands));
  return o ? o->data : NULL;
}

static void clear(struct each_draw *s) {
  for (size_t i = 0; i < s->count; i++) {
    copy_buffer_end(&s->list[i].copy);
    samples_end(&s->list[i].places);
    free(s->list[i].sample_texels);
    held_bytes -= s->list[i].bytes;
    if (s->list[i].samples)
      layer_device.next.DestroyQueryPool(layer_device.handle, s->list[i].samples, NULL);
  }
  free(s->list);
  s->list = NULL;
  s->count = s->room = 0;
}

void each_draw_begin(VkCommandBuffer commands, bool wanted) {
  struct object *o = layer_find(OBJECT_COMMANDS, HANDLE(commands));
  struct each_draw *s = o ? o->data : NULL;
  decoded_forget(commands);
  if (!o || !each_draw_is_on())
    return;
  if (!s)
    s = o->data = calloc(1, sizeof *s);
  if (!s)
    return;
  clear(s);
  s->wanted = wanted;
  s->in_pass = false;
}

void each_draw_end(VkCommandBuffer commands) {
  struct each_draw *s = state_of(commands);
  decoded_forget(commands);
  if (s)
    clear(s);
}

/* Passes that begin again. */

static VkRenderingAttachmentInfo loaded(const VkRenderingAttachmentInfo *a) {
  VkRenderingAttachmentInfo copy = *a;
  copy.pNext = NULL;
  copy.loadOp = VK_ATTACHMENT_LOAD_OP_LOAD;
  return copy;
}

void each_draw_rendering(VkCommandBuffer commands, const struct frame_begin_pass *record, const VkRenderingInfo *info) {
  struct each_draw *s = state_of(commands);
  if (!s || !s->wanted || info->colorAttachmentCount > FRAME_MAX_COLORS)
    return;
  s->in_pass = true;
  s->pass = *record;
  s->begin.renderPass = VK_NULL_HANDLE;
  s->rendering = *info;
  s->rendering.pNext = NULL;
  for (uint32_t i = 0; i < info->colorAttachmentCount; i++)
    s->colors[i] = loaded(&info->pColorAttachments[i]);
  s->rendering.pColorAttachments = s->colors;
  if (info->pDepthAttachment)
    s->depth = loaded(info->pDepthAttachment);
  if (info->pStencilAttachment)
    s->stencil = loaded(info->pStencilAttachment);
  s->rendering.pDepthAttachment = info->pDepthAttachment ? &s->depth : NULL;
  s->rendering.pStencilAttachment = info->pStencilAttachment ? &s->stencil : NULL;
  each_draw_read(commands);
}

static const VkRenderPassAttachmentBeginInfo *attachments_of(const VkRenderPassBeginInfo *info) {
  const VkRenderPassAttachmentBeginInfo *a = info->pNext;
  while (a && a->sType != VK_STRUCTURE_TYPE_RENDER_PASS_ATTACHMENT_BEGIN_INFO)
    a = a->pNext;
  return a && a->attachmentCount <= 2 * FRAME_MAX_COLORS + 2 ? a : NULL;
}

void each_draw_render_pass(VkCommandBuffer commands, const struct frame_begin_pass *record,
                           const VkRenderPassBeginInfo *info, VkRenderPass again) {
  struct each_draw *s = state_of(commands);
  const VkRenderPassAttachmentBeginInfo *a = attachments_of(info);
  if (!s || !s->wanted || !again)
    return;
  s->in_pass = true;
  s->pass = *record;
  s->begin = *info;
  s->begin.renderPass = again;
  s->begin.clearValueCount = 0;
  s->begin.pNext = NULL;
  if (a) {
    memcpy(s->views, a->pAttachments, a->attachmentCount * sizeof *s->views);
    s->attachments = *a;
    s->attachments.pNext = NULL;
    s->attachments.pAttachments = s->views;
    s->begin.pNext = &s->attachments;
  }
  each_draw_read(commands);
}

void each_draw_end_pass(VkCommandBuffer commands) {
  struct each_draw *s = state_of(commands);
  if (s)
    s->in_pass = false;
}

static void suspend(VkCommandBuffer c, const struct each_draw *s) {
  if (s->begin.renderPass)
    layer_device.next.CmdEndRenderPass(c);
  else
    layer_device.next.CmdEndRendering(c);
}

static void resume(VkCommandBuffer c, const struct each_draw *s) {
  if (s->begin.renderPass)
    layer_device.next.CmdBeginRenderPass(c, &s->begin, VK_SUBPASS_CONTENTS_INLINE);
  else
    layer_device.next.CmdBeginRendering(c, &s->rendering);
}

/* The attachments of a pass that loads and stores all of them. */
#define LOAD_ALL(Attachment, own, info)                                                                                \
  Attachment *own = calloc((info)->attachmentCount + 1, sizeof *own);                                                  \
  for (uint32_t i = 0; own && i < (info)->attachmentCount; i++) {                                                      \
    own[i] = (info)->pAttachments[i];                                                                                  \
    own[i].loadOp = own[i].stencilLoadOp = VK_ATTACHMENT_LOAD_OP_LOAD;                                                 \
    own[i].storeOp = own[i].stencilStoreOp = VK_ATTACHMENT_STORE_OP_STORE;                                             \
    own[i].initialLayout = own[i].finalLayout;                                                                         \
  }

VkRenderPass each_draw_again(VkDevice device, const VkRenderPassCreateInfo *info) {
  VkRenderPassCreateInfo copy = *info;
  VkRenderPass again = VK_NULL_HANDLE;
  if (!each_draw_is_on())
    return again;
  LOAD_ALL(VkAttachmentDescription, own, info)
  copy.pAttachments = own;
  if (own && layer_device.next.CreateRenderPass(device, &copy, NULL, &again) != VK_SUCCESS)
    again = VK_NULL_HANDLE;
  free(own);
  return again;
}

VkRenderPass each_draw_again2(VkDevice device, const VkRenderPassCreateInfo2 *info) {
  VkRenderPassCreateInfo2 copy = *info;
  VkRenderPass again = VK_NULL_HANDLE;
  if (!each_draw_is_on())
    return again;
  LOAD_ALL(VkAttachmentDescription2, own, info)
  copy.pAttachments = own;
  if (own && layer_device.next.CreateRenderPass2(device, &copy, NULL, &again) != VK_SUCCESS)
    again = VK_NULL_HANDLE;
  free(own);
  return again;
}

/* Readings. */

static struct reading *add(VkCommandBuffer c, struct each_draw *s) {
  const struct frame_target_bytes place = {.runs = (uint32_t)s->count};
  if (!array_room(&s->list, &s->room, s->count + 1, sizeof *s->list))
    return NULL;
  layer_put(c, FRAME_TARGET_BYTES, &place, sizeof place); /* each_draw_write puts the contents here */
  s->list[s->count] = (struct reading){.bytes = 0};
  return &s->list[s->count++];
}

static const struct frame_view *view_of(uint32_t id) {
  const struct object *o = id ? layer_find_id(id) : NULL;
  return o && o->records.length > 0 ? (const void *)(o->records.bytes + sizeof(struct frame_record_head)) : NULL;
}

static uint32_t side(uint32_t size, uint32_t level) {
  return size >> level > 0 ? size >> level : 1;
}

static void read_target(VkCommandBuffer c, struct each_draw *s, uint32_t view, uint32_t aspect) {
  const struct frame_view *v = view_of(view);
  const struct object *image = v ? layer_find_id(v->image) : NULL;
  const uint32_t size = image ? texel_format_bytes(image->format, aspect) : 0;
  if (size == 0 || image->depth > 1)
    return;
  const uint32_t width = side(image->width, v->first_level), height = side(image->height, v->first_level);
  const uint64_t bytes = (uint64_t)width * height * image->samples * size;
  const VkBufferImageCopy region = {.imageSubresource = {aspect, v->first_level, v->first_layer, 1},
                                    .imageExtent = {width, height, 1}};
  struct reading *r = held_bytes + bytes <= EACH_DRAW_MOST_BYTES ? add(c, s) : NULL;
  if (!r || (image->samples > 1 && !samples_begin(&r->places, image, v->first_level, v->first_layer)) ||
      !copy_buffer_begin(&r->copy, image->samples > 1 ? r->places.bytes : bytes))
    return;
  r->bytes = bytes;
  held_bytes += bytes;
  r->target = (struct frame_target_bytes){
      .image = v->image, .aspect = aspect, .level = v->first_level, .layer = v->first_layer};
  if (image->samples > 1)
    samples_copy(c, &r->places, r->copy.buffer);
  else
    layer_device.next.CmdCopyImageToBuffer(c, image->image, VK_IMAGE_LAYOUT_GENERAL, r->copy.buffer, 1, &region);
}

void each_draw_read(VkCommandBuffer commands) {
  struct each_draw *s = state_of(commands);
  if (!s || !s->in_pass)
    return;
  suspend(commands, s);
  for (uint32_t i = 0; i < s->pass.color_count; i++)
    read_target(commands, s, s->pass.colors[i].view, VK_IMAGE_ASPECT_COLOR_BIT);
  read_target(commands, s, s->pass.depth.view, VK_IMAGE_ASPECT_DEPTH_BIT);
  read_target(commands, s, s->pass.stencil.view, VK_IMAGE_ASPECT_STENCIL_BIT);
  resume(commands, s);
}

void each_draw_before(VkCommandBuffer commands) {
  const VkQueryPoolCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO, .queryType = VK_QUERY_TYPE_OCCLUSION, .queryCount = 1};
  struct each_draw *s = state_of(commands);
  struct reading *r = s && s->in_pass ? add(commands, s) : NULL;
  if (!r)
    return;
  if (layer_device.next.CreateQueryPool(layer_device.handle, &info, NULL, &r->samples) != VK_SUCCESS)
    r->samples = VK_NULL_HANDLE;
  else
    layer_device.next.CmdBeginQuery(commands, r->samples, 0, VK_QUERY_CONTROL_PRECISE_BIT);
}

/* The query is the last reading: a draw reads nothing else before it ends. */
void each_draw_after(VkCommandBuffer commands) {
  struct each_draw *s = state_of(commands);
  if (!s || !s->in_pass || s->count == 0)
    return;
  if (s->list[s->count - 1].samples)
    layer_device.next.CmdEndQuery(commands, s->list[s->count - 1].samples, 0);
  each_draw_read(commands);
}

/* Contents. */

static const struct reading *former_of(const struct each_draw *s, size_t index) {
  const struct frame_target_bytes *t = &s->list[index].target;
  for (size_t i = index; i-- > 0;) {
    const struct reading *r = &s->list[i];
    if (r->bytes == s->list[index].bytes && r->target.image == t->image && r->target.aspect == t->aspect &&
        r->target.level == t->level && r->target.layer == t->layer)
      return r;
  }
  return NULL;
}

static bool differs(const struct reading *r, const struct reading *former, uint64_t at, uint64_t length) {
  static const char zeros[BLOCK_BYTES];
  return memcmp(texels_of(r) + at, former ? texels_of(former) + at : zeros, length) != 0;
}

/* Fills `runs` with the parts that differ from the former reading of the target, or from 0; returns how many there
 * are. */
static uint32_t find_runs(const struct reading *r, const struct reading *former, struct frame_run *runs) {
  uint32_t count = 0;
  for (uint64_t at = 0; at < r->bytes; at += BLOCK_BYTES) {
    const uint64_t length = r->bytes - at < BLOCK_BYTES ? r->bytes - at : BLOCK_BYTES;
    if (!differs(r, former, at, length))
      continue;
    if (count > 0 && runs[count - 1].offset + runs[count - 1].bytes == at)
      runs[count - 1].bytes += length;
    else
      runs[count++] = (struct frame_run){at, length};
  }
  return count;
}

static void put_target(const struct each_draw *s, size_t index, struct record_stream *out) {
  const struct reading *r = &s->list[index], *former = former_of(s, index);
  struct frame_target_bytes record = r->target;
  struct frame_run *runs = calloc(r->bytes / BLOCK_BYTES + 1, sizeof *runs);
  if (!runs)
    return;
  record.goes_on = former != NULL;
  record.runs = find_runs(r, former, runs);
  record_put(out, FRAME_TARGET_BYTES, &record, sizeof record);
  record_more(out, runs, record.runs * sizeof *runs);
  for (uint32_t i = 0; i < record.runs; i++)
    record_more(out, texels_of(r) + runs[i].offset, runs[i].bytes);
  free(runs);
}

static void put_samples(const struct reading *r, struct record_stream *out) {
  struct frame_samples record = {0};
  if (layer_device.next.GetQueryPoolResults(layer_device.handle, r->samples, 0, 1, sizeof record, &record,
                                            sizeof record, VK_QUERY_RESULT_64_BIT) == VK_SUCCESS)
    record_put(out, FRAME_SAMPLES, &record, sizeof record);
}

static void put_reading(const struct each_draw *s, size_t index, struct record_stream *out) {
  if (index < s->count && s->list[index].samples)
    put_samples(&s->list[index], out);
  else if (index < s->count && s->list[index].copy.bytes && s->list[index].bytes > 0)
    put_target(s, index, out);
}

static void order_samples(struct each_draw *s) {
  uint64_t length;
  for (size_t i = 0; i < s->count; i++) {
    struct reading *r = &s->list[i];
    if (r->places.shared && r->copy.bytes && !r->sample_texels)
      r->sample_texels = samples_texels(&r->places, r->target.aspect, r->copy.bytes, &length);
    if (r->places.shared && !r->sample_texels)
      r->bytes = 0;
  }
}

void each_draw_write(VkCommandBuffer commands, FILE *file) {
  const struct record_stream *s = layer_commands(commands);
  struct each_draw *state = state_of(commands);
  if (state)
    order_samples(state);
  for (size_t at = 0; at < s->length;) {
    struct record_stream out = {0};
    struct frame_record_head head;
    memcpy(&head, s->bytes + at, sizeof head);
    if (head.kind == FRAME_TARGET_BYTES && state)
      put_reading(state, ((const struct frame_target_bytes *)(s->bytes + at + sizeof head))->runs, &out);
    else if (head.kind == FRAME_IMAGE_TEXELS)
      decoded_write(s->bytes + at + sizeof head, &out);
    else
      fwrite(s->bytes + at, 1, sizeof head + head.bytes, file);
    if (out.length > 0 && !out.failed)
      fwrite(out.bytes, 1, out.length, file);
    record_stream_clear(&out);
    at += sizeof head + head.bytes;
  }
}

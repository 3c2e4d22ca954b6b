#include "graphics/layer/reading/each_draw.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "graphics/frame/texel_format.h"
#include "graphics/layer/reading/decoded.h"
#include "graphics/layer/reading/each_draw_state.h"

bool each_draw_is_on(void) {
  const char *text = getenv("REASSEMBLE_FRAME_EACH_DRAW");
  return text && strcmp(text, "1") == 0;
}

struct each_draw *each_draw_state(VkCommandBuffer commands) {
  const struct object *o = layer_find(OBJECT_COMMANDS, HANDLE(commands));
  return o ? o->data : NULL;
}

static void clear(struct each_draw *s) {
  for (size_t i = 0; i < s->slot_count; i++) {
    copy_buffer_end(&s->slots[i].copy);
    samples_end(&s->slots[i].places);
    free(s->slots[i].former);
  }
  for (size_t i = 0; i < s->count; i++)
    if (s->list[i].query)
      layer_device.next.DestroyQueryPool(layer_device.handle, s->list[i].query, NULL);
  for (size_t i = 0; i < s->stop_count; i++)
    checkpoint_end(&s->stops[i].checkpoint);
  copy_buffer_end(&s->passed);
  free(s->slots);
  free(s->list);
  free(s->stops);
  s->slots = NULL;
  s->list = NULL;
  s->stops = NULL;
  s->slot_count = s->slot_room = s->count = s->room = s->stop_count = s->stop_room = 0;
}

void each_draw_begin(VkCommandBuffer commands, bool wanted) {
  struct object *o = layer_find(OBJECT_COMMANDS, HANDLE(commands));
  struct each_draw *s = o ? o->data : NULL;
  decoded_forget(commands);
  if (!o || o->is_secondary || !each_draw_is_on())
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
  struct each_draw *s = each_draw_state(commands);
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
  struct each_draw *s = each_draw_state(commands);
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
  struct each_draw *s = each_draw_state(commands);
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
  struct each_draw *s = each_draw_state(commands);
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

static const struct frame_view *view_of(uint32_t id) {
  const struct object *o = id ? layer_find_id(id) : NULL;
  return o && o->records.length > 0 ? (const void *)(o->records.bytes + sizeof(struct frame_record_head)) : NULL;
}

static uint32_t side(uint32_t size, uint32_t level) {
  return size >> level > 0 ? size >> level : 1;
}

static bool same_target(const struct slot *s, const struct frame_target_bytes *t, uint64_t bytes) {
  return s->bytes == bytes && s->target.image == t->image && s->target.aspect == t->aspect &&
         s->target.level == t->level && s->target.layer == t->layer;
}

/* Makes the place of a target; NULL: it cannot be read. */
static struct slot *make_slot(struct each_draw *s, const struct object *image, const struct frame_target_bytes *t,
                              uint64_t bytes) {
  if (!array_room(&s->slots, &s->slot_room, s->slot_count + 1, sizeof *s->slots))
    return NULL;
  struct slot *slot = &s->slots[s->slot_count];
  *slot = (struct slot){.target = *t, .bytes = bytes, .former = calloc(bytes + 1, 1)};
  const bool placed = image->samples == 1 || samples_begin(&slot->places, image, t->level, t->layer);
  s->slot_count++;
  return slot->former && placed && copy_buffer_begin(&slot->copy, image->samples > 1 ? slot->places.bytes : bytes)
             ? slot
             : NULL;
}

static struct slot *find_slot(struct each_draw *s, const struct object *image, const struct frame_target_bytes *t,
                              uint64_t bytes) {
  for (size_t i = 0; i < s->slot_count; i++)
    if (same_target(&s->slots[i], t, bytes))
      return s->slots[i].copy.bytes ? &s->slots[i] : NULL;
  return make_slot(s, image, t, bytes);
}

/* Adds a reading, whose record each_draw_write puts where this one stands. */
static struct reading *add(VkCommandBuffer c, struct each_draw *s) {
  const struct frame_target_bytes place = {.runs = (uint32_t)s->count};
  if (!array_room(&s->list, &s->room, s->count + 1, sizeof *s->list))
    return NULL;
  layer_put(c, FRAME_TARGET_BYTES, &place, sizeof place);
  s->list[s->count] = (struct reading){.stop = s->stop_count};
  return &s->list[s->count++];
}

static void read_target(VkCommandBuffer c, struct each_draw *s, uint32_t view, uint32_t aspect) {
  const struct frame_view *v = view_of(view);
  const struct object *image = v ? layer_find_id(v->image) : NULL;
  const uint32_t size = image ? texel_format_bytes(image->format, aspect) : 0;
  if (size == 0 || image->depth > 1)
    return;
  const uint32_t width = side(image->width, v->first_level), height = side(image->height, v->first_level);
  const struct frame_target_bytes target = {
      .image = v->image, .aspect = aspect, .level = v->first_level, .layer = v->first_layer};
  const VkBufferImageCopy region = {.imageSubresource = {aspect, v->first_level, v->first_layer, 1},
                                    .imageExtent = {width, height, 1}};
  struct slot *slot = find_slot(s, image, &target, (uint64_t)width * height * image->samples * size);
  struct reading *r = slot ? add(c, s) : NULL;
  if (!r)
    return;
  r->slot = (size_t)(slot - s->slots);
  if (image->samples > 1)
    samples_copy(c, &slot->places, slot->copy.buffer);
  else
    layer_device.next.CmdCopyImageToBuffer(c, image->image, VK_IMAGE_LAYOUT_GENERAL, slot->copy.buffer, 1, &region);
}

/* Ends the readings since the last stop. Where there is no stop for want of memory, they are left out. */
static bool put_stop(VkCommandBuffer c, struct each_draw *s, size_t last) {
  struct stop stop = {.last = last};
  if (array_room(&s->stops, &s->stop_room, s->stop_count + 1, sizeof *s->stops) && checkpoint_begin(&stop.checkpoint)) {
    checkpoint_put(c, &stop.checkpoint);
    s->stops[s->stop_count++] = stop;
    return true;
  }
  checkpoint_end(&stop.checkpoint);
  for (size_t i = s->count; i-- > 0 && s->list[i].stop == s->stop_count;)
    s->list[i].stop = NO_READING;
  return false;
}

void each_draw_read(VkCommandBuffer commands) {
  struct each_draw *s = each_draw_state(commands);
  if (!s || !s->in_pass)
    return;
  suspend(commands, s);
  const struct reading *last = s->count > 0 ? &s->list[s->count - 1] : NULL;
  if (last && last->query && last->stop == s->stop_count)
    layer_device.next.CmdCopyQueryPoolResults(commands, last->query, 0, 1, s->passed.buffer, 0, sizeof(uint64_t),
                                              VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT);
  for (uint32_t i = 0; i < s->pass.color_count; i++)
    read_target(commands, s, s->pass.colors[i].view, VK_IMAGE_ASPECT_COLOR_BIT);
  read_target(commands, s, s->pass.depth.view, VK_IMAGE_ASPECT_DEPTH_BIT);
  read_target(commands, s, s->pass.stencil.view, VK_IMAGE_ASPECT_STENCIL_BIT);
  if (s->count > 0 && s->list[s->count - 1].stop == s->stop_count)
    put_stop(commands, s, s->count - 1);
  resume(commands, s);
}

bool each_draw_stop(VkCommandBuffer commands) {
  struct each_draw *s = each_draw_state(commands);
  return s ? put_stop(commands, s, NO_READING) : !each_draw_is_on();
}

void each_draw_before(VkCommandBuffer commands) {
  const VkQueryPoolCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO, .queryType = VK_QUERY_TYPE_OCCLUSION, .queryCount = 1};
  struct each_draw *s = each_draw_state(commands);
  if (!s || !s->in_pass || (!s->passed.bytes && !copy_buffer_begin(&s->passed, sizeof(uint64_t))))
    return;
  struct reading *r = add(commands, s);
  if (!r)
    return;
  r->is_samples = true;
  if (layer_device.next.CreateQueryPool(layer_device.handle, &info, NULL, &r->query) != VK_SUCCESS)
    r->query = VK_NULL_HANDLE;
  else
    layer_device.next.CmdBeginQuery(commands, r->query, 0, VK_QUERY_CONTROL_PRECISE_BIT);
}

/* The query is the last reading: a draw reads nothing else before it ends. */
void each_draw_after(VkCommandBuffer commands) {
  struct each_draw *s = each_draw_state(commands);
  if (!s || !s->in_pass)
    return;
  if (s->count > 0 && s->list[s->count - 1].query)
    layer_device.next.CmdEndQuery(commands, s->list[s->count - 1].query, 0);
  each_draw_read(commands);
}

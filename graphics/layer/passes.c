/* Hooks of passes. Render passes of one subpass and dynamic rendering become the same record. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "graphics/layer/reading/each_draw.h"

#define NO_ATTACHMENT VK_ATTACHMENT_UNUSED

struct attachment {
  uint32_t load, store, stencil_load, stencil_store;
};

/* A render pass: its attachments, and those of its first subpass. */
struct pass {
  uint32_t subpasses, color_count, attachment_count;
  uint32_t colors[FRAME_MAX_COLORS], resolves[FRAME_MAX_COLORS], depth;
  struct attachment attachments[2 * FRAME_MAX_COLORS + 2];
  VkRenderPass again; /* that loads all attachments; VK_NULL_HANDLE: not needed */
};

struct framebuffer {
  uint32_t view_count, layers;
  uint32_t views[2 * FRAME_MAX_COLORS + 2];
};

#define MOST_ATTACHMENTS (2 * FRAME_MAX_COLORS + 2)

static uint32_t at_most(uint32_t count, uint32_t most) {
  return count < most ? count : most;
}

/* The two generations of structures have the same members under the same names. */
#define FILL_PASS(p, info)                                                                                             \
  do {                                                                                                                 \
    (p)->subpasses = (info)->subpassCount;                                                                             \
    (p)->color_count = at_most((info)->pSubpasses[0].colorAttachmentCount, FRAME_MAX_COLORS);                          \
    (p)->attachment_count = at_most((info)->attachmentCount, MOST_ATTACHMENTS);                                        \
    for (uint32_t i = 0; i < (p)->color_count; i++) {                                                                  \
      (p)->colors[i] = (info)->pSubpasses[0].pColorAttachments[i].attachment;                                          \
      (p)->resolves[i] = (info)->pSubpasses[0].pResolveAttachments                                                     \
                             ? (info)->pSubpasses[0].pResolveAttachments[i].attachment                                 \
                             : NO_ATTACHMENT;                                                                          \
    }                                                                                                                  \
    (p)->depth = (info)->pSubpasses[0].pDepthStencilAttachment                                                         \
                     ? (info)->pSubpasses[0].pDepthStencilAttachment->attachment                                       \
                     : NO_ATTACHMENT;                                                                                  \
    for (uint32_t i = 0; i < (p)->attachment_count; i++)                                                               \
      (p)->attachments[i] =                                                                                            \
          (struct attachment){(info)->pAttachments[i].loadOp, (info)->pAttachments[i].storeOp,                         \
                              (info)->pAttachments[i].stencilLoadOp, (info)->pAttachments[i].stencilStoreOp};          \
  } while (0)

static struct pass *remember_pass(VkRenderPass handle) {
  struct object *o = layer_remember(OBJECT_PASS, HANDLE(handle));
  return o ? o->data = calloc(1, sizeof(struct pass)) : NULL;
}

static VKAPI_ATTR VkResult VKAPI_CALL layer_CreateRenderPass(VkDevice device, const VkRenderPassCreateInfo *info,
                                                             const VkAllocationCallbacks *allocator,
                                                             VkRenderPass *out) {
  const VkResult result = layer_device.next.CreateRenderPass(device, info, allocator, out);
  pthread_mutex_lock(&layer_lock);
  struct pass *p = result == VK_SUCCESS ? remember_pass(*out) : NULL;
  if (p) {
    FILL_PASS(p, info);
    p->again = each_draw_again(device, info);
  }
  pthread_mutex_unlock(&layer_lock);
  return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL layer_CreateRenderPass2(VkDevice device, const VkRenderPassCreateInfo2 *info,
                                                              const VkAllocationCallbacks *allocator,
                                                              VkRenderPass *out) {
  const VkResult result = layer_device.next.CreateRenderPass2(device, info, allocator, out);
  pthread_mutex_lock(&layer_lock);
  struct pass *p = result == VK_SUCCESS ? remember_pass(*out) : NULL;
  if (p) {
    FILL_PASS(p, info);
    p->again = each_draw_again2(device, info);
  }
  pthread_mutex_unlock(&layer_lock);
  return result;
}

static void set_views(struct framebuffer *f, const VkImageView *views, uint32_t count) {
  f->view_count = at_most(count, MOST_ATTACHMENTS);
  for (uint32_t i = 0; i < f->view_count; i++)
    f->views[i] = layer_id(OBJECT_VIEW, HANDLE(views[i]));
}

static VKAPI_ATTR VkResult VKAPI_CALL layer_CreateFramebuffer(VkDevice device, const VkFramebufferCreateInfo *info,
                                                              const VkAllocationCallbacks *allocator,
                                                              VkFramebuffer *out) {
  const VkResult result = layer_device.next.CreateFramebuffer(device, info, allocator, out);
  if (result != VK_SUCCESS)
    return result;
  pthread_mutex_lock(&layer_lock);
  struct object *o = layer_remember(OBJECT_FRAMEBUFFER, HANDLE(*out));
  struct framebuffer *f = o ? o->data = calloc(1, sizeof *f) : NULL;
  if (f) {
    f->layers = info->layers;
    if (!(info->flags & VK_FRAMEBUFFER_CREATE_IMAGELESS_BIT))
      set_views(f, info->pAttachments, info->attachmentCount);
  }
  pthread_mutex_unlock(&layer_lock);
  return result;
}

DESTROY_HOOK(RenderPass, OBJECT_PASS)
DESTROY_HOOK(Framebuffer, OBJECT_FRAMEBUFFER)

static struct frame_target target_of(const struct pass *p, const struct framebuffer *f, uint32_t attachment,
                                     uint32_t resolve, const VkRenderPassBeginInfo *info, bool stencil) {
  struct frame_target t = {0};
  if (attachment >= p->attachment_count || attachment >= f->view_count)
    return t;
  const struct attachment *a = &p->attachments[attachment];
  t.view = f->views[attachment];
  t.resolve = resolve < f->view_count ? f->views[resolve] : 0;
  t.load = stencil ? a->stencil_load : a->load;
  t.store = stencil ? a->stencil_store : a->store;
  if (attachment < info->clearValueCount)
    memcpy(t.clear, &info->pClearValues[attachment], sizeof t.clear);
  return t;
}

static struct frame_scissor area_of(VkRect2D r) {
  return (struct frame_scissor){r.offset.x, r.offset.y, r.extent.width, r.extent.height};
}

static struct frame_begin_pass pass_of(const struct pass *p, const struct framebuffer *f,
                                       const VkRenderPassBeginInfo *info) {
  struct frame_begin_pass record;
  memset(&record, 0, sizeof record);
  record.area = area_of(info->renderArea);
  record.layers = f->layers;
  record.color_count = p->color_count;
  for (uint32_t i = 0; i < p->color_count; i++)
    record.colors[i] = target_of(p, f, p->colors[i], p->resolves[i], info, false);
  record.depth = target_of(p, f, p->depth, NO_ATTACHMENT, info, false);
  record.stencil = target_of(p, f, p->depth, NO_ATTACHMENT, info, true);
  return record;
}

static void put_pass(VkCommandBuffer commands, const struct pass *p, const struct framebuffer *f,
                     const VkRenderPassBeginInfo *info) {
  const struct frame_begin_pass record = pass_of(p, f, info);
  if (p->subpasses > 1)
    record_unsupported(layer_commands(commands), "a render pass of several subpasses", FRAME_REACH_NONE, 0);
  layer_put(commands, FRAME_BEGIN_PASS, &record, sizeof record);
  if (p->subpasses == 1)
    each_draw_render_pass(commands, &record, info, p->again);
}

static void begin_pass(VkCommandBuffer commands, const VkRenderPassBeginInfo *info) {
  static const struct VkRenderPassAttachmentBeginInfo none;
  pthread_mutex_lock(&layer_lock);
  const struct object *pass = layer_find(OBJECT_PASS, HANDLE(info->renderPass));
  const struct object *framebuffer = layer_find(OBJECT_FRAMEBUFFER, HANDLE(info->framebuffer));
  const VkRenderPassAttachmentBeginInfo *views = info->pNext;
  while (views && views->sType != VK_STRUCTURE_TYPE_RENDER_PASS_ATTACHMENT_BEGIN_INFO)
    views = views->pNext;
  views = views ? views : &none;
  if (pass && pass->data && framebuffer && framebuffer->data) {
    struct framebuffer f = *(const struct framebuffer *)framebuffer->data;
    if (views->attachmentCount > 0)
      set_views(&f, views->pAttachments, views->attachmentCount);
    put_pass(commands, pass->data, &f, info);
  }
  pthread_mutex_unlock(&layer_lock);
}

static void end_pass(VkCommandBuffer commands) {
  const struct frame_end_pass record = {{0, 0}};
  pthread_mutex_lock(&layer_lock);
  record_put(layer_commands(commands), FRAME_END_PASS, &record, sizeof record);
  each_draw_end_pass(commands);
  pthread_mutex_unlock(&layer_lock);
}

static VKAPI_ATTR void VKAPI_CALL layer_CmdBeginRenderPass(VkCommandBuffer c, const VkRenderPassBeginInfo *info,
                                                           VkSubpassContents contents) {
  layer_device.next.CmdBeginRenderPass(c, info, contents);
  begin_pass(c, info);
}

static VKAPI_ATTR void VKAPI_CALL layer_CmdBeginRenderPass2(VkCommandBuffer c, const VkRenderPassBeginInfo *info,
                                                            const VkSubpassBeginInfo *subpass) {
  layer_device.next.CmdBeginRenderPass2(c, info, subpass);
  begin_pass(c, info);
}

static VKAPI_ATTR void VKAPI_CALL layer_CmdEndRenderPass(VkCommandBuffer c) {
  end_pass(c);
  layer_device.next.CmdEndRenderPass(c);
}

static VKAPI_ATTR void VKAPI_CALL layer_CmdEndRenderPass2(VkCommandBuffer c, const VkSubpassEndInfo *info) {
  end_pass(c);
  layer_device.next.CmdEndRenderPass2(c, info);
}

static struct frame_target rendering_target(const VkRenderingAttachmentInfo *a) {
  struct frame_target t = {0};
  if (!a)
    return t;
  t.view = layer_id(OBJECT_VIEW, HANDLE(a->imageView));
  t.resolve = a->resolveMode == VK_RESOLVE_MODE_NONE ? 0 : layer_id(OBJECT_VIEW, HANDLE(a->resolveImageView));
  t.load = a->loadOp;
  t.store = a->storeOp;
  memcpy(t.clear, &a->clearValue, sizeof t.clear);
  return t;
}

/* A pass that goes on where another was suspended loads its targets. */
static VKAPI_ATTR void VKAPI_CALL layer_CmdBeginRendering(VkCommandBuffer c, const VkRenderingInfo *info) {
  struct frame_begin_pass record;
  layer_device.next.CmdBeginRendering(c, info);
  pthread_mutex_lock(&layer_lock);
  memset(&record, 0, sizeof record);
  record.area = area_of(info->renderArea);
  record.layers = info->layerCount;
  record.color_count = at_most(info->colorAttachmentCount, FRAME_MAX_COLORS);
  for (uint32_t i = 0; i < record.color_count; i++)
    record.colors[i] = rendering_target(&info->pColorAttachments[i]);
  record.depth = rendering_target(info->pDepthAttachment);
  record.stencil = rendering_target(info->pStencilAttachment);
  if (info->flags & VK_RENDERING_RESUMING_BIT)
    record_unsupported(layer_commands(c), "a pass that goes on where another was suspended", FRAME_REACH_PASS, 0);
  record_put(layer_commands(c), FRAME_BEGIN_PASS, &record, sizeof record);
  each_draw_rendering(c, &record, info);
  pthread_mutex_unlock(&layer_lock);
}

static VKAPI_ATTR void VKAPI_CALL layer_CmdEndRendering(VkCommandBuffer c) {
  end_pass(c);
  layer_device.next.CmdEndRendering(c);
}

const struct layer_hook pass_hooks[] = {HOOK(CreateRenderPass),    HOOK(CreateRenderPass2),  HOOK(DestroyRenderPass),
                                        HOOK(CreateFramebuffer),   HOOK(DestroyFramebuffer), HOOK(CmdBeginRenderPass),
                                        HOOK(CmdBeginRenderPass2), HOOK(CmdEndRenderPass),   HOOK(CmdEndRenderPass2),
                                        HOOK(CmdBeginRendering),   HOOK(CmdEndRendering),    {NULL, NULL}};

/* Hooks of copies, blits, clears and fills. */
#include <string.h>

#include "graphics/layer/reading/decoded.h"
#include "graphics/layer/reading/each_draw.h"
#include "graphics/layer/submit.h"

static struct frame_part part(VkImage image, const VkImageSubresourceLayers *s, VkOffset3D at, VkExtent3D extent) {
  return (struct frame_part){
      .image = layer_id(OBJECT_IMAGE, HANDLE(image)),
      .aspect = s->aspectMask,
      .level = s->mipLevel,
      .first_layer = s->baseArrayLayer,
      .layers = s->layerCount,
      .offset = {at.x, at.y, at.z},
      .end = {at.x + (int32_t)extent.width, at.y + (int32_t)extent.height, at.z + (int32_t)extent.depth}};
}

static VKAPI_ATTR void VKAPI_CALL layer_CmdCopyBuffer(VkCommandBuffer c, VkBuffer source, VkBuffer target,
                                                      uint32_t count, const VkBufferCopy *list) {
  pthread_mutex_lock(&layer_lock);
  for (uint32_t i = 0; i < count; i++) {
    const struct frame_copy_buffer record = {layer_id(OBJECT_BUFFER, HANDLE(source)),
                                             layer_id(OBJECT_BUFFER, HANDLE(target)), list[i].srcOffset,
                                             list[i].dstOffset, list[i].size};
    record_put(layer_commands(c), FRAME_COPY_BUFFER, &record, sizeof record);
  }
  pthread_mutex_unlock(&layer_lock);
  layer_device.next.CmdCopyBuffer(c, source, target, count, list);
}

static VKAPI_ATTR void VKAPI_CALL layer_CmdFillBuffer(VkCommandBuffer c, VkBuffer buffer, VkDeviceSize offset,
                                                      VkDeviceSize size, uint32_t value) {
  pthread_mutex_lock(&layer_lock);
  const struct frame_fill_buffer record = {layer_id(OBJECT_BUFFER, HANDLE(buffer)), 0, value, 0, offset, size};
  record_put(layer_commands(c), FRAME_FILL_BUFFER, &record, sizeof record);
  pthread_mutex_unlock(&layer_lock);
  layer_device.next.CmdFillBuffer(c, buffer, offset, size, value);
}

static VKAPI_ATTR void VKAPI_CALL layer_CmdUpdateBuffer(VkCommandBuffer c, VkBuffer buffer, VkDeviceSize offset,
                                                        VkDeviceSize size, const void *data) {
  pthread_mutex_lock(&layer_lock);
  const struct frame_fill_buffer record = {layer_id(OBJECT_BUFFER, HANDLE(buffer)), 1, 0, 0, offset, size};
  record_put(layer_commands(c), FRAME_FILL_BUFFER, &record, sizeof record);
  record_more(layer_commands(c), data, size);
  pthread_mutex_unlock(&layer_lock);
  layer_device.next.CmdUpdateBuffer(c, buffer, offset, size, data);
}

/* VkImageCopy and VkImageResolve have the same members. */
static void copy_image(VkCommandBuffer c, VkImage source, VkImage target, const VkImageCopy *r, uint32_t resolves) {
  const struct frame_copy_image record = {.source = part(source, &r->srcSubresource, r->srcOffset, r->extent),
                                          .target = part(target, &r->dstSubresource, r->dstOffset, r->extent),
                                          .resolves = resolves};
  record_put(layer_commands(c), FRAME_COPY_IMAGE, &record, sizeof record);
}

/* Decodes what a copy has put into a compressed image. */
static void put_decoded(VkCommandBuffer c, VkImage image, const VkImageSubresourceLayers *s) {
  const struct object *o = layer_find(OBJECT_IMAGE, HANDLE(image));
  if (decoded_is_needed(o) && submit_may_be_wanted(true))
    decoded_put(c, o, s->mipLevel, s->baseArrayLayer, s->layerCount);
}

static VKAPI_ATTR void VKAPI_CALL layer_CmdCopyImage(VkCommandBuffer c, VkImage source, VkImageLayout source_layout,
                                                     VkImage target, VkImageLayout target_layout, uint32_t count,
                                                     const VkImageCopy *list) {
  pthread_mutex_lock(&layer_lock);
  for (uint32_t i = 0; i < count; i++)
    copy_image(c, source, target, &list[i], 0);
  if (decoded_is_needed(layer_find(OBJECT_IMAGE, HANDLE(source))) &&
      !decoded_is_needed(layer_find(OBJECT_IMAGE, HANDLE(target))))
    record_unsupported(layer_commands(c), "a copy out of a compressed image", FRAME_REACH_OBJECT,
                       layer_id(OBJECT_IMAGE, HANDLE(target)));
  layer_device.next.CmdCopyImage(c, source, source_layout, target, target_layout, count, list);
  for (uint32_t i = 0; i < count; i++)
    put_decoded(c, target, &list[i].dstSubresource);
  pthread_mutex_unlock(&layer_lock);
}

static VKAPI_ATTR void VKAPI_CALL layer_CmdResolveImage(VkCommandBuffer c, VkImage source, VkImageLayout source_layout,
                                                        VkImage target, VkImageLayout target_layout, uint32_t count,
                                                        const VkImageResolve *list) {
  pthread_mutex_lock(&layer_lock);
  for (uint32_t i = 0; i < count; i++) {
    const VkImageCopy same = {list[i].srcSubresource, list[i].srcOffset, list[i].dstSubresource, list[i].dstOffset,
                              list[i].extent};
    copy_image(c, source, target, &same, 1);
  }
  pthread_mutex_unlock(&layer_lock);
  layer_device.next.CmdResolveImage(c, source, source_layout, target, target_layout, count, list);
}

static void copy_texels(VkCommandBuffer c, VkImage image, VkBuffer buffer, const VkBufferImageCopy *r, bool to_buffer) {
  const struct frame_copy_texels record = {.part = part(image, &r->imageSubresource, r->imageOffset, r->imageExtent),
                                           .buffer = layer_id(OBJECT_BUFFER, HANDLE(buffer)),
                                           .to_buffer = to_buffer,
                                           .row_texels = r->bufferRowLength,
                                           .rows = r->bufferImageHeight,
                                           .offset = r->bufferOffset};
  record_put(layer_commands(c), FRAME_COPY_TEXELS, &record, sizeof record);
}

static VKAPI_ATTR void VKAPI_CALL layer_CmdCopyBufferToImage(VkCommandBuffer c, VkBuffer buffer, VkImage image,
                                                             VkImageLayout layout, uint32_t count,
                                                             const VkBufferImageCopy *list) {
  pthread_mutex_lock(&layer_lock);
  for (uint32_t i = 0; i < count; i++)
    copy_texels(c, image, buffer, &list[i], false);
  layer_device.next.CmdCopyBufferToImage(c, buffer, image, layout, count, list);
  for (uint32_t i = 0; i < count; i++)
    put_decoded(c, image, &list[i].imageSubresource);
  pthread_mutex_unlock(&layer_lock);
}

static VKAPI_ATTR void VKAPI_CALL layer_CmdCopyImageToBuffer(VkCommandBuffer c, VkImage image, VkImageLayout layout,
                                                             VkBuffer buffer, uint32_t count,
                                                             const VkBufferImageCopy *list) {
  pthread_mutex_lock(&layer_lock);
  for (uint32_t i = 0; i < count; i++)
    copy_texels(c, image, buffer, &list[i], true);
  if (decoded_is_needed(layer_find(OBJECT_IMAGE, HANDLE(image))))
    record_unsupported(layer_commands(c), "a copy out of a compressed image", FRAME_REACH_OBJECT,
                       layer_id(OBJECT_BUFFER, HANDLE(buffer)));
  pthread_mutex_unlock(&layer_lock);
  layer_device.next.CmdCopyImageToBuffer(c, image, layout, buffer, count, list);
}

static struct frame_part blit_part(VkImage image, const VkImageSubresourceLayers *s, const VkOffset3D at[2]) {
  struct frame_part p = part(image, s, at[0], (VkExtent3D){0, 0, 0});
  p.end[0] = at[1].x;
  p.end[1] = at[1].y;
  p.end[2] = at[1].z;
  return p;
}

static VKAPI_ATTR void VKAPI_CALL layer_CmdBlitImage(VkCommandBuffer c, VkImage source, VkImageLayout source_layout,
                                                     VkImage target, VkImageLayout target_layout, uint32_t count,
                                                     const VkImageBlit *list, VkFilter filter) {
  pthread_mutex_lock(&layer_lock);
  for (uint32_t i = 0; i < count; i++) {
    const struct frame_blit_image record = {.source = blit_part(source, &list[i].srcSubresource, list[i].srcOffsets),
                                            .target = blit_part(target, &list[i].dstSubresource, list[i].dstOffsets),
                                            .filter = filter};
    record_put(layer_commands(c), FRAME_BLIT_IMAGE, &record, sizeof record);
  }
  pthread_mutex_unlock(&layer_lock);
  layer_device.next.CmdBlitImage(c, source, source_layout, target, target_layout, count, list, filter);
}

static void clear_image(VkCommandBuffer c, VkImage image, const void *value, size_t size, uint32_t count,
                        const VkImageSubresourceRange *list) {
  const struct object *o = layer_find(OBJECT_IMAGE, HANDLE(image));
  for (uint32_t i = 0; o && i < count; i++) {
    const VkImageSubresourceRange *r = &list[i];
    struct frame_clear_image record = {
        .image = o->id,
        .aspect = r->aspectMask,
        .first_level = r->baseMipLevel,
        .levels = r->levelCount == VK_REMAINING_MIP_LEVELS ? o->levels - r->baseMipLevel : r->levelCount,
        .first_layer = r->baseArrayLayer,
        .layers = r->layerCount == VK_REMAINING_ARRAY_LAYERS ? o->layers - r->baseArrayLayer : r->layerCount};
    memcpy(record.value, value, size);
    record_put(layer_commands(c), FRAME_CLEAR_IMAGE, &record, sizeof record);
  }
}

static VKAPI_ATTR void VKAPI_CALL layer_CmdClearColorImage(VkCommandBuffer c, VkImage image, VkImageLayout layout,
                                                           const VkClearColorValue *value, uint32_t count,
                                                           const VkImageSubresourceRange *list) {
  pthread_mutex_lock(&layer_lock);
  clear_image(c, image, value, sizeof *value, count, list);
  pthread_mutex_unlock(&layer_lock);
  layer_device.next.CmdClearColorImage(c, image, layout, value, count, list);
}

static VKAPI_ATTR void VKAPI_CALL layer_CmdClearDepthStencilImage(VkCommandBuffer c, VkImage image,
                                                                  VkImageLayout layout,
                                                                  const VkClearDepthStencilValue *value, uint32_t count,
                                                                  const VkImageSubresourceRange *list) {
  pthread_mutex_lock(&layer_lock);
  clear_image(c, image, value, sizeof *value, count, list);
  pthread_mutex_unlock(&layer_lock);
  layer_device.next.CmdClearDepthStencilImage(c, image, layout, value, count, list);
}

static VKAPI_ATTR void VKAPI_CALL layer_CmdClearAttachments(VkCommandBuffer c, uint32_t count,
                                                            const VkClearAttachment *list, uint32_t rectangles,
                                                            const VkClearRect *areas) {
  pthread_mutex_lock(&layer_lock);
  for (uint32_t i = 0; i < count * rectangles; i++) {
    const VkClearAttachment *a = &list[i / rectangles];
    const VkRect2D r = areas[i % rectangles].rect;
    struct frame_clear_targets record = {.aspect = a->aspectMask,
                                         .color = a->colorAttachment,
                                         .area = {r.offset.x, r.offset.y, r.extent.width, r.extent.height}};
    memcpy(record.value, &a->clearValue, sizeof record.value);
    record_put(layer_commands(c), FRAME_CLEAR_TARGETS, &record, sizeof record);
  }
  layer_device.next.CmdClearAttachments(c, count, list, rectangles, areas);
  each_draw_read(c);
  pthread_mutex_unlock(&layer_lock);
}

const struct layer_hook transfer_hooks[] = {HOOK(CmdCopyBuffer),        HOOK(CmdFillBuffer),
                                            HOOK(CmdUpdateBuffer),      HOOK(CmdCopyImage),
                                            HOOK(CmdResolveImage),      HOOK(CmdCopyBufferToImage),
                                            HOOK(CmdCopyImageToBuffer), HOOK(CmdBlitImage),
                                            HOOK(CmdClearColorImage),   HOOK(CmdClearDepthStencilImage),
                                            HOOK(CmdClearAttachments),  {NULL, NULL}};

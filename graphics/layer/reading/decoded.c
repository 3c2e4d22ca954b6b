#include "graphics/layer/reading/decoded.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "graphics/frame/texel_format.h"
#include "graphics/layer/reading/copy_buffer.h"
#include "graphics/layer/reading/each_draw.h"

static uint32_t side(uint32_t size, uint32_t level) {
  return size >> level > 0 ? size >> level : 1;
}

bool decoded_is_needed(const struct object *image) {
  const struct texel_format *f = image ? texel_format_find(image->format) : NULL;
  return f && f->block_bytes > 0;
}

static bool make_image(struct plain *p, VkFormat format) {
  const struct next_functions *next = &layer_device.next;
  const struct frame_image_texels *t = &p->texels;
  const VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                  .imageType = t->depth > 1 ? VK_IMAGE_TYPE_3D : VK_IMAGE_TYPE_2D,
                                  .format = format,
                                  .extent = {t->width, t->height, t->depth},
                                  .mipLevels = 1,
                                  .arrayLayers = t->layers,
                                  .samples = VK_SAMPLE_COUNT_1_BIT,
                                  .usage = VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                                           VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT};
  VkMemoryRequirements needs;
  if (next->CreateImage(layer_device.handle, &info, NULL, &p->image) != VK_SUCCESS)
    return false;
  next->GetImageMemoryRequirements(layer_device.handle, p->image, &needs);
  const VkMemoryAllocateInfo memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                       .allocationSize = needs.size,
                                       .memoryTypeIndex = layer_device.memory_type};
  return next->AllocateMemory(layer_device.handle, &memory, NULL, &p->memory) == VK_SUCCESS &&
         next->BindImageMemory(layer_device.handle, p->image, p->memory, 0) == VK_SUCCESS;
}

bool plain_begin(struct plain *p, const struct object *image, uint32_t level, uint32_t first_layer, uint32_t layers) {
  const struct texel_format *f = texel_format_find(image->format);
  *p = (struct plain){.texels = {.image = image->id,
                                 .aspect = VK_IMAGE_ASPECT_COLOR_BIT,
                                 .level = level,
                                 .first_layer = first_layer,
                                 .layers = layers,
                                 .width = side(image->width, level),
                                 .height = side(image->height, level),
                                 .depth = side(image->depth, level)}};
  struct frame_image_texels *t = &p->texels;
  t->bytes = (uint64_t)t->width * t->height * t->depth * layers * f->bytes;
  return t->bytes <= UINT32_MAX - 64 && make_image(p, (VkFormat)f->plain);
}

void plain_end(struct plain *p) {
  if (p->image)
    layer_device.next.DestroyImage(layer_device.handle, p->image, NULL);
  if (p->memory)
    layer_device.next.FreeMemory(layer_device.handle, p->memory, NULL);
  *p = (struct plain){.image = VK_NULL_HANDLE};
}

static void wait_for_writes(VkCommandBuffer commands) {
  const VkMemoryBarrier all = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                               .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
                               .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT};
  layer_device.next.CmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                                       0, 1, &all, 0, NULL, 0, NULL);
}

void plain_read(VkCommandBuffer commands, const struct plain *p, const struct object *image, VkBuffer to) {
  const struct frame_image_texels *t = &p->texels;
  const VkOffset3D end = {(int32_t)t->width, (int32_t)t->height, (int32_t)t->depth};
  const VkImageSubresourceLayers all = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, t->layers};
  const VkImageBlit blit = {
      {VK_IMAGE_ASPECT_COLOR_BIT, t->level, t->first_layer, t->layers}, {{0, 0, 0}, end}, all, {{0, 0, 0}, end}};
  const VkBufferImageCopy copy = {.imageSubresource = all, .imageExtent = {t->width, t->height, t->depth}};
  wait_for_writes(commands);
  layer_device.next.CmdBlitImage(commands, image->image, VK_IMAGE_LAYOUT_GENERAL, p->image, VK_IMAGE_LAYOUT_GENERAL, 1,
                                 &blit, VK_FILTER_NEAREST);
  wait_for_writes(commands);
  layer_device.next.CmdCopyImageToBuffer(commands, p->image, VK_IMAGE_LAYOUT_GENERAL, to, 1, &copy);
}

/* An image that a command buffer decodes. The record of contents in the command buffer has its number. */
struct decoded {
  uint64_t number;
  VkCommandBuffer commands;
  struct plain plain;
  struct copy_buffer copy;
};

static struct decoded *list;
static size_t count, room;
static uint64_t last;

static void end(struct decoded *d) {
  plain_end(&d->plain);
  copy_buffer_end(&d->copy);
}

static void leave_out(VkCommandBuffer commands, const struct object *image) {
  record_unsupported(layer_commands(commands), "a compressed image that cannot be decoded", FRAME_REACH_OBJECT,
                     image->id);
}

void decoded_put(VkCommandBuffer commands, const struct object *image, uint32_t level, uint32_t first_layer,
                 uint32_t layers) {
  struct decoded d = {.number = ++last, .commands = commands};
  if (!array_room(&list, &room, count + 1, sizeof *list) || !plain_begin(&d.plain, image, level, first_layer, layers) ||
      !copy_buffer_begin(&d.copy, d.plain.texels.bytes)) {
    end(&d);
    leave_out(commands, image);
    return;
  }
  plain_read(commands, &d.plain, image, d.copy.buffer);
  list[count++] = d;
  if (!each_draw_stop(commands)) {
    leave_out(commands, image);
    return;
  }
  const struct frame_image_texels place = {.bytes = d.number};
  record_put(layer_commands(commands), FRAME_IMAGE_TEXELS, &place, sizeof place);
}

void decoded_write(const void *record, struct record_stream *out) {
  struct frame_image_texels place;
  memcpy(&place, record, sizeof place);
  for (size_t i = 0; i < count; i++)
    if (list[i].number == place.bytes) {
      record_put(out, FRAME_IMAGE_TEXELS, &list[i].plain.texels, sizeof list[i].plain.texels);
      record_more(out, list[i].copy.bytes, list[i].plain.texels.bytes);
    }
}

void decoded_forget(VkCommandBuffer commands) {
  size_t kept = 0;
  for (size_t i = 0; i < count; i++)
    if (list[i].commands == commands)
      end(&list[i]);
    else
      list[kept++] = list[i];
  count = kept;
}

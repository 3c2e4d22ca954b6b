#include "graphics/layer/reading/samples.h"

#include <stdlib.h>
#include <string.h>

#include "graphics/frame/texel_format.h"

/* Returns the bytes that an image of one sample takes; 0: it cannot be made. */
static uint64_t bytes_of_one(const struct object *image) {
  const VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                  .imageType = VK_IMAGE_TYPE_2D,
                                  .format = image->format,
                                  .extent = {image->width, image->height, 1},
                                  .mipLevels = image->levels,
                                  .arrayLayers = image->layers,
                                  .samples = VK_SAMPLE_COUNT_1_BIT,
                                  .usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT};
  VkMemoryRequirements needs = {0};
  VkImage twin;
  if (layer_device.next.CreateImage(layer_device.handle, &info, NULL, &twin) != VK_SUCCESS)
    return 0;
  layer_device.next.GetImageMemoryRequirements(layer_device.handle, twin, &needs);
  layer_device.next.DestroyImage(layer_device.handle, twin, NULL);
  return needs.size;
}

static bool share_memory(struct samples *s, const struct object *image) {
  const VkBufferCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = s->bytes, .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT};
  return layer_device.next.CreateBuffer(layer_device.handle, &info, NULL, &s->shared) == VK_SUCCESS &&
         layer_device.next.BindBufferMemory(layer_device.handle, s->shared, (VkDeviceMemory)image->memory,
                                            image->memory_offset) == VK_SUCCESS;
}

/* The size of a sample's image follows from two sizes: an image of n samples is larger than an image of one sample by
 * n - 1 of them. The padding is the same in both. */
bool samples_begin(struct samples *s, const struct object *image, uint32_t level, uint32_t layer) {
  const struct object *memory = layer_find(OBJECT_MEMORY, image->memory);
  const VkImageSubresource part = {VK_IMAGE_ASPECT_COLOR_BIT, level, layer};
  VkMemoryRequirements needs;
  const uint64_t one = bytes_of_one(image);
  layer_device.next.GetImageMemoryRequirements(layer_device.handle, image->image, &needs);
  *s = (struct samples){.samples = image->samples,
                        .width = image->width >> level > 0 ? image->width >> level : 1,
                        .height = image->height >> level > 0 ? image->height >> level : 1,
                        .format = image->format,
                        .bytes = needs.size};
  if (one == 0 || image->samples < 2 || !memory || image->memory_offset + needs.size > memory->bytes)
    return false;
  s->sample_bytes = (needs.size - one) / (image->samples - 1);
  layer_device.next.GetImageSubresourceLayout(layer_device.handle, image->image, &part, &s->layout);
  return share_memory(s, image);
}

void samples_end(struct samples *s) {
  if (s->shared)
    layer_device.next.DestroyBuffer(layer_device.handle, s->shared, NULL);
  *s = (struct samples){0};
}

void samples_copy(VkCommandBuffer commands, const struct samples *s, VkBuffer to) {
  const VkMemoryBarrier all = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                               .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
                               .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT};
  const VkBufferCopy region = {0, 0, s->bytes};
  layer_device.next.CmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0,
                                       1, &all, 0, NULL, 0, NULL);
  layer_device.next.CmdCopyBuffer(commands, s->shared, to, 1, &region);
}

/* Depth and stencil share words in memory, and have texels of their own in a capture. */
static void take_texel(const struct texel_format *f, uint32_t aspect, const char *from, char *to) {
  uint32_t word;
  if (aspect == VK_IMAGE_ASPECT_STENCIL_BIT)
    *to = from[f->depth_bytes == 0 ? 0 : f->bytes == 8 ? 4 : 3];
  else if (aspect == VK_IMAGE_ASPECT_DEPTH_BIT && f->bits[0] == 24) {
    memcpy(&word, from, sizeof word);
    word &= 0xffffff;
    memcpy(to, &word, sizeof word);
  } else
    memcpy(to, from, aspect == VK_IMAGE_ASPECT_DEPTH_BIT ? f->depth_bytes : f->bytes);
}

char *samples_texels(const struct samples *s, uint32_t aspect, const char *bytes, uint64_t *length) {
  const struct texel_format *f = texel_format_find(s->format);
  const uint32_t size = texel_format_bytes(s->format, aspect);
  char *texels = malloc((size_t)s->width * s->height * s->samples * size + 1), *to = texels;
  *length = (uint64_t)s->width * s->height * s->samples * size;
  for (uint32_t y = 0; to && y < s->height; y++)
    for (uint32_t x = 0; x < s->width; x++)
      for (uint32_t k = 0; k < s->samples; k++, to += size) {
        const uint64_t at = k * s->sample_bytes + s->layout.offset + y * s->layout.rowPitch + (uint64_t)x * f->bytes;
        if (at + f->bytes <= s->bytes)
          take_texel(f, aspect, bytes + at, to);
      }
  return texels;
}

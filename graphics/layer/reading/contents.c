#include "graphics/layer/reading/contents.h"

#include <stdlib.h>
#include <string.h>

#include "graphics/frame/texel_format.h"
#include "graphics/layer/reading/copy_buffer.h"
#include "graphics/layer/reading/decoded.h"
#include "graphics/layer/reading/samples.h"

#define BLOCK_BYTES 4096

/* Writes a record whose payload is a structure, bytes behind it, and zeros up to a multiple of 8. */
static void write_record(enum frame_record_kind kind, const void *structure, size_t size, const char *bytes,
                         uint64_t length, FILE *file) {
  static const char zeros[8];
  const size_t rest = (size_t)(-(size + length) & 7);
  const struct frame_record_head head = {kind, (uint32_t)(size + length + rest)};
  fwrite(&head, sizeof head, 1, file);
  fwrite(structure, 1, size, file);
  fwrite(bytes, 1, length, file);
  fwrite(zeros, 1, rest, file);
}

/* Buffers. */

static void put_block(const struct object *b, const char *bytes, uint64_t at, uint64_t length, FILE *file) {
  const struct frame_buffer_bytes record = {b->id, 0, at, length};
  memcpy(b->shadow + at, bytes + at, length);
  write_record(FRAME_BUFFER_BYTES, &record, sizeof record, b->shadow + at, length, file);
}

/* Blocks that differ and are neighbours become one record. */
static void put_differences(const struct object *b, const char *bytes, FILE *file) {
  uint64_t begin = 0, end = 0;
  for (uint64_t at = 0; at < b->bytes; at += BLOCK_BYTES) {
    const uint64_t length = b->bytes - at < BLOCK_BYTES ? b->bytes - at : BLOCK_BYTES;
    if (memcmp(b->shadow + at, bytes + at, length) == 0)
      continue;
    if (at != end && end > begin)
      put_block(b, bytes, begin, end - begin, file);
    begin = at == end ? begin : at;
    end = at + length;
  }
  if (end > begin)
    put_block(b, bytes, begin, end - begin, file);
}

void contents_buffer(struct object *b, uint32_t frame, FILE *file) {
  const struct object *memory = layer_find(OBJECT_MEMORY, b->memory);
  if (!memory || !memory->mapped || b->memory_offset + b->bytes > memory->bytes)
    return;
  if (!b->shadow)
    b->shadow = malloc(b->bytes);
  if (!b->shadow)
    return;
  if (b->shadow_frame != frame)
    memset(b->shadow, 0, b->bytes);
  b->shadow_frame = frame;
  put_differences(b, memory->mapped + b->memory_offset, file);
}

/* Images: copied into a buffer of the layer's own. */

struct copy {
  struct copy_buffer to;
  VkCommandBuffer commands;
};

static void end(struct copy *c) {
  if (c->commands)
    layer_device.next.FreeCommandBuffers(layer_device.handle, layer_device.pool, 1, &c->commands);
  copy_buffer_end(&c->to);
}

static bool begin(struct copy *c, VkDeviceSize bytes) {
  const VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                        .queueFamilyIndex = layer_device.queue_family};
  *c = (struct copy){.commands = VK_NULL_HANDLE};
  if (!layer_device.pool &&
      layer_device.next.CreateCommandPool(layer_device.handle, &pool, NULL, &layer_device.pool) != VK_SUCCESS)
    return false;
  const VkCommandBufferAllocateInfo commands = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                                .commandPool = layer_device.pool,
                                                .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                                .commandBufferCount = 1};
  return copy_buffer_begin(&c->to, bytes) &&
         layer_device.next.AllocateCommandBuffers(layer_device.handle, &commands, &c->commands) == VK_SUCCESS;
}

/* Runs the commands that have been recorded. */
static bool run_commands(const struct copy *c) {
  const struct next_functions *next = &layer_device.next;
  const VkSubmitInfo submit = {
      .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &c->commands};
  return next->EndCommandBuffer(c->commands) == VK_SUCCESS &&
         next->QueueSubmit(layer_device.queue, 1, &submit, VK_NULL_HANDLE) == VK_SUCCESS &&
         next->DeviceWaitIdle(layer_device.handle) == VK_SUCCESS;
}

static bool begin_commands(const struct copy *c) {
  const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  return layer_device.next.BeginCommandBuffer(c->commands, &begin) == VK_SUCCESS;
}

/* lavapipe keeps an image's texels at one place in every layout, so that the layout named here does not matter. */
static bool run_copy(struct copy *c, VkImage image, const VkBufferImageCopy *region) {
  if (!begin_commands(c))
    return false;
  layer_device.next.CmdCopyImageToBuffer(c->commands, image, VK_IMAGE_LAYOUT_GENERAL, c->to.buffer, 1, region);
  return run_commands(c);
}

static bool all_zero(const char *bytes, size_t length) {
  return length == 0 || (bytes[0] == 0 && memcmp(bytes, bytes + 1, length - 1) == 0);
}

static uint32_t at_level(uint32_t size, uint32_t level) {
  return size >> level > 0 ? size >> level : 1;
}

static VkBufferImageCopy whole_level(const struct frame_image_texels *t) {
  return (VkBufferImageCopy){.imageSubresource = {t->aspect, t->level, t->first_layer, t->layers},
                             .imageExtent = {t->width, t->height, t->depth}};
}

static void put_texels(const struct frame_image_texels *record, const char *texels, FILE *file) {
  if (!all_zero(texels, record->bytes))
    write_record(FRAME_IMAGE_TEXELS, record, sizeof *record, texels, record->bytes, file);
}

/* A level and layer of an image with several samples. */
static void put_samples(const struct object *image, uint32_t aspect, uint32_t level, uint32_t layer, FILE *file) {
  struct frame_image_texels record = {.image = image->id,
                                      .aspect = aspect,
                                      .level = level,
                                      .first_layer = layer,
                                      .layers = 1,
                                      .width = at_level(image->width, level),
                                      .height = at_level(image->height, level),
                                      .depth = 1};
  struct samples places;
  struct copy c = {.commands = VK_NULL_HANDLE};
  char *texels = NULL;
  if (samples_begin(&places, image, level, layer) && begin(&c, places.bytes) && begin_commands(&c)) {
    samples_copy(c.commands, &places, c.to.buffer);
    texels = run_commands(&c) ? samples_texels(&places, aspect, c.to.bytes, &record.bytes) : NULL;
  }
  if (texels && record.bytes <= UINT32_MAX - 64)
    put_texels(&record, texels, file);
  free(texels);
  samples_end(&places);
  end(&c);
}

static void put_decoded(const struct object *image, uint32_t level, FILE *file) {
  struct copy c = {.commands = VK_NULL_HANDLE};
  struct plain plain;
  if (plain_begin(&plain, image, level, 0, image->layers) && begin(&c, plain.texels.bytes) && begin_commands(&c)) {
    plain_read(c.commands, &plain, image, c.to.buffer);
    if (run_commands(&c))
      put_texels(&plain.texels, c.to.bytes, file);
  }
  plain_end(&plain);
  end(&c);
}

static void put_level(const struct object *image, uint32_t aspect, uint32_t level, FILE *file) {
  struct frame_image_texels record = {.image = image->id,
                                      .aspect = aspect,
                                      .level = level,
                                      .layers = image->layers,
                                      .width = at_level(image->width, level),
                                      .height = at_level(image->height, level),
                                      .depth = at_level(image->depth, level)};
  const VkBufferImageCopy region = whole_level(&record);
  struct copy c;
  record.bytes =
      (uint64_t)record.width * record.height * record.depth * record.layers * texel_format_bytes(image->format, aspect);
  if (record.bytes == 0 || record.bytes > UINT32_MAX - 64)
    return;
  if (begin(&c, record.bytes) && run_copy(&c, image->image, &region))
    put_texels(&record, c.to.bytes, file);
  end(&c);
}

static bool has_aspect(const struct object *image, uint32_t aspect) {
  return aspect && texel_format_bytes(image->format, aspect) > 0;
}

void contents_image(const struct object *image, uint32_t wanted, FILE *file) {
  static const uint32_t aspects[] = {VK_IMAGE_ASPECT_COLOR_BIT, VK_IMAGE_ASPECT_DEPTH_BIT, VK_IMAGE_ASPECT_STENCIL_BIT};
  for (size_t a = 0; a < sizeof aspects / sizeof aspects[0]; a++)
    for (uint32_t level = 0; level < image->levels && has_aspect(image, wanted & aspects[a]); level++)
      if (decoded_is_needed(image))
        put_decoded(image, level, file);
      else if (image->samples == 1)
        put_level(image, aspects[a], level, file);
      else
        for (uint32_t layer = 0; layer < image->layers; layer++)
          put_samples(image, aspects[a], level, layer, file);
}

void contents_present(const struct object *image, uint32_t frame, FILE *file) {
  const uint64_t bytes =
      (uint64_t)image->width * image->height * texel_format_bytes(image->format, VK_IMAGE_ASPECT_COLOR_BIT);
  const struct frame_present record = {.image = image->id,
                                       .format = image->format,
                                       .width = image->width,
                                       .height = image->height,
                                       .number = frame,
                                       .bytes = bytes};
  const VkBufferImageCopy region = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                    .imageExtent = {image->width, image->height, 1}};
  struct copy c;
  if (bytes > 0 && begin(&c, bytes)) {
    if (run_copy(&c, image->image, &region))
      write_record(FRAME_PRESENT, &record, sizeof record, c.to.bytes, bytes, file);
    end(&c);
  }
}

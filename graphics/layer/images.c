/* Hooks of images, views and samplers. */
#include <string.h>

#include "base/array.h"
#include "graphics/layer/objects.h"

static void remember_image(VkImage image, const VkImageCreateInfo *info) {
  struct object *o = layer_remember(OBJECT_IMAGE, HANDLE(image));
  if (!o)
    return;
  o->image = image;
  o->format = info->format;
  o->width = info->extent.width;
  o->height = info->extent.height;
  o->depth = info->extent.depth;
  o->levels = info->mipLevels;
  o->layers = info->arrayLayers;
  o->samples = info->samples;
  const struct frame_image record = {.id = o->id,
                                     .dimensions = info->imageType,
                                     .format = info->format,
                                     .width = info->extent.width,
                                     .height = info->extent.height,
                                     .depth = info->extent.depth,
                                     .levels = info->mipLevels,
                                     .layers = info->arrayLayers,
                                     .samples = info->samples,
                                     .usage = info->usage,
                                     .flags = info->flags};
  record_put(&o->records, FRAME_IMAGE, &record, sizeof record);
}

static VKAPI_ATTR VkResult VKAPI_CALL layer_CreateImage(VkDevice device, const VkImageCreateInfo *info,
                                                        const VkAllocationCallbacks *allocator, VkImage *out) {
  const VkResult result = layer_device.next.CreateImage(device, info, allocator, out);
  if (result != VK_SUCCESS)
    return result;
  pthread_mutex_lock(&layer_lock);
  remember_image(*out, info);
  pthread_mutex_unlock(&layer_lock);
  return result;
}

/* VK_COMPONENT_SWIZZLE_IDENTITY becomes the channel that it stands for. */
static uint32_t swizzle(VkComponentSwizzle s, uint32_t channel) {
  return s == VK_COMPONENT_SWIZZLE_IDENTITY ? VK_COMPONENT_SWIZZLE_R + channel : (uint32_t)s;
}

static void remember_view(VkImageView view, const VkImageViewCreateInfo *info) {
  const VkImageSubresourceRange *r = &info->subresourceRange;
  const struct object *image = layer_find(OBJECT_IMAGE, HANDLE(info->image));
  struct object *o = layer_remember(OBJECT_VIEW, HANDLE(view));
  if (!o || !image)
    return;
  o->image = info->image;
  const uint32_t levels = r->levelCount == VK_REMAINING_MIP_LEVELS ? image->levels - r->baseMipLevel : r->levelCount;
  const uint32_t layers =
      r->layerCount == VK_REMAINING_ARRAY_LAYERS ? image->layers - r->baseArrayLayer : r->layerCount;
  const VkComponentMapping *c = &info->components;
  const struct frame_view record = {.id = o->id,
                                    .image = image->id,
                                    .type = info->viewType,
                                    .format = info->format,
                                    .swizzle = {swizzle(c->r, 0), swizzle(c->g, 1), swizzle(c->b, 2), swizzle(c->a, 3)},
                                    .aspect = r->aspectMask,
                                    .first_level = r->baseMipLevel,
                                    .levels = levels,
                                    .first_layer = r->baseArrayLayer,
                                    .layers = layers};
  record_put(&o->records, FRAME_VIEW, &record, sizeof record);
}

static VKAPI_ATTR VkResult VKAPI_CALL layer_CreateImageView(VkDevice device, const VkImageViewCreateInfo *info,
                                                            const VkAllocationCallbacks *allocator, VkImageView *out) {
  const VkResult result = layer_device.next.CreateImageView(device, info, allocator, out);
  if (result != VK_SUCCESS)
    return result;
  pthread_mutex_lock(&layer_lock);
  remember_view(*out, info);
  pthread_mutex_unlock(&layer_lock);
  return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL layer_CreateSampler(VkDevice device, const VkSamplerCreateInfo *info,
                                                          const VkAllocationCallbacks *allocator, VkSampler *out) {
  const VkResult result = layer_device.next.CreateSampler(device, info, allocator, out);
  if (result != VK_SUCCESS)
    return result;
  pthread_mutex_lock(&layer_lock);
  struct object *o = layer_remember(OBJECT_SAMPLER, HANDLE(*out));
  if (o) {
    const struct frame_sampler record = {.id = o->id,
                                         .magnify = info->magFilter,
                                         .minify = info->minFilter,
                                         .mipmap = info->mipmapMode,
                                         .address = {info->addressModeU, info->addressModeV, info->addressModeW},
                                         .compares = info->compareEnable,
                                         .compare = info->compareOp,
                                         .border = info->borderColor,
                                         .unnormalized = info->unnormalizedCoordinates,
                                         .lod_bias = info->mipLodBias,
                                         .least_lod = info->minLod,
                                         .most_lod = info->maxLod,
                                         .anisotropy = info->anisotropyEnable ? info->maxAnisotropy : 0};
    record_put(&o->records, FRAME_SAMPLER, &record, sizeof record);
  }
  pthread_mutex_unlock(&layer_lock);
  return result;
}

DESTROY_HOOK(Image, OBJECT_IMAGE)
DESTROY_HOOK(ImageView, OBJECT_VIEW)
DESTROY_HOOK(Sampler, OBJECT_SAMPLER)

static VKAPI_ATTR VkResult VKAPI_CALL layer_CreateSwapchainKHR(VkDevice device, const VkSwapchainCreateInfoKHR *info,
                                                               const VkAllocationCallbacks *allocator,
                                                               VkSwapchainKHR *out) {
  VkSwapchainCreateInfoKHR own = *info;
  own.imageUsage |= VK_IMAGE_USAGE_TRANSFER_SRC_BIT; /* the layer copies pictures */
  const VkResult result = layer_device.next.CreateSwapchainKHR(device, &own, allocator, out);
  if (result != VK_SUCCESS)
    return result;
  pthread_mutex_lock(&layer_lock);
  layer_device.presents = true;
  struct object *o = layer_remember(OBJECT_SWAPCHAIN, HANDLE(*out));
  if (o) {
    o->format = info->imageFormat;
    o->width = info->imageExtent.width;
    o->height = info->imageExtent.height;
    o->layers = info->imageArrayLayers;
  }
  pthread_mutex_unlock(&layer_lock);
  return result;
}

static void remember_swapchain_images(const struct object *swapchain, uint32_t count, const VkImage *images) {
  const VkImageCreateInfo info = {.imageType = VK_IMAGE_TYPE_2D,
                                  .format = swapchain->format,
                                  .extent = {swapchain->width, swapchain->height, 1},
                                  .mipLevels = 1,
                                  .arrayLayers = swapchain->layers,
                                  .samples = VK_SAMPLE_COUNT_1_BIT,
                                  .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT};
  for (uint32_t i = 0; i < count; i++)
    if (!layer_find(OBJECT_IMAGE, HANDLE(images[i])))
      remember_image(images[i], &info);
}

static VKAPI_ATTR VkResult VKAPI_CALL layer_GetSwapchainImagesKHR(VkDevice device, VkSwapchainKHR swapchain,
                                                                  uint32_t *count, VkImage *images) {
  const VkResult result = layer_device.next.GetSwapchainImagesKHR(device, swapchain, count, images);
  if (result < 0 || !images)
    return result;
  pthread_mutex_lock(&layer_lock);
  struct object *o = layer_find(OBJECT_SWAPCHAIN, HANDLE(swapchain));
  if (o && array_room(&o->data, &o->data_room, *count, sizeof *images)) {
    memcpy(o->data, images, *count * sizeof *images);
    o->data_count = *count;
    remember_swapchain_images(o, *count, images);
  }
  pthread_mutex_unlock(&layer_lock);
  return result;
}

const struct layer_hook image_hooks[] = {HOOK(CreateImage),        HOOK(CreateImageView),       HOOK(CreateSampler),
                                         HOOK(DestroyImage),       HOOK(DestroyImageView),      HOOK(DestroySampler),
                                         HOOK(CreateSwapchainKHR), HOOK(GetSwapchainImagesKHR), {NULL, NULL}};

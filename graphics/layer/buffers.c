/* Hooks of memory, buffers and samplers. */
#include <string.h>

#include "graphics/layer/objects.h"

/* lavapipe, the only device that the layer is for, has memory that can be mapped more than once. */
static VKAPI_ATTR VkResult VKAPI_CALL layer_AllocateMemory(VkDevice device, const VkMemoryAllocateInfo *info,
                                                           const VkAllocationCallbacks *allocator,
                                                           VkDeviceMemory *out) {
  const VkResult result = layer_device.next.AllocateMemory(device, info, allocator, out);
  if (result != VK_SUCCESS)
    return result;
  void *mapped = NULL;
  pthread_mutex_lock(&layer_lock);
  struct object *o = layer_remember(OBJECT_MEMORY, HANDLE(*out));
  if (o && layer_device.next.MapMemory(device, *out, 0, VK_WHOLE_SIZE, 0, &mapped) == VK_SUCCESS)
    o->mapped = mapped;
  if (o)
    o->bytes = info->allocationSize;
  pthread_mutex_unlock(&layer_lock);
  return result;
}

static VKAPI_ATTR void VKAPI_CALL layer_FreeMemory(VkDevice device, VkDeviceMemory memory,
                                                   const VkAllocationCallbacks *allocator) {
  pthread_mutex_lock(&layer_lock);
  layer_forget(OBJECT_MEMORY, HANDLE(memory));
  pthread_mutex_unlock(&layer_lock);
  layer_device.next.FreeMemory(device, memory, allocator);
}

/* The layer's own mapping stays: the program's end of a mapping has no effect on it. */
static VKAPI_ATTR void VKAPI_CALL layer_UnmapMemory(VkDevice device, VkDeviceMemory memory) {
  (void)device, (void)memory;
}

static VKAPI_ATTR VkResult VKAPI_CALL layer_CreateBuffer(VkDevice device, const VkBufferCreateInfo *info,
                                                         const VkAllocationCallbacks *allocator, VkBuffer *out) {
  const VkResult result = layer_device.next.CreateBuffer(device, info, allocator, out);
  if (result != VK_SUCCESS)
    return result;
  pthread_mutex_lock(&layer_lock);
  struct object *o = layer_remember(OBJECT_BUFFER, HANDLE(*out));
  if (o) {
    const struct frame_buffer record = {o->id, info->usage, info->size};
    o->bytes = info->size;
    record_put(&o->records, FRAME_BUFFER, &record, sizeof record);
  }
  pthread_mutex_unlock(&layer_lock);
  return result;
}

static void bind(enum object_type type, uint64_t handle, VkDeviceMemory memory, VkDeviceSize offset) {
  struct object *o = layer_find(type, handle);
  if (!o)
    return;
  o->memory = HANDLE(memory);
  o->memory_offset = offset;
}

static VKAPI_ATTR VkResult VKAPI_CALL layer_BindBufferMemory(VkDevice device, VkBuffer buffer, VkDeviceMemory memory,
                                                             VkDeviceSize offset) {
  pthread_mutex_lock(&layer_lock);
  bind(OBJECT_BUFFER, HANDLE(buffer), memory, offset);
  pthread_mutex_unlock(&layer_lock);
  return layer_device.next.BindBufferMemory(device, buffer, memory, offset);
}

static VKAPI_ATTR VkResult VKAPI_CALL layer_BindBufferMemory2(VkDevice device, uint32_t count,
                                                              const VkBindBufferMemoryInfo *list) {
  pthread_mutex_lock(&layer_lock);
  for (uint32_t i = 0; i < count; i++)
    bind(OBJECT_BUFFER, HANDLE(list[i].buffer), list[i].memory, list[i].memoryOffset);
  pthread_mutex_unlock(&layer_lock);
  return layer_device.next.BindBufferMemory2(device, count, list);
}

static VKAPI_ATTR VkResult VKAPI_CALL layer_BindImageMemory(VkDevice device, VkImage image, VkDeviceMemory memory,
                                                            VkDeviceSize offset) {
  pthread_mutex_lock(&layer_lock);
  bind(OBJECT_IMAGE, HANDLE(image), memory, offset);
  pthread_mutex_unlock(&layer_lock);
  return layer_device.next.BindImageMemory(device, image, memory, offset);
}

static VKAPI_ATTR VkResult VKAPI_CALL layer_BindImageMemory2(VkDevice device, uint32_t count,
                                                             const VkBindImageMemoryInfo *list) {
  pthread_mutex_lock(&layer_lock);
  for (uint32_t i = 0; i < count; i++)
    bind(OBJECT_IMAGE, HANDLE(list[i].image), list[i].memory, list[i].memoryOffset);
  pthread_mutex_unlock(&layer_lock);
  return layer_device.next.BindImageMemory2(device, count, list);
}

DESTROY_HOOK(Buffer, OBJECT_BUFFER)

static VKAPI_ATTR VkResult VKAPI_CALL layer_CreateBufferView(VkDevice device, const VkBufferViewCreateInfo *info,
                                                             const VkAllocationCallbacks *allocator,
                                                             VkBufferView *out) {
  const VkResult result = layer_device.next.CreateBufferView(device, info, allocator, out);
  if (result != VK_SUCCESS)
    return result;
  pthread_mutex_lock(&layer_lock);
  struct object *o = layer_remember(OBJECT_TEXEL_BUFFER, HANDLE(*out));
  if (o) {
    const struct frame_texel_buffer record = {.id = o->id,
                                              .buffer = layer_id(OBJECT_BUFFER, HANDLE(info->buffer)),
                                              .format = info->format,
                                              .offset = info->offset,
                                              .bytes = info->range};
    record_put(&o->records, FRAME_TEXEL_BUFFER, &record, sizeof record);
  }
  pthread_mutex_unlock(&layer_lock);
  return result;
}

DESTROY_HOOK(BufferView, OBJECT_TEXEL_BUFFER)

const struct layer_hook buffer_hooks[] = {HOOK(AllocateMemory),   HOOK(FreeMemory),        HOOK(UnmapMemory),
                                          HOOK(CreateBuffer),     HOOK(BindBufferMemory),  HOOK(BindBufferMemory2),
                                          HOOK(BindImageMemory),  HOOK(BindImageMemory2),  HOOK(DestroyBuffer),
                                          HOOK(CreateBufferView), HOOK(DestroyBufferView), {NULL, NULL}};

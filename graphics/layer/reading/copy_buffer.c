#include "graphics/layer/reading/copy_buffer.h"

bool copy_buffer_begin(struct copy_buffer *c, VkDeviceSize bytes) {
  const struct next_functions *next = &layer_device.next;
  const VkDevice device = layer_device.handle;
  const VkBufferCreateInfo buffer = {
      .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = bytes, .usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT};
  *c = (struct copy_buffer){.bytes = NULL};
  if (next->CreateBuffer(device, &buffer, NULL, &c->buffer) != VK_SUCCESS)
    return false;
  VkMemoryRequirements needs;
  next->GetBufferMemoryRequirements(device, c->buffer, &needs);
  const VkMemoryAllocateInfo memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                       .allocationSize = needs.size,
                                       .memoryTypeIndex = layer_device.memory_type};
  return next->AllocateMemory(device, &memory, NULL, &c->memory) == VK_SUCCESS &&
         next->BindBufferMemory(device, c->buffer, c->memory, 0) == VK_SUCCESS &&
         next->MapMemory(device, c->memory, 0, VK_WHOLE_SIZE, 0, (void **)&c->bytes) == VK_SUCCESS;
}

void copy_buffer_end(struct copy_buffer *c) {
  if (c->memory)
    layer_device.next.FreeMemory(layer_device.handle, c->memory, NULL);
  if (c->buffer)
    layer_device.next.DestroyBuffer(layer_device.handle, c->buffer, NULL);
  *c = (struct copy_buffer){.bytes = NULL};
}

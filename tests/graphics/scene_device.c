#include "scene_device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static VkPhysicalDevice physical;
VkDevice device;
VkQueue queue;
VkCommandBuffer commands;

void need(VkResult result, const char *what) {
  if (result == VK_SUCCESS)
    return;
  fprintf(stderr, "scene: %s: %d\n", what, result);
  exit(1);
}

void begin(void) {
  const float one = 1;
  uint32_t count = 1;
  VkInstance instance;
  VkCommandPool pool;
  need(vkCreateInstance(&(VkInstanceCreateInfo){.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO}, NULL, &instance),
       "vkCreateInstance");
  if (vkEnumeratePhysicalDevices(instance, &count, &physical) < 0 || count == 0)
    need(VK_ERROR_INITIALIZATION_FAILED, "no device");
  const VkDeviceQueueCreateInfo queues = {
      .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, .queueCount = 1, .pQueuePriorities = &one};
  need(vkCreateDevice(physical,
                      &(VkDeviceCreateInfo){.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                            .queueCreateInfoCount = 1,
                                            .pQueueCreateInfos = &queues},
                      NULL, &device),
       "vkCreateDevice");
  vkGetDeviceQueue(device, 0, 0, &queue);
  need(vkCreateCommandPool(device, &(VkCommandPoolCreateInfo){.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO},
                           NULL, &pool),
       "vkCreateCommandPool");
  need(vkAllocateCommandBuffers(device,
                                &(VkCommandBufferAllocateInfo){.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                                               .commandPool = pool,
                                                               .commandBufferCount = 1},
                                &commands),
       "vkAllocateCommandBuffers");
}

static VkDeviceMemory allocate(VkMemoryRequirements needs) {
  const VkMemoryPropertyFlags wanted = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  VkPhysicalDeviceMemoryProperties p;
  VkDeviceMemory memory;
  uint32_t type = 0;
  vkGetPhysicalDeviceMemoryProperties(physical, &p);
  while (type < p.memoryTypeCount &&
         (!(needs.memoryTypeBits & 1u << type) || (p.memoryTypes[type].propertyFlags & wanted) != wanted))
    type++;
  need(vkAllocateMemory(device,
                        &(VkMemoryAllocateInfo){.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                                .allocationSize = needs.size,
                                                .memoryTypeIndex = type},
                        NULL, &memory),
       "vkAllocateMemory");
  return memory;
}

VkBuffer make_buffer(VkBufferUsageFlags usage, const void *bytes, size_t size) {
  const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = size, .usage = usage};
  VkMemoryRequirements needs;
  VkBuffer buffer;
  void *mapped;
  need(vkCreateBuffer(device, &info, NULL, &buffer), "vkCreateBuffer");
  vkGetBufferMemoryRequirements(device, buffer, &needs);
  const VkDeviceMemory memory = allocate(needs);
  need(vkBindBufferMemory(device, buffer, memory, 0), "vkBindBufferMemory");
  need(vkMapMemory(device, memory, 0, VK_WHOLE_SIZE, 0, &mapped), "vkMapMemory");
  memcpy(mapped, bytes, size);
  vkUnmapMemory(device, memory);
  return buffer;
}

VkImage make_image(VkFormat format, VkImageUsageFlags usage, uint32_t width, uint32_t height, uint32_t levels,
                   VkImageAspectFlags aspect, VkImageView *view) {
  const VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                  .imageType = VK_IMAGE_TYPE_2D,
                                  .format = format,
                                  .extent = {width, height, 1},
                                  .mipLevels = levels,
                                  .arrayLayers = 1,
                                  .samples = VK_SAMPLE_COUNT_1_BIT,
                                  .usage = usage};
  VkMemoryRequirements needs;
  VkImage image;
  need(vkCreateImage(device, &info, NULL, &image), "vkCreateImage");
  vkGetImageMemoryRequirements(device, image, &needs);
  need(vkBindImageMemory(device, image, allocate(needs), 0), "vkBindImageMemory");
  need(vkCreateImageView(device,
                         &(VkImageViewCreateInfo){.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                                  .image = image,
                                                  .viewType = VK_IMAGE_VIEW_TYPE_2D,
                                                  .format = format,
                                                  .subresourceRange = {aspect, 0, levels, 0, 1}},
                         NULL, view),
       "vkCreateImageView");
  return image;
}

VkShaderModule load_shader(const char *path) {
  static uint32_t words[16384];
  FILE *file = fopen(path, "rb");
  VkShaderModule module;
  const size_t count = file ? fread(words, 4, sizeof words / 4, file) : 0;
  need(count > 5 ? VK_SUCCESS : VK_ERROR_UNKNOWN, path);
  fclose(file);
  need(vkCreateShaderModule(device,
                            &(VkShaderModuleCreateInfo){.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                                        .codeSize = 4 * count,
                                                        .pCode = words},
                            NULL, &module),
       "vkCreateShaderModule");
  return module;
}

VkDescriptorSetLayout make_set_layout(const VkDescriptorSetLayoutBinding *bindings, uint32_t count) {
  VkDescriptorSetLayout layout;
  need(vkCreateDescriptorSetLayout(
           device,
           &(VkDescriptorSetLayoutCreateInfo){.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                              .bindingCount = count,
                                              .pBindings = bindings},
           NULL, &layout),
       "vkCreateDescriptorSetLayout");
  return layout;
}

static VkDescriptorPool make_pool(const VkWriteDescriptorSet *writes, uint32_t count) {
  VkDescriptorPoolSize sizes[8];
  VkDescriptorPool pool;
  need(count <= 8 ? VK_SUCCESS : VK_ERROR_UNKNOWN, "at most 8 descriptors");
  for (uint32_t i = 0; i < count; i++)
    sizes[i] = (VkDescriptorPoolSize){writes[i].descriptorType, 1};
  need(vkCreateDescriptorPool(device,
                              &(VkDescriptorPoolCreateInfo){.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                                            .maxSets = 1,
                                                            .poolSizeCount = count,
                                                            .pPoolSizes = sizes},
                              NULL, &pool),
       "vkCreateDescriptorPool");
  return pool;
}

VkDescriptorSet make_set(VkDescriptorSetLayout layout, VkWriteDescriptorSet *writes, uint32_t count) {
  VkDescriptorSet set;
  need(vkAllocateDescriptorSets(device,
                                &(VkDescriptorSetAllocateInfo){.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                                               .descriptorPool = make_pool(writes, count),
                                                               .descriptorSetCount = 1,
                                                               .pSetLayouts = &layout},
                                &set),
       "vkAllocateDescriptorSets");
  for (uint32_t i = 0; i < count; i++) {
    writes[i].sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
    writes[i].dstSet = set;
    writes[i].dstBinding = i;
    writes[i].descriptorCount = 1;
  }
  vkUpdateDescriptorSets(device, count, writes, 0, NULL);
  return set;
}

VkPipelineLayout make_layout(VkDescriptorSetLayout sets, const VkPushConstantRange *range) {
  VkPipelineLayout layout;
  need(vkCreatePipelineLayout(device,
                              &(VkPipelineLayoutCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                                            .setLayoutCount = 1,
                                                            .pSetLayouts = &sets,
                                                            .pushConstantRangeCount = range ? 1 : 0,
                                                            .pPushConstantRanges = range},
                              NULL, &layout),
       "vkCreatePipelineLayout");
  return layout;
}

void begin_commands(void) {
  need(
      vkBeginCommandBuffer(commands, &(VkCommandBufferBeginInfo){.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO}),
      "vkBeginCommandBuffer");
}

void submit(void) {
  const VkSubmitInfo info = {
      .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &commands};
  need(vkEndCommandBuffer(commands), "vkEndCommandBuffer");
  need(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE), "vkQueueSubmit");
  need(vkDeviceWaitIdle(device), "vkDeviceWaitIdle");
}

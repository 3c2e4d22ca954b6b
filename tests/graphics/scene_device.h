/* Vulkan objects of the programs `scene` and `squares`: a device, buffers, images, shaders, descriptors. Each function
 * ends the program where it fails. */
#ifndef SCENE_DEVICE_H
#define SCENE_DEVICE_H

#include <stddef.h>
#include <vulkan/vulkan.h>

extern VkDevice device;
extern VkQueue queue;
extern VkCommandBuffer commands;

void need(VkResult result, const char *what);
/* Makes the device, its queue and a command buffer. */
void begin(void);
VkBuffer make_buffer(VkBufferUsageFlags usage, const void *bytes, size_t size);
VkImage make_image(VkFormat format, VkImageUsageFlags usage, uint32_t width, uint32_t height, uint32_t levels,
                   VkImageAspectFlags aspect, VkImageView *view);
VkShaderModule load_shader(const char *path);
VkDescriptorSetLayout make_set_layout(const VkDescriptorSetLayoutBinding *bindings, uint32_t count);
/* Makes a set of a pool of its own, with one descriptor for each of the layout's bindings, and writes them. */
VkDescriptorSet make_set(VkDescriptorSetLayout layout, VkWriteDescriptorSet *writes, uint32_t count);
/* `range`: of push constants; NULL: none. */
VkPipelineLayout make_layout(VkDescriptorSetLayout sets, const VkPushConstantRange *range);
void begin_commands(void);
/* Ends the command buffer, submits it and waits for its end. */
void submit(void);

#endif

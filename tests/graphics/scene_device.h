/* The Vulkan objects of the scene's program: a device, buffers, images, shaders. Each function ends the program where
 * it fails. */
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

#endif

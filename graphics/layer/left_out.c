/* Hooks of commands that a capture does not hold: each is named in the capture, and goes on to the device. */
#include "graphics/layer/objects.h"
#include "graphics/layer/reading/each_draw.h"

static void name_command(VkCommandBuffer commands, const char *name, enum frame_reach reach, VkBuffer buffer) {
  pthread_mutex_lock(&layer_lock);
  record_unsupported(layer_commands(commands), name, reach, buffer ? layer_id(OBJECT_BUFFER, HANDLE(buffer)) : 0);
  pthread_mutex_unlock(&layer_lock);
}

static VKAPI_ATTR void VKAPI_CALL layer_CmdCopyQueryPoolResults(VkCommandBuffer c, VkQueryPool pool, uint32_t first,
                                                                uint32_t count, VkBuffer buffer, VkDeviceSize offset,
                                                                VkDeviceSize stride, VkQueryResultFlags flags) {
  name_command(c, "vkCmdCopyQueryPoolResults", FRAME_REACH_OBJECT, buffer);
  layer_device.next.CmdCopyQueryPoolResults(c, pool, first, count, buffer, offset, stride, flags);
}

static VKAPI_ATTR void VKAPI_CALL layer_CmdBindTransformFeedbackBuffersEXT(VkCommandBuffer c, uint32_t first,
                                                                           uint32_t count, const VkBuffer *buffers,
                                                                           const VkDeviceSize *offsets,
                                                                           const VkDeviceSize *sizes) {
  for (uint32_t i = 0; i < count; i++)
    name_command(c, "vkCmdBindTransformFeedbackBuffersEXT", FRAME_REACH_OBJECT, buffers[i]);
  layer_device.next.CmdBindTransformFeedbackBuffersEXT(c, first, count, buffers, offsets, sizes);
}

static VKAPI_ATTR void VKAPI_CALL layer_CmdDrawIndirectByteCountEXT(VkCommandBuffer c, uint32_t instances,
                                                                    uint32_t first_instance, VkBuffer buffer,
                                                                    VkDeviceSize offset, uint32_t counter_offset,
                                                                    uint32_t stride) {
  name_command(c, "vkCmdDrawIndirectByteCountEXT", FRAME_REACH_NONE, VK_NULL_HANDLE);
  layer_device.next.CmdDrawIndirectByteCountEXT(c, instances, first_instance, buffer, offset, counter_offset, stride);
  pthread_mutex_lock(&layer_lock);
  each_draw_read(c); /* the next draw is compared with what it finds */
  pthread_mutex_unlock(&layer_lock);
}

static VKAPI_ATTR void VKAPI_CALL
layer_CmdBeginConditionalRenderingEXT(VkCommandBuffer c, const VkConditionalRenderingBeginInfoEXT *info) {
  name_command(c, "vkCmdBeginConditionalRenderingEXT", FRAME_REACH_BEGIN, VK_NULL_HANDLE);
  layer_device.next.CmdBeginConditionalRenderingEXT(c, info);
}

static VKAPI_ATTR void VKAPI_CALL layer_CmdEndConditionalRenderingEXT(VkCommandBuffer c) {
  name_command(c, "vkCmdEndConditionalRenderingEXT", FRAME_REACH_END, VK_NULL_HANDLE);
  layer_device.next.CmdEndConditionalRenderingEXT(c);
}

const struct layer_hook left_out_hooks[] = {
    HOOK(CmdCopyQueryPoolResults),         HOOK(CmdBindTransformFeedbackBuffersEXT), HOOK(CmdDrawIndirectByteCountEXT),
    HOOK(CmdBeginConditionalRenderingEXT), HOOK(CmdEndConditionalRenderingEXT),      {NULL, NULL}};

/* Hooks of command buffers, draws and dispatches. */
#include "graphics/layer/reading/each_draw.h"
#include "graphics/layer/submit.h"

static void put_unsupported(VkCommandBuffer commands, const char *name, enum frame_reach reach) {
  pthread_mutex_lock(&layer_lock);
  record_unsupported(layer_commands(commands), name, reach, 0);
  pthread_mutex_unlock(&layer_lock);
}

static VKAPI_ATTR VkResult VKAPI_CALL layer_AllocateCommandBuffers(VkDevice device,
                                                                   const VkCommandBufferAllocateInfo *info,
                                                                   VkCommandBuffer *out) {
  const VkResult result = layer_device.next.AllocateCommandBuffers(device, info, out);
  pthread_mutex_lock(&layer_lock);
  for (uint32_t i = 0; result == VK_SUCCESS && i < info->commandBufferCount; i++) {
    struct object *o = layer_remember(OBJECT_COMMANDS, HANDLE(out[i]));
    if (o)
      o->is_secondary = info->level == VK_COMMAND_BUFFER_LEVEL_SECONDARY;
  }
  pthread_mutex_unlock(&layer_lock);
  return result;
}

static VKAPI_ATTR void VKAPI_CALL layer_FreeCommandBuffers(VkDevice device, VkCommandPool pool, uint32_t count,
                                                           const VkCommandBuffer *list) {
  pthread_mutex_lock(&layer_lock);
  for (uint32_t i = 0; i < count; i++) {
    each_draw_end(list[i]);
    layer_forget(OBJECT_COMMANDS, HANDLE(list[i]));
  }
  pthread_mutex_unlock(&layer_lock);
  layer_device.next.FreeCommandBuffers(device, pool, count, list);
}

static VKAPI_ATTR VkResult VKAPI_CALL layer_BeginCommandBuffer(VkCommandBuffer c,
                                                               const VkCommandBufferBeginInfo *info) {
  pthread_mutex_lock(&layer_lock);
  layer_commands(c)->length = 0;
  each_draw_begin(c, submit_may_be_wanted(info->flags & VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT));
  pthread_mutex_unlock(&layer_lock);
  return layer_device.next.BeginCommandBuffer(c, info);
}

static VKAPI_ATTR void VKAPI_CALL layer_CmdExecuteCommands(VkCommandBuffer c, uint32_t count,
                                                           const VkCommandBuffer *list) {
  pthread_mutex_lock(&layer_lock);
  for (uint32_t i = 0; i < count; i++)
    record_join(layer_commands(c), layer_commands(list[i]));
  pthread_mutex_unlock(&layer_lock);
  layer_device.next.CmdExecuteCommands(c, count, list);
}

static void put_draw(VkCommandBuffer commands, const struct frame_draw *record) {
  pthread_mutex_lock(&layer_lock);
  layer_put(commands, FRAME_DRAW, record, sizeof *record);
  each_draw_before(commands);
  pthread_mutex_unlock(&layer_lock);
}

static void end_draw(VkCommandBuffer commands) {
  pthread_mutex_lock(&layer_lock);
  each_draw_after(commands);
  pthread_mutex_unlock(&layer_lock);
}

static VKAPI_ATTR void VKAPI_CALL layer_CmdDraw(VkCommandBuffer c, uint32_t count, uint32_t instances, uint32_t first,
                                                uint32_t first_instance) {
  const struct frame_draw record = {0, count, instances, first, first_instance, 0};
  put_draw(c, &record);
  layer_device.next.CmdDraw(c, count, instances, first, first_instance);
  end_draw(c);
}

static VKAPI_ATTR void VKAPI_CALL layer_CmdDrawIndexed(VkCommandBuffer c, uint32_t count, uint32_t instances,
                                                       uint32_t first, int32_t vertex_offset, uint32_t first_instance) {
  const struct frame_draw record = {1, count, instances, first, first_instance, vertex_offset};
  put_draw(c, &record);
  layer_device.next.CmdDrawIndexed(c, count, instances, first, vertex_offset, first_instance);
  end_draw(c);
}

static void put_indirect(VkCommandBuffer commands, VkBuffer buffer, VkBuffer counts,
                         struct frame_draw_indirect record) {
  pthread_mutex_lock(&layer_lock);
  record.buffer = layer_id(OBJECT_BUFFER, HANDLE(buffer));
  record.count_buffer = layer_id(OBJECT_BUFFER, HANDLE(counts));
  layer_put(commands, FRAME_DRAW_INDIRECT, &record, sizeof record);
  each_draw_before(commands);
  pthread_mutex_unlock(&layer_lock);
}

static VKAPI_ATTR void VKAPI_CALL layer_CmdDrawIndirect(VkCommandBuffer c, VkBuffer buffer, VkDeviceSize offset,
                                                        uint32_t count, uint32_t stride) {
  put_indirect(c, buffer, VK_NULL_HANDLE,
               (struct frame_draw_indirect){.stride = stride, .most = count, .offset = offset});
  layer_device.next.CmdDrawIndirect(c, buffer, offset, count, stride);
  end_draw(c);
}

static VKAPI_ATTR void VKAPI_CALL layer_CmdDrawIndexedIndirect(VkCommandBuffer c, VkBuffer buffer, VkDeviceSize offset,
                                                               uint32_t count, uint32_t stride) {
  put_indirect(c, buffer, VK_NULL_HANDLE,
               (struct frame_draw_indirect){.indexed = 1, .stride = stride, .most = count, .offset = offset});
  layer_device.next.CmdDrawIndexedIndirect(c, buffer, offset, count, stride);
  end_draw(c);
}

static VKAPI_ATTR void VKAPI_CALL layer_CmdDrawIndirectCount(VkCommandBuffer c, VkBuffer buffer, VkDeviceSize offset,
                                                             VkBuffer counts, VkDeviceSize count_offset, uint32_t most,
                                                             uint32_t stride) {
  put_indirect(
      c, buffer, counts,
      (struct frame_draw_indirect){.stride = stride, .most = most, .offset = offset, .count_offset = count_offset});
  layer_device.next.CmdDrawIndirectCount(c, buffer, offset, counts, count_offset, most, stride);
  end_draw(c);
}

static VKAPI_ATTR void VKAPI_CALL layer_CmdDrawIndexedIndirectCount(VkCommandBuffer c, VkBuffer buffer,
                                                                    VkDeviceSize offset, VkBuffer counts,
                                                                    VkDeviceSize count_offset, uint32_t most,
                                                                    uint32_t stride) {
  put_indirect(c, buffer, counts,
               (struct frame_draw_indirect){
                   .indexed = 1, .stride = stride, .most = most, .offset = offset, .count_offset = count_offset});
  layer_device.next.CmdDrawIndexedIndirectCount(c, buffer, offset, counts, count_offset, most, stride);
  end_draw(c);
}

static VKAPI_ATTR void VKAPI_CALL layer_CmdDispatch(VkCommandBuffer c, uint32_t x, uint32_t y, uint32_t z) {
  const struct frame_dispatch record = {.groups = {x, y, z}};
  layer_put(c, FRAME_DISPATCH, &record, sizeof record);
  layer_device.next.CmdDispatch(c, x, y, z);
}

static VKAPI_ATTR void VKAPI_CALL layer_CmdDispatchIndirect(VkCommandBuffer c, VkBuffer buffer, VkDeviceSize offset) {
  pthread_mutex_lock(&layer_lock);
  const struct frame_dispatch record = {.buffer = layer_id(OBJECT_BUFFER, HANDLE(buffer)), .offset = offset};
  layer_put(c, FRAME_DISPATCH, &record, sizeof record);
  pthread_mutex_unlock(&layer_lock);
  layer_device.next.CmdDispatchIndirect(c, buffer, offset);
}

static VKAPI_ATTR void VKAPI_CALL layer_CmdDispatchBase(VkCommandBuffer c, uint32_t first_x, uint32_t first_y,
                                                        uint32_t first_z, uint32_t x, uint32_t y, uint32_t z) {
  const struct frame_dispatch record = {.groups = {x, y, z}};
  if (first_x || first_y || first_z)
    put_unsupported(c, "vkCmdDispatchBase", FRAME_REACH_REST);
  else
    layer_put(c, FRAME_DISPATCH, &record, sizeof record);
  layer_device.next.CmdDispatchBase(c, first_x, first_y, first_z, x, y, z);
}

static VKAPI_ATTR void VKAPI_CALL layer_CmdNextSubpass(VkCommandBuffer c, VkSubpassContents contents) {
  put_unsupported(c, "vkCmdNextSubpass", FRAME_REACH_PASS);
  layer_device.next.CmdNextSubpass(c, contents);
}

static VKAPI_ATTR void VKAPI_CALL layer_CmdNextSubpass2(VkCommandBuffer c, const VkSubpassBeginInfo *begin,
                                                        const VkSubpassEndInfo *end) {
  put_unsupported(c, "vkCmdNextSubpass2", FRAME_REACH_PASS);
  layer_device.next.CmdNextSubpass2(c, begin, end);
}

static VKAPI_ATTR void VKAPI_CALL layer_CmdPipelineBarrier(VkCommandBuffer c, VkPipelineStageFlags source,
                                                           VkPipelineStageFlags target, VkDependencyFlags flags,
                                                           uint32_t memory_count, const VkMemoryBarrier *memories,
                                                           uint32_t buffer_count, const VkBufferMemoryBarrier *buffers,
                                                           uint32_t image_count, const VkImageMemoryBarrier *images) {
  const struct frame_barrier record = {source, target};
  layer_put(c, FRAME_BARRIER, &record, sizeof record);
  layer_device.next.CmdPipelineBarrier(c, source, target, flags, memory_count, memories, buffer_count, buffers,
                                       image_count, images);
}

const struct layer_hook draw_hooks[] = {HOOK(AllocateCommandBuffers),
                                        HOOK(FreeCommandBuffers),
                                        HOOK(BeginCommandBuffer),
                                        HOOK(CmdExecuteCommands),
                                        HOOK(CmdDraw),
                                        HOOK(CmdDrawIndexed),
                                        HOOK(CmdDrawIndirect),
                                        HOOK(CmdDrawIndexedIndirect),
                                        HOOK(CmdDrawIndirectCount),
                                        HOOK(CmdDrawIndexedIndirectCount),
                                        HOOK(CmdDispatch),
                                        HOOK(CmdDispatchBase),
                                        HOOK(CmdDispatchIndirect),
                                        HOOK(CmdNextSubpass),
                                        HOOK(CmdNextSubpass2),
                                        HOOK(CmdPipelineBarrier),
                                        {NULL, NULL}};

/* Hooks of commands that bind objects and set state. */
#include <string.h>

#include "graphics/layer/objects.h"

static VKAPI_ATTR void VKAPI_CALL layer_CmdBindPipeline(VkCommandBuffer c, VkPipelineBindPoint point,
                                                        VkPipeline pipeline) {
  pthread_mutex_lock(&layer_lock);
  const struct frame_bind_pipeline record = {layer_id(OBJECT_PIPELINE, HANDLE(pipeline)), point};
  layer_put(c, FRAME_BIND_PIPELINE, &record, sizeof record);
  pthread_mutex_unlock(&layer_lock);
  layer_device.next.CmdBindPipeline(c, point, pipeline);
}

static VKAPI_ATTR void VKAPI_CALL layer_CmdBindDescriptorSets(VkCommandBuffer c, VkPipelineBindPoint point,
                                                              VkPipelineLayout layout, uint32_t first, uint32_t count,
                                                              const VkDescriptorSet *sets, uint32_t offset_count,
                                                              const uint32_t *offsets) {
  struct frame_bind_sets record = {point, first, count < FRAME_MAX_SETS ? count : FRAME_MAX_SETS, offset_count, {0}};
  pthread_mutex_lock(&layer_lock);
  for (uint32_t i = 0; i < record.count; i++)
    record.sets[i] = layer_id(OBJECT_SET, HANDLE(sets[i]));
  layer_put(c, FRAME_BIND_SETS, &record, sizeof record);
  record_more(layer_commands(c), offsets, offset_count * sizeof *offsets);
  pthread_mutex_unlock(&layer_lock);
  layer_device.next.CmdBindDescriptorSets(c, point, layout, first, count, sets, offset_count, offsets);
}

static void bind_vertices(VkCommandBuffer c, uint32_t first, uint32_t count, const VkBuffer *buffers,
                          const VkDeviceSize *offsets) {
  struct frame_bind_vertices record;
  memset(&record, 0, sizeof record);
  record.first = first;
  record.count = count < FRAME_MAX_VERTEX ? count : FRAME_MAX_VERTEX;
  pthread_mutex_lock(&layer_lock);
  for (uint32_t i = 0; i < record.count; i++) {
    record.buffers[i] = layer_id(OBJECT_BUFFER, HANDLE(buffers[i]));
    record.offsets[i] = offsets[i];
  }
  layer_put(c, FRAME_BIND_VERTICES, &record, sizeof record);
  pthread_mutex_unlock(&layer_lock);
}

static VKAPI_ATTR void VKAPI_CALL layer_CmdBindVertexBuffers(VkCommandBuffer c, uint32_t first, uint32_t count,
                                                             const VkBuffer *buffers, const VkDeviceSize *offsets) {
  bind_vertices(c, first, count, buffers, offsets);
  layer_device.next.CmdBindVertexBuffers(c, first, count, buffers, offsets);
}

static VKAPI_ATTR void VKAPI_CALL layer_CmdBindVertexBuffers2(VkCommandBuffer c, uint32_t first, uint32_t count,
                                                              const VkBuffer *buffers, const VkDeviceSize *offsets,
                                                              const VkDeviceSize *sizes, const VkDeviceSize *strides) {
  bind_vertices(c, first, count, buffers, offsets);
  layer_device.next.CmdBindVertexBuffers2(c, first, count, buffers, offsets, sizes, strides);
}

static VKAPI_ATTR void VKAPI_CALL layer_CmdBindIndexBuffer(VkCommandBuffer c, VkBuffer buffer, VkDeviceSize offset,
                                                           VkIndexType type) {
  pthread_mutex_lock(&layer_lock);
  const struct frame_bind_indices record = {layer_id(OBJECT_BUFFER, HANDLE(buffer)), type, offset};
  layer_put(c, FRAME_BIND_INDICES, &record, sizeof record);
  pthread_mutex_unlock(&layer_lock);
  layer_device.next.CmdBindIndexBuffer(c, buffer, offset, type);
}

static VKAPI_ATTR void VKAPI_CALL layer_CmdPushConstants(VkCommandBuffer c, VkPipelineLayout layout,
                                                         VkShaderStageFlags stages, uint32_t offset, uint32_t size,
                                                         const void *values) {
  struct frame_push record;
  memset(&record, 0, sizeof record);
  record.stages = stages;
  record.offset = offset;
  record.bytes = size;
  if (size <= sizeof record.data) {
    memcpy(record.data, values, size);
    layer_put(c, FRAME_PUSH, &record, sizeof record);
  }
  layer_device.next.CmdPushConstants(c, layout, stages, offset, size, values);
}

/* Only the first viewport counts. */
static VKAPI_ATTR void VKAPI_CALL layer_CmdSetViewport(VkCommandBuffer c, uint32_t first, uint32_t count,
                                                       const VkViewport *list) {
  struct frame_viewport record;
  memcpy(&record, list, sizeof record);
  if (first == 0 && count > 0)
    layer_put(c, FRAME_SET_VIEWPORT, &record, sizeof record);
  layer_device.next.CmdSetViewport(c, first, count, list);
}

static VKAPI_ATTR void VKAPI_CALL layer_CmdSetScissor(VkCommandBuffer c, uint32_t first, uint32_t count,
                                                      const VkRect2D *list) {
  struct frame_scissor record;
  memcpy(&record, list, sizeof record);
  if (first == 0 && count > 0)
    layer_put(c, FRAME_SET_SCISSOR, &record, sizeof record);
  layer_device.next.CmdSetScissor(c, first, count, list);
}

static void put_floats(VkCommandBuffer c, enum frame_dynamic state, const float *values, size_t count) {
  struct frame_set_state record = {.state = state};
  memcpy(record.value.f, values, count * sizeof *values);
  layer_put(c, FRAME_SET_STATE, &record, sizeof record);
}

static void put_stencil(VkCommandBuffer c, enum frame_dynamic state, VkStencilFaceFlags faces, uint32_t value) {
  const struct frame_set_state record = {.state = state, .faces = faces, .value.u = {value}};
  layer_put(c, FRAME_SET_STATE, &record, sizeof record);
}

static VKAPI_ATTR void VKAPI_CALL layer_CmdSetLineWidth(VkCommandBuffer c, float width) {
  put_floats(c, FRAME_DYNAMIC_LINE_WIDTH, &width, 1);
  layer_device.next.CmdSetLineWidth(c, width);
}

static VKAPI_ATTR void VKAPI_CALL layer_CmdSetDepthBias(VkCommandBuffer c, float constant, float clamp, float slope) {
  put_floats(c, FRAME_DYNAMIC_DEPTH_BIAS, (const float[]){constant, clamp, slope}, 3);
  layer_device.next.CmdSetDepthBias(c, constant, clamp, slope);
}

static VKAPI_ATTR void VKAPI_CALL layer_CmdSetBlendConstants(VkCommandBuffer c, const float values[4]) {
  put_floats(c, FRAME_DYNAMIC_BLEND, values, 4);
  layer_device.next.CmdSetBlendConstants(c, values);
}

static VKAPI_ATTR void VKAPI_CALL layer_CmdSetStencilCompareMask(VkCommandBuffer c, VkStencilFaceFlags faces,
                                                                 uint32_t value) {
  put_stencil(c, FRAME_DYNAMIC_STENCIL_READ, faces, value);
  layer_device.next.CmdSetStencilCompareMask(c, faces, value);
}

static VKAPI_ATTR void VKAPI_CALL layer_CmdSetStencilWriteMask(VkCommandBuffer c, VkStencilFaceFlags faces,
                                                               uint32_t value) {
  put_stencil(c, FRAME_DYNAMIC_STENCIL_WRITE, faces, value);
  layer_device.next.CmdSetStencilWriteMask(c, faces, value);
}

static VKAPI_ATTR void VKAPI_CALL layer_CmdSetStencilReference(VkCommandBuffer c, VkStencilFaceFlags faces,
                                                               uint32_t value) {
  put_stencil(c, FRAME_DYNAMIC_STENCIL_REFERENCE, faces, value);
  layer_device.next.CmdSetStencilReference(c, faces, value);
}

const struct layer_hook state_hooks[] = {
    HOOK(CmdBindPipeline),        HOOK(CmdBindDescriptorSets),  HOOK(CmdBindVertexBuffers),
    HOOK(CmdBindVertexBuffers2),  HOOK(CmdBindIndexBuffer),     HOOK(CmdPushConstants),
    HOOK(CmdSetViewport),         HOOK(CmdSetScissor),          HOOK(CmdSetLineWidth),
    HOOK(CmdSetDepthBias),        HOOK(CmdSetBlendConstants),   HOOK(CmdSetStencilCompareMask),
    HOOK(CmdSetStencilWriteMask), HOOK(CmdSetStencilReference), {NULL, NULL}};

/* The Vulkan layer's view of a device: the functions of the next layer, and what the layer keeps (docs/graphics.md).
 *
 * Threads: every hook holds the layer's lock while it changes what is kept; layer_lock is recursive. */
#ifndef GRAPHICS_LAYER_VULKAN_DEVICE_H
#define GRAPHICS_LAYER_VULKAN_DEVICE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <vulkan/vulkan_core.h>

/* Functions of the next layer that are called: by hooks, or for the layer's own copies of contents. */
#define NEXT_FUNCTIONS(X)                                                                                              \
  X(GetDeviceProcAddr)                                                                                                 \
  X(DestroyDevice)                                                                                                     \
  X(GetDeviceQueue)                                                                                                    \
  X(DeviceWaitIdle)                                                                                                    \
  X(QueueSubmit)                                                                                                       \
  X(QueueSubmit2)                                                                                                      \
  X(AllocateMemory)                                                                                                    \
  X(FreeMemory)                                                                                                        \
  X(MapMemory)                                                                                                         \
  X(UnmapMemory)                                                                                                       \
  X(BindBufferMemory)                                                                                                  \
  X(BindBufferMemory2)                                                                                                 \
  X(BindImageMemory)                                                                                                   \
  X(BindImageMemory2)                                                                                                  \
  X(GetImageMemoryRequirements)                                                                                        \
  X(GetImageSubresourceLayout)                                                                                         \
  X(GetBufferMemoryRequirements)                                                                                       \
  X(CreateBuffer)                                                                                                      \
  X(DestroyBuffer)                                                                                                     \
  X(CreateBufferView)                                                                                                  \
  X(DestroyBufferView)                                                                                                 \
  X(CreateImage)                                                                                                       \
  X(DestroyImage)                                                                                                      \
  X(CreateImageView)                                                                                                   \
  X(DestroyImageView)                                                                                                  \
  X(CreateSampler)                                                                                                     \
  X(DestroySampler)                                                                                                    \
  X(CreateShaderModule)                                                                                                \
  X(DestroyShaderModule)                                                                                               \
  X(CreateGraphicsPipelines)                                                                                           \
  X(CreateComputePipelines)                                                                                            \
  X(DestroyPipeline)                                                                                                   \
  X(CreateDescriptorSetLayout)                                                                                         \
  X(DestroyDescriptorSetLayout)                                                                                        \
  X(CreateDescriptorUpdateTemplate)                                                                                    \
  X(DestroyDescriptorUpdateTemplate)                                                                                   \
  X(UpdateDescriptorSetWithTemplate)                                                                                   \
  X(UpdateDescriptorSets)                                                                                              \
  X(AllocateDescriptorSets)                                                                                            \
  X(FreeDescriptorSets)                                                                                                \
  X(ResetDescriptorPool)                                                                                               \
  X(DestroyDescriptorPool)                                                                                             \
  X(CreateQueryPool)                                                                                                   \
  X(DestroyQueryPool)                                                                                                  \
  X(GetQueryPoolResults)                                                                                               \
  X(CreateEvent)                                                                                                       \
  X(DestroyEvent)                                                                                                      \
  X(GetEventStatus)                                                                                                    \
  X(SetEvent)                                                                                                          \
  X(ResetEvent)                                                                                                        \
  X(CmdSetEvent)                                                                                                       \
  X(CmdWaitEvents)                                                                                                     \
  X(CmdBeginQuery)                                                                                                     \
  X(CmdEndQuery)                                                                                                       \
  X(CreateRenderPass)                                                                                                  \
  X(CreateRenderPass2)                                                                                                 \
  X(DestroyRenderPass)                                                                                                 \
  X(CreateFramebuffer)                                                                                                 \
  X(DestroyFramebuffer)                                                                                                \
  X(CreateCommandPool)                                                                                                 \
  X(AllocateCommandBuffers)                                                                                            \
  X(FreeCommandBuffers)                                                                                                \
  X(BeginCommandBuffer)                                                                                                \
  X(EndCommandBuffer)                                                                                                  \
  X(CreateSwapchainKHR)                                                                                                \
  X(GetSwapchainImagesKHR)                                                                                             \
  X(QueuePresentKHR)                                                                                                   \
  X(CmdBindPipeline)                                                                                                   \
  X(CmdBindDescriptorSets)                                                                                             \
  X(CmdBindVertexBuffers)                                                                                              \
  X(CmdBindVertexBuffers2)                                                                                             \
  X(CmdBindIndexBuffer)                                                                                                \
  X(CmdPushConstants)                                                                                                  \
  X(CmdSetViewport)                                                                                                    \
  X(CmdSetScissor)                                                                                                     \
  X(CmdSetLineWidth)                                                                                                   \
  X(CmdSetDepthBias)                                                                                                   \
  X(CmdSetBlendConstants)                                                                                              \
  X(CmdSetStencilCompareMask)                                                                                          \
  X(CmdSetStencilWriteMask)                                                                                            \
  X(CmdSetStencilReference)                                                                                            \
  X(CmdDraw)                                                                                                           \
  X(CmdDrawIndexed)                                                                                                    \
  X(CmdDrawIndirect)                                                                                                   \
  X(CmdDrawIndexedIndirect)                                                                                            \
  X(CmdDrawIndirectCount)                                                                                              \
  X(CmdDrawIndexedIndirectCount)                                                                                       \
  X(CmdDispatch)                                                                                                       \
  X(CmdDispatchBase)                                                                                                   \
  X(CmdDispatchIndirect)                                                                                               \
  X(CmdBeginRenderPass)                                                                                                \
  X(CmdBeginRenderPass2)                                                                                               \
  X(CmdNextSubpass)                                                                                                    \
  X(CmdNextSubpass2)                                                                                                   \
  X(CmdEndRenderPass)                                                                                                  \
  X(CmdEndRenderPass2)                                                                                                 \
  X(CmdBeginRendering)                                                                                                 \
  X(CmdEndRendering)                                                                                                   \
  X(CmdPipelineBarrier)                                                                                                \
  X(CmdPipelineBarrier2)                                                                                               \
  X(CmdClearColorImage)                                                                                                \
  X(CmdClearDepthStencilImage)                                                                                         \
  X(CmdClearAttachments)                                                                                               \
  X(CmdCopyBuffer)                                                                                                     \
  X(CmdCopyImage)                                                                                                      \
  X(CmdCopyBufferToImage)                                                                                              \
  X(CmdCopyImageToBuffer)                                                                                              \
  X(CmdBlitImage)                                                                                                      \
  X(CmdResolveImage)                                                                                                   \
  X(CmdUpdateBuffer)                                                                                                   \
  X(CmdFillBuffer)                                                                                                     \
  X(CmdCopyQueryPoolResults)                                                                                           \
  X(CmdBindTransformFeedbackBuffersEXT)                                                                                \
  X(CmdDrawIndirectByteCountEXT)                                                                                       \
  X(CmdBeginConditionalRenderingEXT)                                                                                   \
  X(CmdEndConditionalRenderingEXT)                                                                                     \
  X(CmdExecuteCommands)

struct next_functions {
#define X(name) PFN_vk##name name;
  NEXT_FUNCTIONS(X)
#undef X
};

/* One device at a time: programs that draw have one. */
struct layer_device {
  VkDevice handle;
  struct next_functions next;
  uint32_t memory_type; /* of memory that the layer maps for copies of contents */
  uint32_t queue_family;
  VkQueue queue; /* any queue that the program asked for */
  VkCommandPool pool;
  bool presents; /* the program has made a swapchain */
};

extern struct layer_device layer_device;
extern pthread_mutex_t layer_lock;

/* Hooks, by Vulkan's names: X(name, function of the layer). A file of hooks defines its part of the table. */
struct layer_hook {
  const char *name;
  PFN_vkVoidFunction function;
};
/* clang-format off */
#define HOOK(name) {"vk" #name, (PFN_vkVoidFunction)layer_##name}
/* clang-format on */
extern const struct layer_hook buffer_hooks[], image_hooks[], pipeline_hooks[], descriptor_hooks[], pass_hooks[],
    state_hooks[], draw_hooks[], transfer_hooks[], left_out_hooks[], submit_hooks[];

#endif

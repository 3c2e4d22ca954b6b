/* Launches a compute shader twice with Vulkan, in a submit each, and draws nothing.
 * Usage: squares COMPUTE.spv */
#include "scene_device.h"

enum { NUMBERS = 200, GROUPS = 4 };

static VkPipeline make_pipeline(const char *path, VkPipelineLayout layout) {
  static const uint32_t more = 9;
  static const VkSpecializationMapEntry entry = {7, 0, sizeof more};
  static const VkSpecializationInfo constants = {1, &entry, sizeof more, &more};
  const VkComputePipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                            .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                      .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                                      .module = load_shader(path),
                                                      .pName = "main",
                                                      .pSpecializationInfo = &constants},
                                            .layout = layout};
  VkPipeline pipeline;
  need(vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline), "vkCreateComputePipelines");
  return pipeline;
}

static void launch(VkPipeline pipeline, VkPipelineLayout layout, VkDescriptorSet set) {
  begin_commands();
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
  vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, NULL);
  vkCmdDispatch(commands, GROUPS, 1, 1);
  submit();
}

int main(int count, char **words) {
  static const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1,
                                                       VK_SHADER_STAGE_COMPUTE_BIT, NULL};
  static uint32_t numbers[4 + NUMBERS];
  if (count != 2)
    return 2;
  begin();
  for (uint32_t i = 0; i < NUMBERS; i++)
    numbers[4 + i] = i;
  const VkBuffer buffer = make_buffer(VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, numbers, sizeof numbers);
  const VkDescriptorBufferInfo info = {buffer, 0, VK_WHOLE_SIZE};
  VkWriteDescriptorSet write = {.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .pBufferInfo = &info};
  const VkDescriptorSetLayout sets = make_set_layout(&binding, 1);
  const VkDescriptorSet set = make_set(sets, &write, 1);
  const VkPipelineLayout layout = make_layout(sets, NULL);
  const VkPipeline pipeline = make_pipeline(words[1], layout);
  launch(pipeline, layout, set);
  launch(pipeline, layout, set);
  return 0;
}

/* Draws the scene of datasets/graphics with Vulkan, without a window: two textured rectangles that cross in depth, then
 * one that is blended over them. `record.sh` captures its only frame.
 * With a third word the blended rectangle is drawn in a second subpass, which captures do not hold.
 * Usage: scene VERTEX.spv FRAGMENT.spv [WORD] */
#include <string.h>

#include "scene_device.h"

enum { WIDTH = 96, HEIGHT = 64, SIDE = 32, LEVELS = 6 };

/* A board of squares; smaller levels are redder. */
static VkBuffer make_texels(void) {
  static unsigned char texels[2 * SIDE * SIDE * 4];
  unsigned char *to = texels;
  for (unsigned level = 0; level < LEVELS; level++)
    for (unsigned y = 0; y < (unsigned)SIDE >> level; y++)
      for (unsigned x = 0; x < (unsigned)SIDE >> level; x++, to += 4) {
        const unsigned on = (x / 4 + y / 4) % 2;
        memcpy(to,
               (unsigned char[]){(unsigned char)(on ? 255 : 40 * level), (unsigned char)(8 * y), (unsigned char)(7 * x),
                                 255},
               4);
      }
  return make_buffer(VK_BUFFER_USAGE_TRANSFER_SRC_BIT, texels, sizeof texels);
}

static uint32_t subpasses = 1;

static VkRenderPass make_pass(void) {
  const VkAttachmentDescription attachments[] = {{.format = VK_FORMAT_R8G8B8A8_UNORM,
                                                  .samples = VK_SAMPLE_COUNT_1_BIT,
                                                  .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                                  .finalLayout = VK_IMAGE_LAYOUT_GENERAL},
                                                 {.format = VK_FORMAT_D32_SFLOAT,
                                                  .samples = VK_SAMPLE_COUNT_1_BIT,
                                                  .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                                  .finalLayout = VK_IMAGE_LAYOUT_GENERAL}};
  const VkAttachmentReference color = {0, VK_IMAGE_LAYOUT_GENERAL}, depth = {1, VK_IMAGE_LAYOUT_GENERAL};
  const VkSubpassDescription subpass = {
      .colorAttachmentCount = 1, .pColorAttachments = &color, .pDepthStencilAttachment = &depth};
  const VkSubpassDescription both[] = {subpass, subpass};
  const VkSubpassDependency order = {0,
                                     1,
                                     VK_PIPELINE_STAGE_ALL_GRAPHICS_BIT,
                                     VK_PIPELINE_STAGE_ALL_GRAPHICS_BIT,
                                     VK_ACCESS_MEMORY_WRITE_BIT,
                                     VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
                                     VK_DEPENDENCY_BY_REGION_BIT};
  VkRenderPass pass;
  need(vkCreateRenderPass(device,
                          &(VkRenderPassCreateInfo){.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                                    .attachmentCount = 2,
                                                    .pAttachments = attachments,
                                                    .subpassCount = subpasses,
                                                    .pSubpasses = both,
                                                    .dependencyCount = subpasses - 1,
                                                    .pDependencies = &order},
                          NULL, &pass),
       "vkCreateRenderPass");
  return pass;
}

/* The fixed state of both pipelines. */
static const VkVertexInputBindingDescription binding = {0, 24, VK_VERTEX_INPUT_RATE_VERTEX};
static const VkVertexInputAttributeDescription attributes[] = {{0, 0, VK_FORMAT_R32G32B32A32_SFLOAT, 0},
                                                               {1, 0, VK_FORMAT_R32G32_SFLOAT, 16}};
static const VkPipelineVertexInputStateCreateInfo vertex_input = {
    .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
    .vertexBindingDescriptionCount = 1,
    .pVertexBindingDescriptions = &binding,
    .vertexAttributeDescriptionCount = 2,
    .pVertexAttributeDescriptions = attributes};
static const VkPipelineInputAssemblyStateCreateInfo assembly = {
    .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
    .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST};
static const VkViewport viewport = {0, 0, WIDTH, HEIGHT, 0, 1};
static const VkRect2D scissor = {{0, 0}, {WIDTH, HEIGHT}};
static const VkPipelineViewportStateCreateInfo viewports = {.sType =
                                                                VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
                                                            .viewportCount = 1,
                                                            .pViewports = &viewport,
                                                            .scissorCount = 1,
                                                            .pScissors = &scissor};
static const VkPipelineRasterizationStateCreateInfo rasterization = {
    .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO, .lineWidth = 1};
static const VkPipelineMultisampleStateCreateInfo multisampling = {
    .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO, .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};

static VkPipelineShaderStageCreateInfo stage(VkShaderStageFlagBits bit, const char *path) {
  return (VkPipelineShaderStageCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                           .stage = bit,
                                           .module = load_shader(path),
                                           .pName = "main"};
}

static VkPipeline make_pipeline(char **paths, VkPipelineLayout layout, VkRenderPass pass, VkBool32 blends) {
  const VkPipelineShaderStageCreateInfo stages[] = {stage(VK_SHADER_STAGE_VERTEX_BIT, paths[1]),
                                                    stage(VK_SHADER_STAGE_FRAGMENT_BIT, paths[2])};
  const VkPipelineColorBlendAttachmentState blend = {.blendEnable = blends,
                                                     .srcColorBlendFactor = VK_BLEND_FACTOR_SRC_ALPHA,
                                                     .dstColorBlendFactor = VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA,
                                                     .srcAlphaBlendFactor = VK_BLEND_FACTOR_ONE,
                                                     .colorWriteMask = 15};
  const VkPipelineColorBlendStateCreateInfo blending = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO, .attachmentCount = 1, .pAttachments = &blend};
  const VkPipelineDepthStencilStateCreateInfo depth = {.sType =
                                                           VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
                                                       .depthTestEnable = VK_TRUE,
                                                       .depthWriteEnable = !blends,
                                                       .depthCompareOp = VK_COMPARE_OP_LESS};
  const VkGraphicsPipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                             .stageCount = 2,
                                             .pStages = stages,
                                             .pVertexInputState = &vertex_input,
                                             .pInputAssemblyState = &assembly,
                                             .pViewportState = &viewports,
                                             .pRasterizationState = &rasterization,
                                             .pMultisampleState = &multisampling,
                                             .pDepthStencilState = &depth,
                                             .pColorBlendState = &blending,
                                             .layout = layout,
                                             .renderPass = pass,
                                             .subpass = blends ? subpasses - 1 : 0};
  VkPipeline pipeline;
  need(vkCreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline), "vkCreateGraphicsPipelines");
  return pipeline;
}

static VkSampler make_sampler(void) {
  VkSampler sampler;
  need(vkCreateSampler(device,
                       &(VkSamplerCreateInfo){.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                              .magFilter = VK_FILTER_LINEAR,
                                              .minFilter = VK_FILTER_NEAREST,
                                              .mipmapMode = VK_SAMPLER_MIPMAP_MODE_NEAREST,
                                              .maxLod = LEVELS},
                       NULL, &sampler),
       "vkCreateSampler");
  return sampler;
}

static VkDescriptorSet describe(VkDescriptorSetLayout layout, VkBuffer uniform, VkImageView view) {
  const VkDescriptorBufferInfo buffer = {uniform, 0, VK_WHOLE_SIZE};
  const VkDescriptorImageInfo image = {make_sampler(), view, VK_IMAGE_LAYOUT_GENERAL};
  VkWriteDescriptorSet writes[] = {{.descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, .pBufferInfo = &buffer},
                                   {.descriptorType = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, .pImageInfo = &image}};
  return make_set(layout, writes, 2);
}

static void copy_texels(VkBuffer texels, VkImage image) {
  VkBufferImageCopy copies[LEVELS];
  VkDeviceSize offset = 0;
  for (uint32_t level = 0; level < LEVELS; level++) {
    const uint32_t side = SIDE >> level;
    copies[level] = (VkBufferImageCopy){.bufferOffset = offset,
                                        .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, level, 0, 1},
                                        .imageExtent = {side, side, 1}};
    offset += (VkDeviceSize)side * side * 4;
  }
  vkCmdCopyBufferToImage(commands, texels, image, VK_IMAGE_LAYOUT_GENERAL, LEVELS, copies);
}

/* Three rectangles: position (x, y, z, w) and texture coordinates of four corners each. The second is seen at an
 * angle. */
static const float vertices[] = {-0.9f, -0.9f, 0.5f, 1, 0, 0, 0.5f,  -0.9f, 0.5f, 1, 1, 0,
                                 0.5f,  0.6f,  0.5f, 1, 1, 1, -0.9f, 0.6f,  0.5f, 1, 0, 1, /**/
                                 -0.6f, -0.5f, 0.1f, 1, 0, 0, 2.1f,  -1.5f, 2.4f, 3, 4, 0,
                                 2.1f,  1.5f,  2.4f, 3, 4, 2, -0.6f, 0.5f,  0.1f, 1, 0, 2, /**/
                                 -0.3f, 0.1f,  0.2f, 1, 0, 0, 0.3f,  0.1f,  0.2f, 1, 1, 0,
                                 0.3f,  0.95f, 0.2f, 1, 1, 1, -0.3f, 0.95f, 0.2f, 1, 0, 1};
static const uint16_t indices[] = {0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7, 8, 9, 10, 8, 10, 11};

static void draw(VkPipelineLayout layout, VkPipeline pipeline, uint32_t first, uint32_t count, const float tint[4]) {
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
  vkCmdPushConstants(commands, layout, VK_SHADER_STAGE_FRAGMENT_BIT, 0, 16, tint);
  vkCmdDrawIndexed(commands, count, 1, first, 0, 0);
}

static VkFramebuffer make_framebuffer(VkRenderPass pass) {
  VkImageView views[2];
  VkFramebuffer framebuffer;
  make_image(VK_FORMAT_R8G8B8A8_UNORM, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT, WIDTH,
             HEIGHT, 1, VK_IMAGE_ASPECT_COLOR_BIT, &views[0]);
  make_image(VK_FORMAT_D32_SFLOAT, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT, WIDTH, HEIGHT, 1,
             VK_IMAGE_ASPECT_DEPTH_BIT, &views[1]);
  need(vkCreateFramebuffer(device,
                           &(VkFramebufferCreateInfo){.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
                                                      .renderPass = pass,
                                                      .attachmentCount = 2,
                                                      .pAttachments = views,
                                                      .width = WIDTH,
                                                      .height = HEIGHT,
                                                      .layers = 1},
                           NULL, &framebuffer),
       "vkCreateFramebuffer");
  return framebuffer;
}

static void begin_pass(VkRenderPass pass) {
  const VkClearValue clears[] = {{.color.float32 = {0.1f, 0.2f, 0.3f, 1}}, {.depthStencil.depth = 1}};
  const VkRenderPassBeginInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                      .renderPass = pass,
                                      .framebuffer = make_framebuffer(pass),
                                      .renderArea = {{0, 0}, {WIDTH, HEIGHT}},
                                      .clearValueCount = 2,
                                      .pClearValues = clears};
  vkCmdBeginRenderPass(commands, &info, VK_SUBPASS_CONTENTS_INLINE);
}

static void draw_all(char **paths, VkPipelineLayout layout, VkRenderPass pass) {
  const VkBuffer corners = make_buffer(VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, vertices, sizeof vertices);
  vkCmdBindVertexBuffers(commands, 0, 1, &corners, &(VkDeviceSize){0});
  vkCmdBindIndexBuffer(commands, make_buffer(VK_BUFFER_USAGE_INDEX_BUFFER_BIT, indices, sizeof indices), 0,
                       VK_INDEX_TYPE_UINT16);
  draw(layout, make_pipeline(paths, layout, pass, VK_FALSE), 0, 12, (const float[]){1, 1, 1, 1});
  if (subpasses > 1)
    vkCmdNextSubpass(commands, VK_SUBPASS_CONTENTS_INLINE);
  draw(layout, make_pipeline(paths, layout, pass, VK_TRUE), 12, 6, (const float[]){0.5f, 1, 0.5f, 0.6f});
}

int main(int count, char **paths) {
  static const float move[4] = {0.02f, 0.03f, 0, 0};
  static const VkDescriptorSetLayoutBinding bindings[] = {
      {0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, VK_SHADER_STAGE_VERTEX_BIT, NULL},
      {1, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, VK_SHADER_STAGE_FRAGMENT_BIT, NULL}};
  static const VkPushConstantRange range = {VK_SHADER_STAGE_FRAGMENT_BIT, 0, 16};
  VkImageView view;
  if (count != 3 && count != 4)
    return 2;
  subpasses = (uint32_t)count - 2;
  begin();
  /* The view of an image that is destroyed first, as some programs leave it. */
  vkDestroyImage(
      device,
      make_image(VK_FORMAT_R8G8B8A8_UNORM, VK_IMAGE_USAGE_SAMPLED_BIT, SIDE, SIDE, 1, VK_IMAGE_ASPECT_COLOR_BIT, &view),
      NULL);
  const VkImage texture =
      make_image(VK_FORMAT_R8G8B8A8_UNORM, VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT, SIDE, SIDE,
                 LEVELS, VK_IMAGE_ASPECT_COLOR_BIT, &view);
  const VkDescriptorSetLayout sets = make_set_layout(bindings, 2);
  const VkDescriptorSet set = describe(sets, make_buffer(VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT, move, sizeof move), view);
  const VkPipelineLayout layout = make_layout(sets, &range);
  const VkRenderPass pass = make_pass();
  begin_commands();
  copy_texels(make_texels(), texture);
  begin_pass(pass);
  vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0, 1, &set, 0, NULL);
  draw_all(paths, layout, pass);
  vkCmdEndRenderPass(commands);
  submit();
  return 0;
}

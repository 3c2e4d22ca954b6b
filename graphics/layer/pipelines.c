/* Hooks of shader modules and pipelines. */
#include <stdio.h>
#include <string.h>

#include "graphics/layer/objects.h"

static VKAPI_ATTR VkResult VKAPI_CALL layer_CreateShaderModule(VkDevice device, const VkShaderModuleCreateInfo *info,
                                                               const VkAllocationCallbacks *allocator,
                                                               VkShaderModule *out) {
  const VkResult result = layer_device.next.CreateShaderModule(device, info, allocator, out);
  if (result != VK_SUCCESS)
    return result;
  pthread_mutex_lock(&layer_lock);
  struct object *o = layer_remember(OBJECT_SHADER, HANDLE(*out));
  if (o) {
    const struct frame_shader record = {o->id, (uint32_t)(info->codeSize / 4)};
    record_put(&o->records, FRAME_SHADER, &record, sizeof record);
    record_more(&o->records, info->pCode, info->codeSize & ~(size_t)3);
  }
  pthread_mutex_unlock(&layer_lock);
  return result;
}

static struct frame_stencil stencil(const VkStencilOpState *s) {
  return (struct frame_stencil){s->failOp,      s->passOp,    s->depthFailOp, s->compareOp,
                                s->compareMask, s->writeMask, s->reference};
}

static uint32_t dynamic_bit(VkDynamicState state) {
  switch (state) {
  case VK_DYNAMIC_STATE_VIEWPORT:
    return FRAME_DYNAMIC_VIEWPORT;
  case VK_DYNAMIC_STATE_SCISSOR:
    return FRAME_DYNAMIC_SCISSOR;
  case VK_DYNAMIC_STATE_LINE_WIDTH:
    return FRAME_DYNAMIC_LINE_WIDTH;
  case VK_DYNAMIC_STATE_DEPTH_BIAS:
    return FRAME_DYNAMIC_DEPTH_BIAS;
  case VK_DYNAMIC_STATE_BLEND_CONSTANTS:
    return FRAME_DYNAMIC_BLEND;
  case VK_DYNAMIC_STATE_STENCIL_COMPARE_MASK:
    return FRAME_DYNAMIC_STENCIL_READ;
  case VK_DYNAMIC_STATE_STENCIL_WRITE_MASK:
    return FRAME_DYNAMIC_STENCIL_WRITE;
  case VK_DYNAMIC_STATE_STENCIL_REFERENCE:
    return FRAME_DYNAMIC_STENCIL_REFERENCE;
  default:
    return 0;
  }
}

static bool last_vertex_provokes(const VkPipelineRasterizationStateCreateInfo *r) {
  const VkPipelineRasterizationProvokingVertexStateCreateInfoEXT *p = r->pNext;
  while (p && p->sType != VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_PROVOKING_VERTEX_STATE_CREATE_INFO_EXT)
    p = p->pNext;
  return p && p->provokingVertexMode == VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT;
}

static uint32_t line_mode(const VkPipelineRasterizationStateCreateInfo *r) {
  const VkPipelineRasterizationLineStateCreateInfoEXT *p = r->pNext;
  while (p && p->sType != VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_LINE_STATE_CREATE_INFO_EXT)
    p = p->pNext;
  return p ? (uint32_t)p->lineRasterizationMode : VK_LINE_RASTERIZATION_MODE_DEFAULT_EXT;
}

/* Without a statement about clipping at the near and the far plane, depths that are clamped are not clipped. */
static uint32_t clamps_depth(const VkPipelineRasterizationStateCreateInfo *r) {
  const VkPipelineRasterizationDepthClipStateCreateInfoEXT *p = r->pNext;
  while (p && p->sType != VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_DEPTH_CLIP_STATE_CREATE_INFO_EXT)
    p = p->pNext;
  return p ? !p->depthClipEnable : r->depthClampEnable;
}

static void set_raster(struct frame_pipeline *p, const VkPipelineRasterizationStateCreateInfo *r) {
  p->depth_clamp = clamps_depth(r);
  p->discards_all = r->rasterizerDiscardEnable;
  p->polygon_mode = r->polygonMode;
  p->cull = r->cullMode;
  p->front_face = r->frontFace;
  p->biases_depth = r->depthBiasEnable;
  p->bias_constant = r->depthBiasConstantFactor;
  p->bias_clamp = r->depthBiasClamp;
  p->bias_slope = r->depthBiasSlopeFactor;
  p->line_width = r->lineWidth;
  p->line_mode = line_mode(r);
  p->last_provokes = last_vertex_provokes(r);
}

static void set_depth(struct frame_pipeline *p, const VkPipelineDepthStencilStateCreateInfo *d) {
  p->depth_test = d->depthTestEnable;
  p->depth_write = d->depthWriteEnable;
  p->depth_compare = d->depthCompareOp;
  p->depth_bounds = d->depthBoundsTestEnable;
  p->stencil_test = d->stencilTestEnable;
  p->front = stencil(&d->front);
  p->back = stencil(&d->back);
}

static void set_viewport(struct frame_pipeline *p, const VkPipelineViewportStateCreateInfo *v) {
  if (v->pViewports && v->viewportCount > 0)
    memcpy(&p->viewport, v->pViewports, sizeof p->viewport);
  if (v->pScissors && v->scissorCount > 0)
    memcpy(&p->scissor, v->pScissors, sizeof p->scissor);
}

static void set_blend(struct frame_pipeline *p, const VkPipelineColorBlendStateCreateInfo *b) {
  p->blend_count = b->attachmentCount;
  p->logic_op = b->logicOpEnable ? (uint32_t)b->logicOp : UINT32_MAX;
  memcpy(p->blend_constants, b->blendConstants, sizeof p->blend_constants);
}

static uint32_t multisampling(const VkPipelineMultisampleStateCreateInfo *m) {
  const bool of_samples = m->sampleShadingEnable && m->minSampleShading * (float)m->rasterizationSamples > 1;
  return (m->alphaToCoverageEnable ? FRAME_ALPHA_TO_COVERAGE : 0u) | (m->alphaToOneEnable ? FRAME_ALPHA_TO_ONE : 0u) |
         (of_samples ? FRAME_SAMPLE_SHADING : 0u);
}

static void set_fixed_state(struct frame_pipeline *p, const VkGraphicsPipelineCreateInfo *info) {
  p->topology = info->pInputAssemblyState ? info->pInputAssemblyState->topology : 0;
  p->restarts = info->pInputAssemblyState ? info->pInputAssemblyState->primitiveRestartEnable : 0;
  p->samples = 1;
  p->sample_mask = UINT32_MAX;
  p->logic_op = UINT32_MAX;
  for (uint32_t i = 0; info->pDynamicState && i < info->pDynamicState->dynamicStateCount; i++)
    p->dynamic |= dynamic_bit(info->pDynamicState->pDynamicStates[i]);
  set_raster(p, info->pRasterizationState);
  if (p->discards_all)
    return;
  if (info->pViewportState)
    set_viewport(p, info->pViewportState);
  if (info->pMultisampleState) {
    p->samples = info->pMultisampleState->rasterizationSamples;
    p->sample_mask = info->pMultisampleState->pSampleMask ? info->pMultisampleState->pSampleMask[0] : UINT32_MAX;
    p->multisampling = multisampling(info->pMultisampleState);
  }
  if (info->pDepthStencilState)
    set_depth(p, info->pDepthStencilState);
  if (info->pColorBlendState)
    set_blend(p, info->pColorBlendState);
}

/* The stages of a pipeline. */
struct stages {
  const VkPipelineShaderStageCreateInfo *list;
  uint32_t count;
};

static void put_stages(struct record_stream *s, struct stages stages) {
  for (uint32_t i = 0; i < stages.count; i++) {
    struct frame_stage stage = {.stage = stages.list[i].stage,
                                .shader = layer_id(OBJECT_SHADER, HANDLE(stages.list[i].module))};
    snprintf(stage.entry, sizeof stage.entry, "%s", stages.list[i].pName);
    record_more(s, &stage, sizeof stage);
  }
}

static uint32_t divisor_of(const VkPipelineVertexInputStateCreateInfo *v, uint32_t binding) {
  const VkPipelineVertexInputDivisorStateCreateInfoEXT *d = v->pNext;
  while (d && d->sType != VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_DIVISOR_STATE_CREATE_INFO_EXT)
    d = d->pNext;
  for (uint32_t i = 0; d && i < d->vertexBindingDivisorCount; i++)
    if (d->pVertexBindingDivisors[i].binding == binding)
      return d->pVertexBindingDivisors[i].divisor;
  return 1;
}

static void put_vertex_input(struct record_stream *s, const VkPipelineVertexInputStateCreateInfo *v) {
  for (uint32_t i = 0; i < v->vertexBindingDescriptionCount; i++) {
    const VkVertexInputBindingDescription *b = &v->pVertexBindingDescriptions[i];
    const struct frame_binding binding = {b->binding, b->stride, b->inputRate, divisor_of(v, b->binding)};
    record_more(s, &binding, sizeof binding);
  }
  for (uint32_t i = 0; i < v->vertexAttributeDescriptionCount; i++) {
    const VkVertexInputAttributeDescription *a = &v->pVertexAttributeDescriptions[i];
    const struct frame_attribute attribute = {a->location, a->binding, a->format, a->offset};
    record_more(s, &attribute, sizeof attribute);
  }
}

static void put_blends(struct record_stream *s, const VkPipelineColorBlendStateCreateInfo *info, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    const VkPipelineColorBlendAttachmentState *b = &info->pAttachments[i];
    const struct frame_blend blend = {b->blendEnable,  b->srcColorBlendFactor, b->dstColorBlendFactor,
                                      b->colorBlendOp, b->srcAlphaBlendFactor, b->dstAlphaBlendFactor,
                                      b->alphaBlendOp, b->colorWriteMask};
    record_more(s, &blend, sizeof blend);
  }
}

static void count_constants(struct frame_pipeline *p, struct stages stages) {
  for (uint32_t i = 0; i < stages.count; i++) {
    const VkSpecializationInfo *c = stages.list[i].pSpecializationInfo;
    p->constant_count += c ? c->mapEntryCount : 0;
    p->constant_bytes += c ? (uint32_t)c->dataSize : 0;
  }
}

static void put_constants(struct record_stream *s, struct stages stages) {
  uint32_t start = 0;
  for (uint32_t i = 0; i < stages.count; i++) {
    const VkSpecializationInfo *c = stages.list[i].pSpecializationInfo;
    for (uint32_t k = 0; c && k < c->mapEntryCount; k++) {
      const VkSpecializationMapEntry *e = &c->pMapEntries[k];
      const struct frame_constant constant = {stages.list[i].stage, e->constantID, start + e->offset,
                                              (uint32_t)e->size};
      record_more(s, &constant, sizeof constant);
    }
    start += c ? (uint32_t)c->dataSize : 0;
  }
  for (uint32_t i = 0; i < stages.count; i++)
    if (stages.list[i].pSpecializationInfo)
      record_more(s, stages.list[i].pSpecializationInfo->pData, stages.list[i].pSpecializationInfo->dataSize);
}

/* Behind the other arrays of a pipeline of patches. */
static void put_patches(struct record_stream *s, const VkPipelineTessellationStateCreateInfo *t,
                        uint32_t constant_bytes) {
  static const unsigned char zeros[4];
  const VkPipelineTessellationDomainOriginStateCreateInfo *o = t->pNext;
  while (o && o->sType != VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_DOMAIN_ORIGIN_STATE_CREATE_INFO)
    o = o->pNext;
  const struct frame_patches patches = {t->patchControlPoints,
                                        o && o->domainOrigin == VK_TESSELLATION_DOMAIN_ORIGIN_LOWER_LEFT};
  record_more(s, zeros, (4 - constant_bytes % 4) % 4);
  record_more(s, &patches, sizeof patches);
}

static void remember_pipeline(VkPipeline pipeline, const VkGraphicsPipelineCreateInfo *info) {
  static const VkPipelineVertexInputStateCreateInfo none;
  const VkPipelineVertexInputStateCreateInfo *v = info->pVertexInputState ? info->pVertexInputState : &none;
  const struct stages stages = {info->pStages, info->stageCount};
  struct object *o = layer_remember(OBJECT_PIPELINE, HANDLE(pipeline));
  if (!o)
    return;
  struct frame_pipeline p = {.id = o->id,
                             .stage_count = info->stageCount,
                             .binding_count = v->vertexBindingDescriptionCount,
                             .attribute_count = v->vertexAttributeDescriptionCount};
  set_fixed_state(&p, info);
  count_constants(&p, stages);
  record_put(&o->records, FRAME_PIPELINE, &p, sizeof p);
  put_stages(&o->records, stages);
  put_vertex_input(&o->records, v);
  put_blends(&o->records, info->pColorBlendState, p.blend_count);
  put_constants(&o->records, stages);
  if (p.topology == VK_PRIMITIVE_TOPOLOGY_PATCH_LIST)
    put_patches(&o->records, info->pTessellationState, p.constant_bytes);
}

static VKAPI_ATTR VkResult VKAPI_CALL layer_CreateGraphicsPipelines(VkDevice device, VkPipelineCache cache,
                                                                    uint32_t count,
                                                                    const VkGraphicsPipelineCreateInfo *infos,
                                                                    const VkAllocationCallbacks *allocator,
                                                                    VkPipeline *out) {
  const VkResult result = layer_device.next.CreateGraphicsPipelines(device, cache, count, infos, allocator, out);
  pthread_mutex_lock(&layer_lock);
  for (uint32_t i = 0; result >= 0 && i < count; i++)
    remember_pipeline(out[i], &infos[i]);
  pthread_mutex_unlock(&layer_lock);
  return result;
}

static void remember_compute(VkPipeline pipeline, const VkComputePipelineCreateInfo *info) {
  const struct stages stages = {&info->stage, 1};
  struct object *o = layer_remember(OBJECT_PIPELINE, HANDLE(pipeline));
  if (!o)
    return;
  struct frame_pipeline p = {.id = o->id, .is_compute = 1, .stage_count = 1};
  count_constants(&p, stages);
  record_put(&o->records, FRAME_PIPELINE, &p, sizeof p);
  put_stages(&o->records, stages);
  put_constants(&o->records, stages);
}

static VKAPI_ATTR VkResult VKAPI_CALL layer_CreateComputePipelines(VkDevice device, VkPipelineCache cache,
                                                                   uint32_t count,
                                                                   const VkComputePipelineCreateInfo *infos,
                                                                   const VkAllocationCallbacks *allocator,
                                                                   VkPipeline *out) {
  const VkResult result = layer_device.next.CreateComputePipelines(device, cache, count, infos, allocator, out);
  pthread_mutex_lock(&layer_lock);
  for (uint32_t i = 0; result >= 0 && i < count; i++)
    remember_compute(out[i], &infos[i]);
  pthread_mutex_unlock(&layer_lock);
  return result;
}

DESTROY_HOOK(Pipeline, OBJECT_PIPELINE)

static VKAPI_ATTR void VKAPI_CALL layer_DestroyShaderModule(VkDevice device, VkShaderModule module,
                                                            const VkAllocationCallbacks *allocator) {
  pthread_mutex_lock(&layer_lock);
  layer_retire(OBJECT_SHADER, HANDLE(module));
  pthread_mutex_unlock(&layer_lock);
  layer_device.next.DestroyShaderModule(device, module, allocator);
}

const struct layer_hook pipeline_hooks[] = {HOOK(CreateShaderModule),     HOOK(CreateGraphicsPipelines),
                                            HOOK(CreateComputePipelines), HOOK(DestroyPipeline),
                                            HOOK(DestroyShaderModule),    {NULL, NULL}};

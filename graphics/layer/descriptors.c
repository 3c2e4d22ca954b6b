/* Hooks of descriptor sets. A set holds its present descriptors; a submit writes them to the capture. */
#include <string.h>

#include "base/array.h"
#include "graphics/layer/objects.h"

static struct frame_descriptor *descriptor_at(struct object *set, uint32_t binding, uint32_t element) {
  struct frame_descriptor *list = set->data;
  for (size_t i = 0; i < set->data_count; i++)
    if (list[i].binding == binding && list[i].element == element)
      return &list[i];
  if (!array_room(&set->data, &set->data_room, set->data_count + 1, sizeof *list))
    return NULL;
  list = set->data;
  list[set->data_count] = (struct frame_descriptor){.binding = binding, .element = element};
  return &list[set->data_count++];
}

static void set_image(struct frame_descriptor *d, const VkDescriptorImageInfo *info) {
  if (d->type != VK_DESCRIPTOR_TYPE_SAMPLER)
    d->object = layer_id(OBJECT_VIEW, HANDLE(info->imageView));
  if (d->type == VK_DESCRIPTOR_TYPE_SAMPLER || d->type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER) {
    const uint32_t sampler = layer_id(OBJECT_SAMPLER, HANDLE(info->sampler));
    d->sampler = sampler ? sampler : d->sampler; /* else that of the layout stays */
  }
}

static void set_buffer(struct frame_descriptor *d, const VkDescriptorBufferInfo *info) {
  d->object = layer_id(OBJECT_BUFFER, HANDLE(info->buffer));
  d->offset = info->offset;
  d->bytes = info->range;
}

/* `info` is a VkDescriptorImageInfo, VkDescriptorBufferInfo or VkBufferView, as the type says. */
static void write_descriptor(struct object *set, uint32_t binding, uint32_t element, VkDescriptorType type,
                             const void *info) {
  struct frame_descriptor *d = descriptor_at(set, binding, element);
  if (!d)
    return;
  d->type = type;
  switch (type) {
  case VK_DESCRIPTOR_TYPE_SAMPLER:
  case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
  case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
  case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
  case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT:
    set_image(d, info);
    break;
  case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
  case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
    d->object = layer_id(OBJECT_TEXEL_BUFFER, HANDLE(*(const VkBufferView *)info));
    break;
  default:
    set_buffer(d, info);
  }
  set->is_written = false;
}

static const void *info_of(const VkWriteDescriptorSet *w, uint32_t i) {
  switch (w->descriptorType) {
  case VK_DESCRIPTOR_TYPE_SAMPLER:
  case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
  case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
  case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
  case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT:
    return &w->pImageInfo[i];
  case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
  case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
    return &w->pTexelBufferView[i];
  default:
    return &w->pBufferInfo[i];
  }
}

static void copy_descriptors(const VkCopyDescriptorSet *c) {
  struct object *from = layer_find(OBJECT_SET, HANDLE(c->srcSet)), *to = layer_find(OBJECT_SET, HANDLE(c->dstSet));
  for (uint32_t i = 0; from && to && i < c->descriptorCount; i++) {
    const struct frame_descriptor *source = descriptor_at(from, c->srcBinding, c->srcArrayElement + i);
    const struct frame_descriptor copy = source ? *source : (struct frame_descriptor){0};
    struct frame_descriptor *target = descriptor_at(to, c->dstBinding, c->dstArrayElement + i);
    if (!target)
      return;
    *target = copy;
    target->binding = c->dstBinding;
    target->element = c->dstArrayElement + i;
    to->is_written = false;
  }
}

static VKAPI_ATTR void VKAPI_CALL layer_UpdateDescriptorSets(VkDevice device, uint32_t write_count,
                                                             const VkWriteDescriptorSet *writes, uint32_t copy_count,
                                                             const VkCopyDescriptorSet *copies) {
  pthread_mutex_lock(&layer_lock);
  for (uint32_t i = 0; i < write_count; i++) {
    struct object *set = layer_find(OBJECT_SET, HANDLE(writes[i].dstSet));
    for (uint32_t k = 0; set && k < writes[i].descriptorCount; k++)
      write_descriptor(set, writes[i].dstBinding, writes[i].dstArrayElement + k, writes[i].descriptorType,
                       info_of(&writes[i], k));
  }
  for (uint32_t i = 0; i < copy_count; i++)
    copy_descriptors(&copies[i]);
  pthread_mutex_unlock(&layer_lock);
  layer_device.next.UpdateDescriptorSets(device, write_count, writes, copy_count, copies);
}

static VKAPI_ATTR VkResult VKAPI_CALL
layer_CreateDescriptorUpdateTemplate(VkDevice device, const VkDescriptorUpdateTemplateCreateInfo *info,
                                     const VkAllocationCallbacks *allocator, VkDescriptorUpdateTemplate *out) {
  const VkResult result = layer_device.next.CreateDescriptorUpdateTemplate(device, info, allocator, out);
  if (result != VK_SUCCESS)
    return result;
  pthread_mutex_lock(&layer_lock);
  struct object *o = layer_remember(OBJECT_TEMPLATE, HANDLE(*out));
  if (o &&
      array_room(&o->data, &o->data_room, info->descriptorUpdateEntryCount, sizeof *info->pDescriptorUpdateEntries)) {
    o->data_count = info->descriptorUpdateEntryCount;
    memcpy(o->data, info->pDescriptorUpdateEntries, o->data_count * sizeof *info->pDescriptorUpdateEntries);
  }
  pthread_mutex_unlock(&layer_lock);
  return result;
}

static VKAPI_ATTR void VKAPI_CALL layer_UpdateDescriptorSetWithTemplate(VkDevice device, VkDescriptorSet handle,
                                                                        VkDescriptorUpdateTemplate how,
                                                                        const void *data) {
  pthread_mutex_lock(&layer_lock);
  struct object *set = layer_find(OBJECT_SET, HANDLE(handle));
  const struct object *o = layer_find(OBJECT_TEMPLATE, HANDLE(how));
  const VkDescriptorUpdateTemplateEntry *entries = o ? o->data : NULL;
  for (size_t i = 0; set && entries && i < o->data_count; i++)
    for (uint32_t k = 0; k < entries[i].descriptorCount; k++)
      write_descriptor(set, entries[i].dstBinding, entries[i].dstArrayElement + k, entries[i].descriptorType,
                       (const char *)data + entries[i].offset + k * entries[i].stride);
  pthread_mutex_unlock(&layer_lock);
  layer_device.next.UpdateDescriptorSetWithTemplate(device, handle, how, data);
}

/* Layouts keep the samplers that belong to them: as descriptors, which new sets begin with. */
static void remember_layout(VkDescriptorSetLayout layout, const VkDescriptorSetLayoutCreateInfo *info) {
  struct object *o = layer_remember(OBJECT_SET_LAYOUT, HANDLE(layout));
  for (uint32_t i = 0; o && i < info->bindingCount; i++) {
    const VkDescriptorSetLayoutBinding *b = &info->pBindings[i];
    const bool samples = b->descriptorType == VK_DESCRIPTOR_TYPE_SAMPLER ||
                         b->descriptorType == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
    for (uint32_t k = 0; samples && b->pImmutableSamplers && k < b->descriptorCount; k++) {
      struct frame_descriptor *d = descriptor_at(o, b->binding, k);
      if (d)
        d->type = b->descriptorType, d->sampler = layer_id(OBJECT_SAMPLER, HANDLE(b->pImmutableSamplers[k]));
    }
  }
}

static VKAPI_ATTR VkResult VKAPI_CALL layer_CreateDescriptorSetLayout(VkDevice device,
                                                                      const VkDescriptorSetLayoutCreateInfo *info,
                                                                      const VkAllocationCallbacks *allocator,
                                                                      VkDescriptorSetLayout *out) {
  const VkResult result = layer_device.next.CreateDescriptorSetLayout(device, info, allocator, out);
  if (result != VK_SUCCESS)
    return result;
  pthread_mutex_lock(&layer_lock);
  remember_layout(*out, info);
  pthread_mutex_unlock(&layer_lock);
  return result;
}

static void remember_set(VkDescriptorSet set, VkDescriptorPool pool, VkDescriptorSetLayout layout) {
  const struct object *l = layer_find(OBJECT_SET_LAYOUT, HANDLE(layout));
  struct object *o = layer_remember(OBJECT_SET, HANDLE(set));
  if (!o)
    return;
  o->owner = HANDLE(pool);
  if (l && l->data_count > 0 && array_room(&o->data, &o->data_room, l->data_count, sizeof(struct frame_descriptor))) {
    memcpy(o->data, l->data, l->data_count * sizeof(struct frame_descriptor));
    o->data_count = l->data_count;
  }
}

static VKAPI_ATTR VkResult VKAPI_CALL layer_AllocateDescriptorSets(VkDevice device,
                                                                   const VkDescriptorSetAllocateInfo *info,
                                                                   VkDescriptorSet *out) {
  const VkResult result = layer_device.next.AllocateDescriptorSets(device, info, out);
  pthread_mutex_lock(&layer_lock);
  for (uint32_t i = 0; result == VK_SUCCESS && i < info->descriptorSetCount; i++)
    remember_set(out[i], info->descriptorPool, info->pSetLayouts[i]);
  pthread_mutex_unlock(&layer_lock);
  return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL layer_FreeDescriptorSets(VkDevice device, VkDescriptorPool pool, uint32_t count,
                                                               const VkDescriptorSet *sets) {
  pthread_mutex_lock(&layer_lock);
  for (uint32_t i = 0; i < count; i++)
    layer_forget(OBJECT_SET, HANDLE(sets[i]));
  pthread_mutex_unlock(&layer_lock);
  return layer_device.next.FreeDescriptorSets(device, pool, count, sets);
}

static bool is_not_of_pool(struct object *o, void *pool) {
  return o->type != OBJECT_SET || o->owner != *(const uint64_t *)pool;
}

static void forget_sets(VkDescriptorPool pool) {
  uint64_t handle = HANDLE(pool);
  pthread_mutex_lock(&layer_lock);
  layer_visit(is_not_of_pool, &handle);
  pthread_mutex_unlock(&layer_lock);
}

static VKAPI_ATTR VkResult VKAPI_CALL layer_ResetDescriptorPool(VkDevice device, VkDescriptorPool pool,
                                                                VkDescriptorPoolResetFlags flags) {
  forget_sets(pool);
  return layer_device.next.ResetDescriptorPool(device, pool, flags);
}

static VKAPI_ATTR void VKAPI_CALL layer_DestroyDescriptorPool(VkDevice device, VkDescriptorPool pool,
                                                              const VkAllocationCallbacks *allocator) {
  forget_sets(pool);
  layer_device.next.DestroyDescriptorPool(device, pool, allocator);
}

DESTROY_HOOK(DescriptorSetLayout, OBJECT_SET_LAYOUT)
DESTROY_HOOK(DescriptorUpdateTemplate, OBJECT_TEMPLATE)

const struct layer_hook descriptor_hooks[] = {HOOK(UpdateDescriptorSets),
                                              HOOK(CreateDescriptorUpdateTemplate),
                                              HOOK(UpdateDescriptorSetWithTemplate),
                                              HOOK(DestroyDescriptorUpdateTemplate),
                                              HOOK(CreateDescriptorSetLayout),
                                              HOOK(DestroyDescriptorSetLayout),
                                              HOOK(AllocateDescriptorSets),
                                              HOOK(FreeDescriptorSets),
                                              HOOK(ResetDescriptorPool),
                                              HOOK(DestroyDescriptorPool),
                                              {NULL, NULL}};

/* The Vulkan layer of `reassemble trace --graphics`: the entry points that the loader calls, and the table of hooks.
 * Calls that the layer has no hook for go to the next layer unseen. */
#include <stdlib.h>
#include <string.h>
#include <vulkan/vk_layer.h>

#include "graphics/layer/hidden_features.h"
#include "graphics/layer/objects.h"

struct layer_device layer_device;

static struct {
  VkInstance handle;
  PFN_vkGetInstanceProcAddr get;
  PFN_vkDestroyInstance destroy;
  PFN_vkGetPhysicalDeviceMemoryProperties memory_properties;
} instance;

static PFN_vkVoidFunction hook_of(const char *name);
VK_LAYER_EXPORT PFN_vkVoidFunction VKAPI_CALL reassemble_get_device(VkDevice device, const char *name);
VK_LAYER_EXPORT PFN_vkVoidFunction VKAPI_CALL reassemble_get_instance(VkInstance from, const char *name);
VK_LAYER_EXPORT VkResult VKAPI_CALL vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface *version);

static VkLayerInstanceCreateInfo *instance_link(const VkInstanceCreateInfo *info) {
  VkLayerInstanceCreateInfo *link = (VkLayerInstanceCreateInfo *)info->pNext;
  while (link &&
         !(link->sType == VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO && link->function == VK_LAYER_LINK_INFO))
    link = (VkLayerInstanceCreateInfo *)link->pNext;
  return link;
}

/* The next layer's functions are looked up here: a look-up later would come back to this layer. */
static VKAPI_ATTR VkResult VKAPI_CALL layer_CreateInstance(const VkInstanceCreateInfo *info,
                                                           const VkAllocationCallbacks *allocator, VkInstance *out) {
  VkLayerInstanceCreateInfo *link = instance_link(info);
  if (!link)
    return VK_ERROR_INITIALIZATION_FAILED;
  const PFN_vkGetInstanceProcAddr get = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
  link->u.pLayerInfo = link->u.pLayerInfo->pNext;
  const PFN_vkCreateInstance create = (PFN_vkCreateInstance)get(NULL, "vkCreateInstance");
  const VkResult result = create(info, allocator, out);
  if (result != VK_SUCCESS)
    return result;
  instance.handle = *out;
  instance.get = get;
  instance.destroy = (PFN_vkDestroyInstance)get(*out, "vkDestroyInstance");
  instance.memory_properties =
      (PFN_vkGetPhysicalDeviceMemoryProperties)get(*out, "vkGetPhysicalDeviceMemoryProperties");
  hidden_features_begin(*out, get);
  return result;
}

static VKAPI_ATTR void VKAPI_CALL layer_DestroyInstance(VkInstance handle, const VkAllocationCallbacks *allocator) {
  if (instance.destroy)
    instance.destroy(handle, allocator);
}

static VkLayerDeviceCreateInfo *device_link(const VkDeviceCreateInfo *info) {
  VkLayerDeviceCreateInfo *link = (VkLayerDeviceCreateInfo *)info->pNext;
  while (link && !(link->sType == VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO && link->function == VK_LAYER_LINK_INFO))
    link = (VkLayerDeviceCreateInfo *)link->pNext;
  return link;
}

/* The first type of memory that is visible to the processor without flushes. */
static uint32_t mapped_memory_type(VkPhysicalDevice physical) {
  const VkMemoryPropertyFlags wanted = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  VkPhysicalDeviceMemoryProperties properties;
  instance.memory_properties(physical, &properties);
  for (uint32_t i = 0; i < properties.memoryTypeCount; i++)
    if ((properties.memoryTypes[i].propertyFlags & wanted) == wanted)
      return i;
  return 0;
}

static void find_next_functions(VkDevice device, PFN_vkGetDeviceProcAddr get) {
#define X(name) layer_device.next.name = (PFN_vk##name)get(device, "vk" #name);
  NEXT_FUNCTIONS(X)
#undef X
}

static VKAPI_ATTR VkResult VKAPI_CALL layer_CreateDevice(VkPhysicalDevice physical, const VkDeviceCreateInfo *info,
                                                         const VkAllocationCallbacks *allocator, VkDevice *out) {
  VkLayerDeviceCreateInfo *link = device_link(info);
  if (!link)
    return VK_ERROR_INITIALIZATION_FAILED;
  const PFN_vkGetInstanceProcAddr get_instance = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
  const PFN_vkGetDeviceProcAddr get_device = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
  link->u.pLayerInfo = link->u.pLayerInfo->pNext;
  const PFN_vkCreateDevice create = (PFN_vkCreateDevice)get_instance(instance.handle, "vkCreateDevice");
  const VkResult result = create(physical, info, allocator, out);
  if (result != VK_SUCCESS)
    return result;
  pthread_mutex_lock(&layer_lock);
  layer_device = (struct layer_device){.handle = *out, .memory_type = mapped_memory_type(physical)};
  find_next_functions(*out, get_device);
  pthread_mutex_unlock(&layer_lock);
  return result;
}

static VKAPI_ATTR void VKAPI_CALL layer_DestroyDevice(VkDevice device, const VkAllocationCallbacks *allocator) {
  layer_device.next.DestroyDevice(device, allocator);
}

static VKAPI_ATTR void VKAPI_CALL layer_GetDeviceQueue(VkDevice device, uint32_t family, uint32_t index,
                                                       VkQueue *queue) {
  layer_device.next.GetDeviceQueue(device, family, index, queue);
  layer_device.queue = *queue;
  layer_device.queue_family = family;
}

static const struct layer_hook own_hooks[] = {HOOK(CreateInstance), HOOK(DestroyInstance), HOOK(CreateDevice),
                                              HOOK(DestroyDevice),  HOOK(GetDeviceQueue),  {NULL, NULL}};

static const struct layer_hook get_hooks[] = {{"vkGetInstanceProcAddr", (PFN_vkVoidFunction)reassemble_get_instance},
                                              {"vkGetDeviceProcAddr", (PFN_vkVoidFunction)reassemble_get_device},
                                              {NULL, NULL}};

static const struct layer_hook *const tables[] = {
    own_hooks,  get_hooks,   hiding_hooks, buffer_hooks,   image_hooks,    pipeline_hooks, descriptor_hooks,
    pass_hooks, state_hooks, draw_hooks,   transfer_hooks, left_out_hooks, submit_hooks};

/* Functions that became part of Vulkan keep their old names with KHR. */
static bool same_name(const char *hook, const char *name) {
  const size_t length = strlen(hook);
  return strncmp(hook, name, length) == 0 && (name[length] == '\0' || strcmp(name + length, "KHR") == 0);
}

static PFN_vkVoidFunction hook_of(const char *name) {
  for (size_t t = 0; t < sizeof tables / sizeof tables[0]; t++)
    for (const struct layer_hook *h = tables[t]; h->name; h++)
      if (same_name(h->name, name))
        return h->function;
  return NULL;
}

/* A function that the device does not have stays absent. */
PFN_vkVoidFunction VKAPI_CALL reassemble_get_device(VkDevice device, const char *name) {
  const PFN_vkVoidFunction hook = hook_of(name);
  const PFN_vkVoidFunction next =
      layer_device.next.GetDeviceProcAddr ? layer_device.next.GetDeviceProcAddr(device, name) : NULL;
  return hook && next ? hook : next;
}

PFN_vkVoidFunction VKAPI_CALL reassemble_get_instance(VkInstance from, const char *name) {
  const PFN_vkVoidFunction hook = hook_of(name);
  if (hook)
    return hook;
  return instance.get && from ? instance.get(from, name) : NULL;
}

VkResult VKAPI_CALL vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface *version) {
  if (version->loaderLayerInterfaceVersion > 2)
    version->loaderLayerInterfaceVersion = 2;
  version->pfnGetInstanceProcAddr = reassemble_get_instance;
  version->pfnGetDeviceProcAddr = reassemble_get_device;
  version->pfnGetPhysicalDeviceProcAddr = NULL;
  return VK_SUCCESS;
}

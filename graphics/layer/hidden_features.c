#include "graphics/layer/hidden_features.h"

#include <stdlib.h>
#include <string.h>

static const char *const hidden[] = {VK_EXT_EXTENDED_DYNAMIC_STATE_EXTENSION_NAME,
                                     VK_EXT_EXTENDED_DYNAMIC_STATE_2_EXTENSION_NAME,
                                     "VK_EXT_extended_dynamic_state3",
                                     VK_EXT_VERTEX_INPUT_DYNAMIC_STATE_EXTENSION_NAME,
                                     VK_EXT_GRAPHICS_PIPELINE_LIBRARY_EXTENSION_NAME,
                                     VK_EXT_MULTI_DRAW_EXTENSION_NAME,
                                     VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME,
                                     "VK_EXT_descriptor_buffer",
                                     "VK_EXT_shader_object",
                                     "VK_EXT_host_image_copy",
                                     VK_EXT_COLOR_WRITE_ENABLE_EXTENSION_NAME,
                                     VK_EXT_DEPTH_CLIP_CONTROL_EXTENSION_NAME,
                                     VK_KHR_COPY_COMMANDS_2_EXTENSION_NAME};

static PFN_vkEnumerateDeviceExtensionProperties next_extensions;
static PFN_vkGetPhysicalDeviceFeatures2 next_features;
static PFN_vkGetPhysicalDeviceFeatures next_plain_features;
static PFN_vkGetPhysicalDeviceProperties next_properties;
static PFN_vkGetPhysicalDeviceProperties2 next_properties2;

void hidden_features_begin(VkInstance instance, PFN_vkGetInstanceProcAddr get) {
  next_extensions = (PFN_vkEnumerateDeviceExtensionProperties)get(instance, "vkEnumerateDeviceExtensionProperties");
  next_features = (PFN_vkGetPhysicalDeviceFeatures2)get(instance, "vkGetPhysicalDeviceFeatures2");
  next_plain_features = (PFN_vkGetPhysicalDeviceFeatures)get(instance, "vkGetPhysicalDeviceFeatures");
  next_properties = (PFN_vkGetPhysicalDeviceProperties)get(instance, "vkGetPhysicalDeviceProperties");
  next_properties2 = (PFN_vkGetPhysicalDeviceProperties2)get(instance, "vkGetPhysicalDeviceProperties2");
}

static bool is_hidden(const char *extension) {
  for (size_t i = 0; i < sizeof hidden / sizeof hidden[0]; i++)
    if (strcmp(extension, hidden[i]) == 0)
      return true;
  return false;
}

static uint32_t keep_visible(VkExtensionProperties *list, uint32_t count) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < count; i++)
    if (!is_hidden(list[i].extensionName))
      list[kept++] = list[i];
  return kept;
}

static VKAPI_ATTR VkResult VKAPI_CALL layer_EnumerateDeviceExtensionProperties(VkPhysicalDevice device,
                                                                               const char *layer, uint32_t *count,
                                                                               VkExtensionProperties *out) {
  uint32_t all = 0;
  if (layer || next_extensions(device, NULL, &all, NULL) != VK_SUCCESS)
    return next_extensions(device, layer, count, out);
  VkExtensionProperties *list = calloc(all + 1, sizeof *list);
  if (!list || next_extensions(device, NULL, &all, list) != VK_SUCCESS) {
    free(list);
    return VK_ERROR_OUT_OF_HOST_MEMORY;
  }
  const uint32_t visible = keep_visible(list, all), taken = out && *count < visible ? *count : visible;
  if (out)
    memcpy(out, list, taken * sizeof *list);
  free(list);
  *count = taken;
  return taken < visible ? VK_INCOMPLETE : VK_SUCCESS;
}

/* Vulkan 1.3 has the commands of some hidden extensions without asking; 1.2 does not. */
static void lower_version(VkPhysicalDeviceProperties *p) {
  if (p->apiVersion > VK_API_VERSION_1_2)
    p->apiVersion = VK_MAKE_API_VERSION(0, 1, 2, VK_API_VERSION_PATCH(p->apiVersion));
}

static VKAPI_ATTR void VKAPI_CALL layer_GetPhysicalDeviceProperties(VkPhysicalDevice device,
                                                                    VkPhysicalDeviceProperties *out) {
  next_properties(device, out);
  lower_version(out);
}

static VKAPI_ATTR void VKAPI_CALL layer_GetPhysicalDeviceProperties2(VkPhysicalDevice device,
                                                                     VkPhysicalDeviceProperties2 *out) {
  next_properties2(device, out);
  lower_version(&out->properties);
}

bool hidden_features_show_halves(void) {
  const char *mediump = getenv("REASSEMBLE_FRAME_MEDIUMP");
  return mediump && strcmp(mediump, "half") == 0;
}

/* Numbers of 16 bits become numbers of 32: their operations are then the same on every device. Floats of 16 bits stay
 * where they are asked for. */
static VKAPI_ATTR void VKAPI_CALL layer_GetPhysicalDeviceFeatures2(VkPhysicalDevice device,
                                                                   VkPhysicalDeviceFeatures2 *out) {
  next_features(device, out);
  out->features.shaderInt16 = VK_FALSE;
  if (hidden_features_show_halves())
    return;
  for (VkBaseOutStructure *s = out->pNext; s; s = s->pNext)
    if (s->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES)
      ((VkPhysicalDeviceVulkan12Features *)s)->shaderFloat16 = VK_FALSE;
    else if (s->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT16_INT8_FEATURES)
      ((VkPhysicalDeviceShaderFloat16Int8Features *)s)->shaderFloat16 = VK_FALSE;
}

static VKAPI_ATTR void VKAPI_CALL layer_GetPhysicalDeviceFeatures(VkPhysicalDevice device,
                                                                  VkPhysicalDeviceFeatures *out) {
  next_plain_features(device, out);
  out->shaderInt16 = VK_FALSE;
}

const struct layer_hook hiding_hooks[] = {HOOK(GetPhysicalDeviceFeatures),   HOOK(EnumerateDeviceExtensionProperties),
                                          HOOK(GetPhysicalDeviceProperties), HOOK(GetPhysicalDeviceProperties2),
                                          HOOK(GetPhysicalDeviceFeatures2),  {NULL, NULL}};

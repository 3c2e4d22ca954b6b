/* Hides extensions and features of the device, so that programs use the small set of commands that a frame capture
 * holds. GL on Vulkan (zink) then makes whole pipelines and plain descriptor sets; its pictures stay the same. */
#ifndef GRAPHICS_LAYER_HIDDEN_FEATURES_H
#define GRAPHICS_LAYER_HIDDEN_FEATURES_H

#include <stdbool.h>

#include "graphics/layer/vulkan_device.h"

extern const struct layer_hook hiding_hooks[];

/* Looks up the next layer's functions; before any of the hooks is called. */
void hidden_features_begin(VkInstance instance, PFN_vkGetInstanceProcAddr get);

/* Returns whether floats of 16 bits are shown: REASSEMBLE_FRAME_MEDIUMP is "half". */
bool hidden_features_show_halves(void);

#endif

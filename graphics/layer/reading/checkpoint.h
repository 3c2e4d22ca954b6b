/* A place of a command buffer at which the device waits until the processor has read what was copied there, so that the
 * next copies may go into the same buffers.
 *
 * Ownership: checkpoint_end destroys the events. Errors: false means that the device has no memory.
 * Threads: the device's queue has a thread of its own, which waits; the caller holds the layer's lock. */
#ifndef GRAPHICS_LAYER_CHECKPOINT_H
#define GRAPHICS_LAYER_CHECKPOINT_H

#include "graphics/layer/vulkan_device.h"

struct checkpoint {
  VkEvent reached, passed;
};

bool checkpoint_begin(struct checkpoint *c);
void checkpoint_end(struct checkpoint *c);
/* Records the commands that wait. They must lie outside of a pass. */
void checkpoint_put(VkCommandBuffer commands, const struct checkpoint *c);
/* Makes the device wait here when the commands are executed next. None of them may be executing. */
void checkpoint_close(const struct checkpoint *c);
/* Lets the device pass, now or when it gets here. */
void checkpoint_open(const struct checkpoint *c);
/* Returns when the device has got here. */
void checkpoint_wait(const struct checkpoint *c);

#endif

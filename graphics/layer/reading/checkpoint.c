#include "graphics/layer/reading/checkpoint.h"

#include <time.h>

#define POLL_NS 20000

bool checkpoint_begin(struct checkpoint *c) {
  const VkEventCreateInfo info = {.sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
  *c = (struct checkpoint){VK_NULL_HANDLE, VK_NULL_HANDLE};
  return layer_device.next.CreateEvent(layer_device.handle, &info, NULL, &c->reached) == VK_SUCCESS &&
         layer_device.next.CreateEvent(layer_device.handle, &info, NULL, &c->passed) == VK_SUCCESS;
}

void checkpoint_end(struct checkpoint *c) {
  if (c->reached)
    layer_device.next.DestroyEvent(layer_device.handle, c->reached, NULL);
  if (c->passed)
    layer_device.next.DestroyEvent(layer_device.handle, c->passed, NULL);
  *c = (struct checkpoint){VK_NULL_HANDLE, VK_NULL_HANDLE};
}

void checkpoint_put(VkCommandBuffer commands, const struct checkpoint *c) {
  layer_device.next.CmdSetEvent(commands, c->reached, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT);
  layer_device.next.CmdWaitEvents(commands, 1, &c->passed, VK_PIPELINE_STAGE_HOST_BIT,
                                  VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, NULL, 0, NULL, 0, NULL);
}

void checkpoint_close(const struct checkpoint *c) {
  layer_device.next.ResetEvent(layer_device.handle, c->reached);
  layer_device.next.ResetEvent(layer_device.handle, c->passed);
}

void checkpoint_open(const struct checkpoint *c) {
  layer_device.next.SetEvent(layer_device.handle, c->passed);
}

void checkpoint_wait(const struct checkpoint *c) {
  static const struct timespec pause = {.tv_nsec = POLL_NS};
  while (layer_device.next.GetEventStatus(layer_device.handle, c->reached) == VK_EVENT_RESET)
    nanosleep(&pause, NULL);
}

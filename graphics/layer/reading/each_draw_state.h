/* The readings of a command buffer: which there are, and where the device waits for them. Private to each_draw.c, which
 * records them, and each_draw_write.c, which takes what was read. */
#ifndef GRAPHICS_LAYER_EACH_DRAW_STATE_H
#define GRAPHICS_LAYER_EACH_DRAW_STATE_H

#include "graphics/layer/reading/checkpoint.h"
#include "graphics/layer/reading/copy_buffer.h"
#include "graphics/layer/reading/each_draw.h"
#include "graphics/layer/reading/samples.h"

#define NO_READING SIZE_MAX

/* A target that is read, and what was read of it last. All readings of a target in a command buffer share a copy. */
struct slot {
  struct frame_target_bytes target;
  uint64_t bytes;
  struct copy_buffer copy;
  struct samples places; /* of a target with several samples */
  char *former;          /* what the file has of the target */
  bool has_former;
};

/* A record at one place of the commands: a target's texels, or the number of samples that passed. */
struct reading {
  bool is_samples;
  size_t slot; /* of a target */
  size_t stop; /* NO_READING: there is none, and it is not taken */
  VkQueryPool query;
};

/* A place where the device waits for its readings to be taken. */
struct stop {
  struct checkpoint checkpoint;
  size_t last; /* reading; NO_READING: texels of a decoded image are taken here */
};

/* The present pass of a command buffer, and its readings. */
struct each_draw {
  bool wanted, in_pass;
  struct frame_begin_pass pass;
  VkRenderingInfo rendering;
  VkRenderingAttachmentInfo colors[FRAME_MAX_COLORS], depth, stencil;
  VkRenderPassBeginInfo begin; /* renderPass VK_NULL_HANDLE: dynamic rendering */
  VkRenderPassAttachmentBeginInfo attachments;
  VkImageView views[2 * FRAME_MAX_COLORS + 2];
  struct copy_buffer passed; /* gets the number of samples that passed */
  struct slot *slots;
  struct reading *list;
  struct stop *stops;
  size_t slot_count, slot_room, count, room, stop_count, stop_room;
  size_t taken; /* stops, of the present submit */
};

/* Returns the state of a command buffer; NULL: its draws are not read. */
struct each_draw *each_draw_state(VkCommandBuffer commands);

#endif

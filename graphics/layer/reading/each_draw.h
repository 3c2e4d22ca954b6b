/* The targets of each draw, read when the draw has been executed. An execution of the capture is compared with them
 * draw by draw (REASSEMBLE_FRAME_EACH_DRAW=1).
 *
 * A pass is ended behind each of its draws, its targets are copied into buffers, and the pass begins again with
 * what it had drawn. The number of samples that passed the tests is an occlusion query around the draw. Draws of
 * secondary command buffers are not read.
 * Cost: the bytes of all targets a draw; at most EACH_DRAW_MOST_BYTES for the command buffers that are alive.
 * Threads: the caller holds the layer's lock. */
#ifndef GRAPHICS_LAYER_EACH_DRAW_H
#define GRAPHICS_LAYER_EACH_DRAW_H

#include <stdio.h>

#include "graphics/layer/objects.h"

#define EACH_DRAW_MOST_BYTES (UINT64_C(6) << 30)

/* Returns whether draws are to be read. */
bool each_draw_is_on(void);
/* Begins a command buffer: what was read for its former commands is given back. */
void each_draw_begin(VkCommandBuffer commands, bool wanted);
/* Gives back what was read for the commands of a buffer. */
void each_draw_end(VkCommandBuffer commands);

/* A pass that `record` describes has begun; `info` or `render_pass` says how it begins again. */
void each_draw_rendering(VkCommandBuffer commands, const struct frame_begin_pass *record, const VkRenderingInfo *info);
void each_draw_render_pass(VkCommandBuffer commands, const struct frame_begin_pass *record,
                           const VkRenderPassBeginInfo *info, VkRenderPass again);
void each_draw_end_pass(VkCommandBuffer commands);
/* Make the render pass with which a pass begins again; VK_NULL_HANDLE: draws are not read. */
VkRenderPass each_draw_again(VkDevice device, const VkRenderPassCreateInfo *info);
VkRenderPass each_draw_again2(VkDevice device, const VkRenderPassCreateInfo2 *info);

/* Called before and after a draw. */
void each_draw_before(VkCommandBuffer commands);
void each_draw_after(VkCommandBuffer commands);
/* Reads the targets, outside of a draw. */
void each_draw_read(VkCommandBuffer commands);

/* Writes the records of a command buffer whose commands have been executed, with the contents that were read. */
void each_draw_write(VkCommandBuffer commands, FILE *file);

#endif

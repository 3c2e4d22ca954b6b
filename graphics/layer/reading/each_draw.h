/* The targets of each draw, read when the draw has been executed. An execution of the capture is compared with them
 * draw by draw (REASSEMBLE_FRAME_EACH_DRAW=1).
 *
 * A pass is ended behind each of its draws, its targets are copied into buffers, and the pass begins again with
 * what it had drawn. The number of samples that passed the tests is an occlusion query around the draw. The device then
 * waits until the submitting thread has taken the bytes, so that all draws of a command buffer share the buffers. Draws
 * of secondary command buffers are not read.
 * Cost: memory for two copies of the targets of a command buffer; time for a copy of all targets a draw. A file gets
 * at most EACH_DRAW_MOST_BYTES of texels; targets of later draws are left out.
 * Threads: the caller holds the layer's lock. */
#ifndef GRAPHICS_LAYER_EACH_DRAW_H
#define GRAPHICS_LAYER_EACH_DRAW_H

#include <stdio.h>

#include "graphics/layer/objects.h"

#define EACH_DRAW_MOST_BYTES (UINT64_C(3) << 29) /* of the 2 GiB that a file may have */

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

/* Records a stop of the device, outside of a pass, at which the texels of a decoded image are read. Returns true also
 * where draws are not read. false: there is no stop, as memory ran out or the command buffer is a secondary one. */
bool each_draw_stop(VkCommandBuffer commands);

/* A file begins. */
void each_draw_begin_file(void);
/* A command buffer is submitted next; `written`: each_draw_write follows, and none of its commands is executing. */
void each_draw_prepare(VkCommandBuffer commands, bool written);
/* Writes the records of a command buffer that has been submitted, with the contents that are read while the device
 * executes its commands. */
void each_draw_write(VkCommandBuffer commands, FILE *file);
/* Lets the device go on without it. */
void each_draw_pass(VkCommandBuffer commands);

#endif

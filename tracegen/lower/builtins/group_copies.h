/* Copies that a work-group makes together: async_work_group_copy, async_work_group_strided_copy and
 * wait_group_events. Private to tracegen/lower/builtins.
 *
 * All work-items of a group must make the same such calls, in the same order, with the same arguments. In front of
 * each call a marker (GROUP_CALL) tells the emulator the arguments; the emulator compares the calls of each
 * work-item between two barriers with those of the first. Cost: one call for each copy of each work-item; nothing
 * for other kernels.
 * Source: OpenCL C 1.2, section 6.12.10. */
#ifndef TRACEGEN_GROUP_COPIES_H
#define TRACEGEN_GROUP_COPIES_H

#include "tracegen/lower/ir/lowering.h"

/* Puts the markers into the kernel, before anything is linked. */
void group_copies_mark(struct lowering *l);

#endif

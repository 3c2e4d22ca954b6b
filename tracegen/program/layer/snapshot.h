/* The snapshot of a captured launch: its program and the contents of its buffers before and after it, written to the
 * capture's folder. A step that fails has said why (launch_skip). Threads: one launch at a time. Private to the
 * layer. */
#ifndef TRACEGEN_PROGRAM_LAYER_SNAPSHOT_H
#define TRACEGEN_PROGRAM_LAYER_SNAPSHOT_H

#include "tracegen/program/layer/describe.h"

/* Reads $REASSEMBLE_CAPTURE_BYTES and _AFTER. */
void snapshot_settings(void);
/* Waits until there is room for the launch's buffers. Returns false when there will be none. */
bool snapshot_has_room(struct captured_launch *c);
/* Makes a queue of the layer's own to read with, and sets c->context. */
bool snapshot_open(struct captured_launch *c);
bool snapshot_save_inputs(struct captured_launch *c);
/* Returns false also where the results are not wanted. */
bool snapshot_save_outputs(struct captured_launch *c);

#endif

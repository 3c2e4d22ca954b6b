/* What a captured launch reads and leaves: its program and buffers, written to the capture's folder. A step that fails
 * has said why (capture_skip). Threads: one launch at a time. Private to the layer. */
#ifndef LAYER_SNAPSHOT_H
#define LAYER_SNAPSHOT_H

#include "tracegen/program/layer/describe.h"

/* Reads $REASSEMBLE_CAPTURE_BYTES and _AFTER. */
void reading_settings(void);
/* Waits until there is room for the launch's buffers; false: there will be none. */
bool reading_has_room(struct capture *c);
/* A queue of its own to read with; c->context is then known. */
bool reading_open(struct capture *c);
bool reading_saves_inputs(struct capture *c);
/* False, too, where nobody wants to compare. */
bool reading_saves_outputs(struct capture *c);

#endif

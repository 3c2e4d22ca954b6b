/* The snapshot of a captured launch: its program and the contents of its buffers before and after it, written to the
 * capture's folder. A step that fails has said why (launch_skip). Threads: one launch at a time. Private to the
 * layer. */
#ifndef TRACEGEN_PROGRAM_LAUNCH_SNAPSHOT_H
#define TRACEGEN_PROGRAM_LAUNCH_SNAPSHOT_H

#include "tracegen/program/launch/describe.h"

/* Reads $REASSEMBLE_CAPTURE_BYTES and _AFTER. */
void snapshot_settings(void);
/* Waits until there is room for the launch's buffers. Returns false when there will be none. */
bool snapshot_has_room(struct captured_launch *c);
/* Sets c->context. */
bool snapshot_open(struct captured_launch *c);
/* Notes what the program has written so far. Called before the launch waits for the commands before it, so that the
 * snapshot has all that is noted; without this call, as for deferred launches, later launches read all buffers again.
 */
void snapshot_note_writes(struct captured_launch *c);
bool snapshot_save_inputs(struct captured_launch *c);
/* Saves the buffers for which `wanted_roots` is set, by their places among the launch's, as snapshot_save_inputs
 * does. */
bool snapshot_save_some(struct captured_launch *c, const bool *wanted_roots);
/* Called for every captured launch that has ended. Returns false where it did not succeed, or its results are not
 * wanted. */
bool snapshot_save_outputs(struct captured_launch *c, bool succeeded);

#endif

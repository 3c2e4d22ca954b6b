/* Finds out whether a launch has the trace of one that was captured before (repeated_launch.c). Threads: one launch at
 * a time, as launch_lock orders them. Private to the layer. */
#ifndef TRACEGEN_PROGRAM_LAUNCH_REPEATED_LAUNCH_H
#define TRACEGEN_PROGRAM_LAUNCH_REPEATED_LAUNCH_H

#include "tracegen/program/launch/describe.h"

/* Keeps the arguments of a launch that is captured. Called when the contents of its buffers are saved, before it runs.
 * Where memory runs out nothing is kept. */
void repeated_launch_keep(const struct captured_launch *c);
/* Called when everything before the launch has ended. Waits until the reader has emulated the launch that may be
 * repeated. Where one is, c->traced becomes its number. Where one like it has been emulated, c->stored becomes what the
 * kernel may write. */
bool repeated_launch_find(struct captured_launch *c);
/* Returns whether the kernel may write buffer number `root` of the launch. */
bool repeated_launch_may_store(const struct captured_launch *c, size_t root);
/* The contents of the buffers that a repeated launch may have written are not known any more. */
void repeated_launch_ended(struct captured_launch *c, bool succeeded);

#endif

/* The messages to the emulator (channel.h). Threads: both functions may be called by several at once; messages of one
 * thread arrive in its order. */
#ifndef TRACEGEN_BIFROST_SHIM_EMULATOR_H
#define TRACEGEN_BIFROST_SHIM_EMULATOR_H

#include <stdbool.h>

struct drm_panfrost_submit;

/* Has the job chain run. Returns whether it has, completely. */
bool emulator_submit(const struct drm_panfrost_submit *submit);
/* Tells the emulator about a launch that the program has asked for. */
void emulator_tell_launch(const char *text);

#endif

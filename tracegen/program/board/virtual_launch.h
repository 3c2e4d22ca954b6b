/* The durations of launches on the described GPU.
 *
 * A launch of which nothing is known is captured; the reader emulates and replays it, and its answer (answers.h) is
 * waited for. The next launch with the same key takes the same time: program, options, kernel, range, values, and sizes
 * of buffers. The contents of buffers may matter as well. So the 2nd, 4th, 8th ... launch of a key is captured again if
 * its buffers have been written to; where its trace is another one than that of the first, contents matter, and every
 * launch of the key is captured.
 *
 * A launch that has no prediction is refused with CL_OUT_OF_RESOURCES, and so is every later one with its key: a
 * program that chooses by time must not take it for a fast one. Private to the board. */
#ifndef TRACEGEN_PROGRAM_VIRTUAL_LAUNCH_H
#define TRACEGEN_PROGRAM_VIRTUAL_LAUNCH_H

#include "tracegen/program/board/virtual_settings.h"
#include "tracegen/program/launch/launch.h"

bool virtual_launch_open(const char *folder, const struct virtual_settings *settings);
/* Waits for the reader's answer. Returns the nanoseconds that the captured launch takes, at least 1; 0 where it cannot
 * be predicted, which the reader reports. */
int64_t virtual_launch_ns(uint64_t launch);

#endif

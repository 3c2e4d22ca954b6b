/* Speed-ups of other GPUs over one GPU, beside measured ones: how well a design is predicted that the model was not
 * tuned to. A point of the reference is a GPU file. Prints text or JSON (schema reassemble.speedups/1).
 *
 * A speed-up is a kernel's cycles (or time) on the base GPU over those on the other; of all kernels the arithmetic
 * mean, as the thesis has it, and the geometric mean.
 *
 * Cost:    a replay per kernel and GPU.
 * Threads: one. */
#ifndef CLI_SPEEDUPS_H
#define CLI_SPEEDUPS_H

#include "cli/replay/replay.h"

int speedups_compare(const char *gpu, const char *reference, const char *workloads, const struct options *options,
                     struct error *error);

#endif

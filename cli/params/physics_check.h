/* params --check: micro-kernels replayed on GPUs, beside the public figures of these GPUs.
 *
 * Prints a table, or JSON (schema reassemble.physics/1), of every micro-kernel on every GPU: what the model gives, the
 * public figure, their ratio, and a verdict: `ok` within 25 %, `known` when a reason is listed, `off` otherwise.
 * Errors:  ERROR_WORK when a figure is off, after everything has been printed.
 * Cost:    each workload is emulated once; two replays for each micro-kernel and GPU.
 * Threads: replays run side by side, on options->jobs threads. */
#ifndef CLI_PHYSICS_CHECK_H
#define CLI_PHYSICS_CHECK_H

#include "cli/core/options.h"

/* `gpus` are names or files; none: all shipped GPUs. `pattern` is part of the names of the micro-kernels that are
 * wanted; NULL: all. */
int physics_check(const struct option_list *gpus, const char *pattern, const struct options *options,
                  struct error *error);

#endif

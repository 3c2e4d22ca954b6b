/* reassemble trace --frontend bifrost -- APP: runs a program for 64-bit Arm on an emulated Bifrost GPU and writes a
 * trace of each job (docs/bifrost.md). */
#ifndef CLI_TRACE_BIFROST_H
#define CLI_TRACE_BIFROST_H

#include <stdbool.h>

#include "base/error.h"
#include "cli/core/options.h"
#include "tracegen/front/front_end.h"

/* Refuses options that only this front end reads, and --out-of-bounds read-zero with it. */
int trace_bifrost_check(const struct front_end *front_end, const char *gpu_id, bool records, bool reads_zero,
                        struct error *error);
/* options->arguments is the program and its arguments. `records`: a recording of each submission is kept as well. */
int trace_bifrost_run(const char *folder, const char *gpu_id, bool records, const struct options *options,
                      struct error *error);

#endif

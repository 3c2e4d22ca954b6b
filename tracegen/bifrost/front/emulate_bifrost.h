/* emulate_workload (process/emulation.h) on an emulated Bifrost GPU: the host program runs the workload's launches on
 * the open driver, each compute job is executed and traced, and the workload's checks run as with the default front
 * end. */
#ifndef TRACEGEN_BIFROST_FRONT_EMULATE_BIFROST_H
#define TRACEGEN_BIFROST_FRONT_EMULATE_BIFROST_H

#include <stdbool.h>

#include "tracegen/process/emulation.h"

int emulate_bifrost(const struct workload *workload, const struct emulate_options *options, bool want_buffers,
                    struct emulate_result *out, struct error *error);

#endif

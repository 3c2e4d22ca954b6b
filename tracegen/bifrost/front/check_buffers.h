/* The workload's checks, on buffers that an emulated GPU has left. */
#ifndef TRACEGEN_BIFROST_FRONT_CHECK_BUFFERS_H
#define TRACEGEN_BIFROST_FRONT_CHECK_BUFFERS_H

#include "tracegen/process/emulation.h"

/* Runs the checks of the workload, by the default front end, on result->buffers. Sets result->checks_passed. */
int bifrost_check_buffers(const struct workload *workload, const struct emulate_options *options,
                          struct emulate_result *result, struct error *error);

#endif

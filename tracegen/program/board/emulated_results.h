/* Results by the emulator: what it has left in the memory of a launch goes to the device's buffers and images. Private to the
 * board. */
#ifndef TRACEGEN_PROGRAM_EMULATED_RESULTS_H
#define TRACEGEN_PROGRAM_EMULATED_RESULTS_H

#include "tracegen/program/layer/launch.h"

void emulated_results_open(const char *folder);
/* Waits until the bytes are there. The launch has been answered, and nothing else uses its memory. Returns OpenCL's code: CL_OUT_OF_RESOURCES
 * where there is no result. */
cl_int emulated_results_put(cl_command_queue queue, cl_kernel kernel, uint64_t launch);

#endif

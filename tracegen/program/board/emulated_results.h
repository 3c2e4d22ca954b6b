/* Copies the results of emulated launches into the buffers and images of the device. Private to the board. */
#ifndef TRACEGEN_PROGRAM_EMULATED_RESULTS_H
#define TRACEGEN_PROGRAM_EMULATED_RESULTS_H

#include "tracegen/program/launch/launch.h"

void emulated_results_open(const char *folder);
/* Copies the buffers and images that the launch has written, and waits for the end of the copies. The emulator must
 * have finished the launch, and no other command may use its memory. Returns OpenCL's code: CL_OUT_OF_RESOURCES where
 * there is no result. */
cl_int emulated_results_put(cl_command_queue queue, cl_kernel kernel, uint64_t launch);

#endif

/* The contents that the emulator left in the buffers and images of a launch, when it computes in place of the device: a
 * file of the capture's folder for each, which the reader writes and the layer takes.
 *
 * Ownership: launch_result_take returns memory of the caller's, and removes the file. Errors: false, NULL. Threads:
 * those that use different launches. */
#ifndef TRACEGEN_PROGRAM_LAUNCH_RESULT_H
#define TRACEGEN_PROGRAM_LAUNCH_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

bool launch_result_write(const char *folder, uint64_t launch, uint64_t memory, const void *from, size_t bytes);
/* NULL where there is no result of this size. */
void *launch_result_take(const char *folder, uint64_t launch, uint64_t memory, size_t bytes);

#endif

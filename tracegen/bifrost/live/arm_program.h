/* Says whether a file is a program that the open driver's processor runs: an ELF file for 64-bit Arm.
 *
 * Errors: ERROR_INPUT says what the file is and what was expected. A processor of that kind runs scripts as well, so
 * that only programs for other processors are refused there. Cost: the first 20 bytes are read. Threads: any. */
#ifndef TRACEGEN_BIFROST_LIVE_ARM_PROGRAM_H
#define TRACEGEN_BIFROST_LIVE_ARM_PROGRAM_H

#include <stdbool.h>

#include "base/error.h"

/* `is_emulated`: the processor of this machine is another, and qemu runs the file that the path names. */
int bifrost_check_program(const char *path, bool is_emulated, struct error *error);
/* Returns whether this machine has another processor. */
bool bifrost_processor_is_emulated(void);

#endif

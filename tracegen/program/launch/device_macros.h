/* The macros by which a source asks for the extensions, features and version of its device (cl_khr_fp16,
 * __opencl_c_images, __OPENCL_VERSION__; OpenCL C 3.0, sections 6.2 and 6.10). */
#ifndef TRACEGEN_PROGRAM_LAUNCH_DEVICE_MACROS_H
#define TRACEGEN_PROGRAM_LAUNCH_DEVICE_MACROS_H

#include "tracegen/program/launch/launch.h"

/* Returns lines that give a source in the emulator the macros that it has on the program's device, followed by
 * "#line 1", so that it takes the same branches. The emulator's compiler defines those of everything that it knows. The
 * caller frees the text. NULL: out of memory, or OpenCL does not tell its device. */
char *device_macros(cl_program program);

#endif

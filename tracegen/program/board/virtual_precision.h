/* Double precision on a GPU that has none (double_precision of the GPU file): as on a board, programs that use the type
 * `double` do not build (CL_BUILD_PROGRAM_FAILURE), the macro cl_khr_fp64 is not defined, and constants without a
 * suffix are floats. Ownership: texts that are returned are the caller's. Threads: any, once opened. Private to the
 * board. */
#ifndef TRACEGEN_PROGRAM_VIRTUAL_PRECISION_H
#define TRACEGEN_PROGRAM_VIRTUAL_PRECISION_H

#include "tracegen/program/board/virtual_settings.h"
#include "tracegen/program/launch/launch.h"

/* Returns the options of a build, with what the GPU's precision adds; NULL: as they are. */
char *virtual_precision_options(const char *options);
void virtual_wrap_precision(cl_icd_dispatch *table, const struct virtual_settings *settings);

#endif

/* Names of traces of kernel files. */
#ifndef CLI_LAUNCH_NAME_H
#define CLI_LAUNCH_NAME_H

#include "workload/workload.h"

/* Returns "matrix.multiply.512x512.8x8" for the workload's only launch: another kernel of the file, or another launch
 * of the kernel, has another name. The caller frees it; NULL: out of memory. */
char *launch_name(const struct workload *workload);

#endif

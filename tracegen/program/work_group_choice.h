/* The size of the work-groups of a launch for which the program leaves it to OpenCL. */
#ifndef TRACEGEN_PROGRAM_WORK_GROUP_CHOICE_H
#define TRACEGEN_PROGRAM_WORK_GROUP_CHOICE_H

#include <stddef.h>

/* Chooses the size that the kernel requires (required[0] is 0 where it requires none); else at most 64 work-items, as
 * many along the first dimensions as divide the range. */
void work_group_choose(const size_t required[3], const size_t global[3], size_t local[3]);

#endif

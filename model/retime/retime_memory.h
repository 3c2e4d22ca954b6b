/* Recordings, and timings of them, that were not made for want of memory. Callers then replay exactly, which takes
 * longer and is no error, but users should know why.
 *
 * A function that may do without calls retime_memory_begin, and retime_memory_end when it knows what it found. Both use
 * errno, which allocations set to ENOMEM when they fail and nothing resets. Threads: any. */
#ifndef MODEL_RETIME_MEMORY_H
#define MODEL_RETIME_MEMORY_H

#include <stdbool.h>

void retime_memory_begin(void);
/* Counts a recording or a timing that was not `found` if an allocation of this thread has failed since. */
void retime_memory_end(bool found);
/* Returns whether this process has counted any. */
bool retime_memory_lacked(void);

#endif

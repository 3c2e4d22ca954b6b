/* Copies that a work-group makes together (async_work_group_copy and its kin, OpenCL 1.2, 6.12.10): all work-items must
 * start the same ones, in the same order, with the same arguments, and wait for them. Private to tracegen.
 *
 * In front of each such call stands, from before optimisation on, one that tells the emulator the arguments; it reads
 * and writes no memory that the kernel knows. The first work-item's calls between two barriers are kept, those of the
 * others compared with them. Cost: a call for each copy of each work-item; nothing for other kernels. */
#ifndef TRACEGEN_GROUP_COPIES_H
#define TRACEGEN_GROUP_COPIES_H

#include "tracegen/abi/group_call.h"
#include "tracegen/lower/instrument/instrument.h"

/* Before anything is linked. */
void group_copies_mark(struct lowering *l);
bool group_copy_is_call(LLVMValueRef function); /* one that tells */
/* At the builder's place, in front of such a call. */
void group_copy_lower(struct instrumenter *n, LLVMValueRef call);

#endif

/* Memory operations of checked work-groups, which generated code hands over because their bounds checks fail on purpose
 * (group/shadow.h). Private to run. */
#ifndef TRACEGEN_RUN_SHADOW_ACCESSES_H
#define TRACEGEN_RUN_SHADOW_ACCESSES_H

#include "tracegen/run/group/group_run.h"

/* A memory operation that is in bounds: a load of undefined bytes ends the run, a store makes its bytes defined. */
void shadow_access(struct item_context *item, uint32_t index, uint64_t address);
/* The same for a SIMD group whose work-items access memory `step` bytes apart, the first at `address`. Returns false
 * when they have to be looked at one by one. */
bool shadow_lanes_are_defined(struct item_context *lanes, const struct kernel_access *access, uint64_t address,
                              int64_t step);
/* A load that gave zeros in place of memory: what it loaded is defined, also where it is stored. */
void shadow_copy_is_defined(struct item_context *item, uint32_t index);

#endif

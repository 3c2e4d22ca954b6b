/* Numbers and addresses that generated code hands to the emulator are checked before they index anything: the code was
 * made from a kernel that may have been written to mislead. Each function ends the run, with the kernel's name and the
 * work-item, when the number is out of range. Private to run. Cost: a comparison. Threads: any. */
#ifndef TRACEGEN_RUN_DIAGNOSE_GENERATED_NUMBERS_H
#define TRACEGEN_RUN_DIAGNOSE_GENERATED_NUMBERS_H

#include <stdint.h>

#include "tracegen/abi/kernel_abi.h"

/* Returns `index`, which is less than `count`. `table`: what it indexes, for the message. */
uint64_t generated_index(const struct item_context *item, uint64_t index, uint64_t count, const char *table);
/* The memory operation of this number. */
const struct kernel_access *generated_access(const struct item_context *item, uint64_t index);
/* Returns the distance in bytes of `address` from `start`; `bytes` from there on lie in the `size` bytes at `start`. */
uint64_t generated_distance(const struct item_context *item, uint64_t address, uint64_t bytes, const void *start,
                            uint64_t size);

#endif

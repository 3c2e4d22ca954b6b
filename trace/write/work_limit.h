/* Limits the work of a launch while it is emulated, with or without a trace (--max-instructions). */
#ifndef TRACE_WORK_LIMIT_H
#define TRACE_WORK_LIMIT_H

#include <stdint.h>

#include "base/error.h"

/* Returns an ERROR_WORK if there are more than `most` work-item instructions; 0: unlimited. */
int work_limit_check(uint64_t instructions, uint64_t most, struct error *error);

#endif

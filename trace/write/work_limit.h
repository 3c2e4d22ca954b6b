/* Limits the work of a launch while it is emulated, with or without a trace (--max-instructions). */
#ifndef TRACE_WORK_LIMIT_H
#define TRACE_WORK_LIMIT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/* Returns an ERROR_WORK if there are more than `most` work-item instructions; 0: unlimited. */
int work_limit_check(uint64_t instructions, uint64_t most, struct error *error);
/* Returns whether the error is that of work_limit_check, also where another process reported it. */
bool work_limit_was_reached(const struct error *error);

#endif

/* The limit of a launch's work while it is emulated, with a trace or without (--max-instructions). */
#ifndef TRACE_WORK_LIMIT_H
#define TRACE_WORK_LIMIT_H

#include <stdint.h>

#include "base/error.h"

/* Refuses more than `most` work-item instructions as ERROR_WORK; 0: no limit. */
int work_limit_check(uint64_t instructions, uint64_t most, struct error *error);

#endif

/* First available: takes the warp that has been ready for longest, as in the thesis (Kaszyk, section 5.3.1). */
#include "model/policy/scheduler.h"

#include <stddef.h>

const struct scheduler_ops scheduler_first_available = {.prefers = NULL};

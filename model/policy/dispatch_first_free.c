/* All cores share one queue: the next work-group goes to the core where room frees up first. */
#include "model/policy/dispatch.h"

#include <stddef.h>

const struct dispatch_order_ops dispatch_first_free = {.own = NULL};

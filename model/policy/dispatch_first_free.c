/* First free: all cores share one queue, and the next work-group goes to the core where room becomes free first. */
#include "model/policy/dispatch.h"

#include <stddef.h>

const struct dispatch_order_ops dispatch_first_free = {.own = NULL};

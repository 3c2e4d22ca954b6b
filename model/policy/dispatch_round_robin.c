/* Round robin: work-group i runs on core i modulo the number of cores. */
#include "model/policy/dispatch.h"

#include <stddef.h>

static struct dispatch_range dealt_out(uint32_t core, uint32_t cores, uint32_t groups) {
  return (struct dispatch_range){core < groups ? core : groups, groups, cores, NULL};
}

const struct dispatch_order_ops dispatch_round_robin = {.own = dealt_out};

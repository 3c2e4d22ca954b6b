/* Names and definitions that a kernel's source must not have. Private to tracegen/lower. */
#ifndef TRACEGEN_RESERVED_NAMES_H
#define TRACEGEN_RESERVED_NAMES_H

#include "tracegen/lower/ir/lowering.h"

/* An error where the module, as read, has reserved names, assembly outside of functions, or variables of more than
 * 4 GiB. */
int reserved_names_refuse(struct lowering *l);

#endif

#include "model/retime/retime_memory.h"

#include <errno.h>
#include <stdatomic.h>

static atomic_bool lacked;

void retime_memory_begin(void) {
  errno = 0;
}

void retime_memory_end(bool found) {
  if (!found && errno == ENOMEM)
    atomic_store(&lacked, true);
}

bool retime_memory_lacked(void) {
  return atomic_load(&lacked);
}

#include "trace/write/work_limit.h"

#include <inttypes.h>

int work_limit_check(uint64_t instructions, uint64_t most, struct error *error) {
  return most && instructions > most ? error_set(error, ERROR_WORK,
                                                 "the launch executes more than %" PRIu64
                                                 " work-item instructions; a higher --max-instructions allows more",
                                                 most)
                                     : 0;
}

#include "trace/write/work_limit.h"

#include <inttypes.h>
#include <string.h>

#define ADVICE " work-item instructions; a higher --max-instructions allows more"

int work_limit_check(uint64_t instructions, uint64_t most, struct error *error) {
  return most && instructions > most
             ? error_set(error, ERROR_WORK, "the launch executes more than %" PRIu64 ADVICE, most)
             : 0;
}

bool work_limit_was_reached(const struct error *error) {
  return error->kind == ERROR_WORK && strstr(error->text, ADVICE);
}

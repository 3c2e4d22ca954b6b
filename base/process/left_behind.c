#include "base/process/left_behind.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

bool left_behind(const char *name, const char *stem, char last) {
  const size_t length = strlen(stem);
  char *end;
  if (strncmp(name, stem, length) != 0)
    return false;
  const long process = strtol(name + length, &end, 10);
  return process > 0 && *end == last && kill((pid_t)process, 0) != 0 && errno == ESRCH;
}

#include "cli/core/command.h"

int command_without_graphics(const struct options *options, struct error *error) {
  (void)options;
  return error_set(error, ERROR_WORK,
                   "this program was built without graphics (Debian: apt-get install libvulkan-dev spirv-headers "
                   "libpng-dev)");
}

#include "tracegen/program/work_group_choice.h"

#define WANTED_ITEMS                                                                                                   \
  64 /* of a work-group that the program leaves to OpenCL: assumed, one NVIDIA or two Bifrost warps and more */

void work_group_choose(const size_t required[3], const size_t global[3], size_t local[3]) {
  size_t room = WANTED_ITEMS;
  for (unsigned d = 0; d < 3; d++) {
    size_t size = required[0] ? required[d] : room;
    while (!required[0] && global[d] % size)
      size--;
    local[d] = size;
    room /= size < room ? size : room;
  }
}

#include "base/array.h"

#include <stdlib.h>
#include <string.h>

size_t array_capacity(size_t capacity, size_t need) {
  size_t more = capacity > 0 ? capacity : 16;
  while (more < need)
    more *= 2;
  return more;
}

/* Any object pointer type: no aliasing through void **. */
static bool resize(void *array, size_t bytes) {
  void *memory;
  memcpy(&memory, array, sizeof memory);
  memory = realloc(memory, bytes);
  if (memory)
    memcpy(array, &memory, sizeof memory);
  return memory;
}

bool array_room(void *array, size_t *capacity, size_t need, size_t size) {
  if (need <= *capacity)
    return true;
  const size_t more = array_capacity(*capacity, need);
  if (!resize(array, more * size))
    return false;
  *capacity = more;
  return true;
}

bool array_room_for_one(void *array, size_t count, size_t size) {
  const bool full = (count & (count - 1)) == 0;
  return !full || resize(array, (count ? 2 * count : 1) * size);
}

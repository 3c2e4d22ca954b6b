#include "base/array.h"

#include <stdlib.h>
#include <string.h>

size_t array_capacity(size_t capacity, size_t need) {
  size_t more = capacity > 0 ? capacity : 16;
  while (more < need)
    more *= 2;
  return more;
}

/* Resizes the array that `array` points to. The pointer is copied by memcpy because it may be of any object pointer
 * type. */
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
  if (need > SIZE_MAX / 2 / size)
    return false;
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

bool array_room_u32(void *array, uint32_t *capacity, uint64_t need, size_t size) {
  size_t room = *capacity;
  if (need > UINT32_MAX / 2 || !array_room(array, &room, need, size))
    return false;
  *capacity = (uint32_t)room;
  return true;
}

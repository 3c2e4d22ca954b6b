#include "base/array.h"

#include <stdlib.h>
#include <string.h>

size_t array_capacity(size_t capacity, size_t need) {
  size_t more = capacity > 0 ? capacity : 16;
  while (more < need)
    more *= 2;
  return more;
}

bool array_room(void *array, size_t *capacity, size_t need, size_t size) {
  if (need <= *capacity)
    return true;
  const size_t more = array_capacity(*capacity, need);
  void *memory;
  memcpy(&memory, array, sizeof memory); /* any object pointer type: no aliasing through void ** */
  memory = realloc(memory, more * size);
  if (memory == NULL)
    return false;
  memcpy(array, &memory, sizeof memory);
  *capacity = more;
  return true;
}

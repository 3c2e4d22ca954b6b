/* Arrays that grow by doubling. */
#ifndef BASE_ARRAY_H
#define BASE_ARRAY_H

#include <stdbool.h>
#include <stddef.h>

/* The capacity, twice it, and so on: the first of at least `need`; 16 is the least. */
size_t array_capacity(size_t capacity, size_t need);
/* Room for `need` elements of `size` bytes in the array that `*(T **)array` points to (NULL with capacity 0 at first).
 * False when out of memory: the array is then as it was. The caller frees it. */
bool array_room(void *array, size_t *capacity, size_t need, size_t size);
/* Room for one more element in an array of `count`, which began as NULL and grew by this function alone: its capacity,
 * the least power of two that is not below `count`, need not be stored. Otherwise as array_room. */
bool array_room_for_one(void *array, size_t count, size_t size);

#endif

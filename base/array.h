/* Arrays that grow by doubling.
 *
 * Ownership: the caller frees the array. Errors: false means that memory ran out, and the array is unchanged. */
#ifndef BASE_ARRAY_H
#define BASE_ARRAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns the first of `capacity`, twice `capacity`, four times it and so on that is at least `need`. An empty array
 * (capacity 0) begins with 16. */
size_t array_capacity(size_t capacity, size_t need);
/* Makes room for `need` elements of `size` bytes in the array that `*(T **)array` points to. An array that has no
 * elements yet is NULL and has capacity 0. */
bool array_room(void *array, size_t *capacity, size_t need, size_t size);
/* Makes room for one more element in an array of `count` elements that began as NULL and has grown by this function
 * alone. The capacity is the least power of two that is at least `count`, so callers need not store it. */
bool array_room_for_one(void *array, size_t count, size_t size);
/* Makes room for elements like array_room, with a capacity of 32 bits. Returns false also where more than 2^32 - 1
 * elements are needed. */
bool array_room_u32(void *array, uint32_t *capacity, uint64_t need, size_t size);

#endif

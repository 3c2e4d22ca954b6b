/* Large arrays that need not lie in memory. As long as all together take no more than a window they are plain memory;
 * beyond it they lie in a file without a name, mapped, which the system writes out and fetches back. Who walks through
 * much of them says so, and what has not been used for a while leaves the process's memory.
 *
 * Nothing spills before spill_into, and nothing does where files of this size cannot be had (no such folder, a full
 * disk, a limit on the size of files): arrays are then plain memory. Pages of the file are reserved when they are
 * taken, so that a full disk is noticed there, and given back when they are freed.
 * Threads: any, at the same time. After a fork the child begins a file of its own. */
#ifndef BASE_SPILL_H
#define BASE_SPILL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#define SPILL_WINDOW                                                                                                   \
  ((size_t)64 << 20)                   /* bytes of large arrays that stay plain; and of the others, in memory at once */
#define SPILL_LEAST ((size_t)64 << 10) /* smaller arrays are always plain */

/* From now on there is a file, in this folder, when one is needed; the first call of a process counts. Keeps no
 * pointer. */
void spill_into(const char *directory);

/* As realloc, of what spill_resize gave; `before`: bytes that were asked for then, 0 with NULL. Never smaller. NULL: no
 * memory, and the array is as it was. */
void *spill_resize(void *memory, size_t before, size_t bytes);
/* As array_room (base/array.h). */
bool spill_room(void *array, size_t *capacity, size_t need, size_t size);
/* In the file, whatever lies in memory. NULL: not there. */
void *spill_take(size_t bytes);
void spill_free(void *memory, size_t bytes);

/* Pages of the file at an address of the caller's, readable and writable, instead of what is mapped there; whole pages.
 * False: there are none, and nothing changed. May be called by a handler of a page fault, if what faulted was none of
 * these functions. */
bool spill_map(void *at, size_t bytes);
/* All that spill_map put there: nothing is accessible there any more. */
void spill_unmap(void *from, size_t bytes);

/* As memcpy. */
void spill_copy(void *to, const void *from, size_t bytes);

/* Loops over large arrays count so many rounds at once. */
enum { SPILL_ROUNDS = 65536 };

extern atomic_bool spill_begun; /* there is a file */
void spill_note(size_t bytes);
/* About this many bytes of large arrays were read or written since the last call. */
static inline void spill_touched(size_t bytes) {
  if (atomic_load_explicit(&spill_begun, memory_order_relaxed))
    spill_note(bytes);
}

/* Bytes in the file. For tests. */
size_t spill_bytes(void);

#endif

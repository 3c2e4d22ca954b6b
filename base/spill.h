/* Large arrays that need not lie in memory.
 *
 * Purpose: as long as all large arrays together take no more than SPILL_WINDOW bytes they are plain memory. Beyond
 *          that they lie in a mapped file without a name, which the system writes out and reads back. Loops over
 *          large arrays report how much they have read or written (spill_touched), so that pages which were not used
 *          for a while can leave the process's memory.
 * Errors:  nothing spills before spill_into is called, nor where no file of this size can be had (no such folder, a
 *          full disk, a limit on the size of files): arrays are then plain memory. Pages of the file are reserved
 *          when they are taken, so a full disk is noticed there, and given back when they are freed.
 * Threads: any, at the same time. After a fork the child begins a file of its own. */
#ifndef BASE_SPILL_H
#define BASE_SPILL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#define SPILL_WINDOW                                                                                                   \
  ((size_t)64 << 20)                   /* bytes of large arrays that stay plain; and of the others, in memory at once */
#define SPILL_LEAST ((size_t)64 << 10) /* smaller arrays are always plain */

/* Allows the use of a file in this folder. Only the first call of a process counts. The text is copied. */
void spill_into(const char *directory);
/* Opens the file of spill_into's folder now: for processes that will not be able to open files any more. */
void spill_open(void);

/* Does what realloc does for memory that spill_resize returned; an array never becomes smaller. `before` is the
 * number of bytes that it has, 0 for NULL. NULL: memory ran out, and the array is unchanged. */
void *spill_resize(void *memory, size_t before, size_t bytes);
/* Does what array_room does (base/array.h). */
bool spill_room(void *array, size_t *capacity, size_t need, size_t size);
/* Returns memory in the file, even if the window is not full. NULL: there is no file. */
void *spill_take(size_t bytes);
void spill_free(void *memory, size_t bytes);

/* Maps whole pages of the file, readable and writable, at an address of the caller's in place of what is mapped there.
 * False: there are none, and nothing has changed. A handler of a page fault may call this, unless one of these
 * functions faulted. */
bool spill_map(void *at, size_t bytes);
/* Removes all that spill_map has mapped in this range; the range is then not accessible. */
void spill_unmap(void *from, size_t bytes);

/* Does what memcpy does, and reports what it touched. */
void spill_copy(void *to, const void *from, size_t bytes);

/* Loops over large arrays report after this many rounds. */
enum { SPILL_ROUNDS = 65536 };

extern atomic_bool spill_begun; /* there is a file */
void spill_note(size_t bytes);
/* Reports that about this many bytes of large arrays were read or written since the last call. */
static inline void spill_touched(size_t bytes) {
  if (atomic_load_explicit(&spill_begun, memory_order_relaxed))
    spill_note(bytes);
}

/* Returns the number of bytes in the file; for tests. */
size_t spill_bytes(void);

#endif

/* Large arrays that need not lie in memory.
 *
 * Purpose: while all large arrays together take no more than SPILL_WINDOW bytes they are plain memory. Beyond that they
 * lie in a mapped file without a name, which the system writes out and reads back. Loops over large arrays report how
 * much they have read or written (spill_touched), so that pages which were not used for a while can leave the process's
 * memory.
 * Errors: arrays are plain memory before spill_into is called, and where no file of this size can be made (no such
 * folder, a full disk, a limit on the size of files). Pages of the file are reserved when they are taken, so that a
 * full disk is noticed there, and given back when they are freed.
 * Threads: any number at the same time. A child process has a file of its own. */
#ifndef BASE_SPILL_H
#define BASE_SPILL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/* The bytes of large arrays that stay plain memory; also the bytes of the others that are in memory at once. */
#define SPILL_WINDOW ((size_t)64 << 20)
#define SPILL_LEAST  ((size_t)64 << 10) /* smaller arrays are always plain */

/* Allows the use of a file in the folder `directory`. Only the first call of a process counts. The text is copied. */
void spill_into(const char *directory);
/* Opens the file in spill_into's folder now. Processes that will not be able to open files later call it. */
void spill_open(void);

/* Resizes memory that spill_resize returned, like realloc; an array never becomes smaller. `before` is its present
 * number of bytes, 0 for NULL. Returns NULL when memory ran out; the array is then unchanged. */
void *spill_resize(void *memory, size_t before, size_t bytes);
/* Makes room for elements like array_room (base/array.h), with memory of spill_resize. */
bool spill_room(void *array, size_t *capacity, size_t need, size_t size);
/* Returns memory in the file, even if less than SPILL_WINDOW bytes are taken; NULL if there is no file. */
void *spill_take(size_t bytes);
void spill_free(void *memory, size_t bytes);

/* Maps whole pages of the file, readable and writable, at the address `at` in place of what is mapped there. Returns
 * false if no pages are left; nothing has then changed. A handler of page faults may call this function, unless the
 * fault happened inside a function of this header. */
bool spill_map(void *at, size_t bytes);
/* Removes everything that spill_map has mapped in this range, which is then not accessible. */
void spill_unmap(void *from, size_t bytes);

/* Copies bytes like memcpy, and reports them as touched. */
void spill_copy(void *to, const void *from, size_t bytes);

/* The number of rounds after which a loop over large arrays reports. */
enum { SPILL_ROUNDS = 65536 };

extern atomic_bool spill_begun; /* whether there is a file */
void spill_note(size_t bytes);
/* Reports that about this many bytes of large arrays were read or written since the last call. */
static inline void spill_touched(size_t bytes) {
  if (atomic_load_explicit(&spill_begun, memory_order_relaxed))
    spill_note(bytes);
}

/* Returns the number of bytes in the file; for tests. */
size_t spill_bytes(void);

#endif

/* Memory for the contents of frames: captures, buffers, images, pictures. They are large, and the first touch of a page
 * costs more than what is written to it. So they share huge pages where the system has them, and processes that
 * are forked meanwhile do not inherit them: to write to an inherited page copies it.
 *
 * Ownership: the caller's, until frame_memory_give; up to 64 MiB that were given back are kept for the next frames.
 * Errors: NULL, where memory runs out. Threads: one. Processes: a forked one must not touch this memory. */
#ifndef GRAPHICS_FRAME_MEMORY_H
#define GRAPHICS_FRAME_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* Returns zeros, at a multiple of 16 bytes. */
void *frame_memory_take(size_t bytes);
/* NULL is allowed. */
void frame_memory_give(void *memory);
/* Makes room for `need` elements of `size` bytes in the array that `*(T **)array` points to, as array_room does, in
 * memory of this kind. The former array is given back. */
bool frame_memory_room(void *array, size_t *capacity, size_t need, size_t size);

#endif

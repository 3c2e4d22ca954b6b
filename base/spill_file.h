/* Memory that lies in a file without a name, for data that need not stay in a process while it is not read.
 *
 * Ownership: spill_file_clear closes the file; blocks are unmapped by spill_file_unmap. Errors: NULL where the file
 * cannot grow; the caller then takes ordinary memory. Cost: a released block is read again from the system's cache of
 * files, or from the disk. Threads: other threads may read a block while one releases it. */
#ifndef BASE_SPILL_FILE_H
#define BASE_SPILL_FILE_H

#include <stddef.h>
#include <stdint.h>

struct spill_file {
  int file;       /* descriptor; 0: not opened yet; -1: no file can be made */
  uint64_t bytes; /* bytes of all blocks */
};

/* Returns a block of `bytes` bytes, whole pages of zeroes, in a file in $TMPDIR (/tmp). */
void *spill_file_map(struct spill_file *spill, size_t bytes);
/* Makes the file's only block larger, which may move it. Returns the block, or NULL if it cannot grow; it is then
 * unchanged. */
void *spill_file_grow(struct spill_file *spill, void *block, size_t bytes);
void spill_file_unmap(void *block, size_t bytes);
/* Releases the block's pages from the process's memory. The block keeps its contents. */
void spill_file_let_go(void *block, size_t bytes);
void spill_file_clear(struct spill_file *spill);

#endif

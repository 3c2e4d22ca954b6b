/* Memory that lies in a file without a name: what does not have to stay in a process while it is not read.
 *
 * Ownership: spill_file_clear closes the file; blocks are unmapped by spill_file_unmap. Errors: NULL where the file
 * cannot grow; the caller takes ordinary memory then. Cost: a block that was let go is read again from the system's
 * cache of files, or from the disk. Threads: blocks may be read by any while one lets them go. */
#ifndef BASE_SPILL_FILE_H
#define BASE_SPILL_FILE_H

#include <stddef.h>
#include <stdint.h>

struct spill_file {
  int file;       /* descriptor, 0: none yet, -1: none can be had */
  uint64_t bytes; /* of all blocks */
};

/* Returns a block of so many bytes, whole pages of zeroes in $TMPDIR (/tmp). */
void *spill_file_map(struct spill_file *spill, size_t bytes);
/* Makes the file's only block larger, which may move it. Returns it; NULL: it is as it was. */
void *spill_file_grow(struct spill_file *spill, void *block, size_t bytes);
void spill_file_unmap(void *block, size_t bytes);
/* Takes the block's pages out of the process; what it holds stays. */
void spill_file_let_go(void *block, size_t bytes);
void spill_file_clear(struct spill_file *spill);

#endif

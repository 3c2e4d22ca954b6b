/* Memory for many small objects that are all freed at once. Internal to trace/.
 *
 * Memory beyond POOL_PLAIN_BYTES may lie in a file (base/spill.h). Only the table of a single large work-group grows
 * that large, because tables are emptied before. A pool of a reader has a file of its own instead. A pool starts from
 * zero. Threads: a pool belongs to one thread. */
#ifndef TRACE_POOL_H
#define TRACE_POOL_H

#include <stddef.h>

#include "base/spill_file.h"
#include "trace/format/limits.h"

#define POOL_PLAIN_BYTES (WRITER_TABLE_BYTES / 4 * 5)

struct pool {
  struct pool_chunk *chunks; /* list of chunks, the newest first */
  struct pool_chunk *spare;  /* chunks of an emptied pool, for the next objects */
  size_t left;               /* free bytes of the newest chunk */
  size_t bytes;              /* bytes of all chunks */
  struct spill_file *file;   /* file of the chunks behind the first `plain` bytes; NULL: base/spill.h provides them */
  size_t plain;
};

/* Returns memory that is aligned to 8 bytes; NULL when memory ran out. */
void *pool_take(struct pool *pool, size_t bytes);
/* Gives back the last `bytes` of the latest pool_take. */
void pool_give_back(struct pool *pool, size_t bytes);
/* Releases the pages of chunks that lie in the pool's own file from the process's memory. They keep their contents. */
void pool_let_go(const struct pool *pool);
/* Frees all objects. Keeps large chunks in memory for the next ones, because a first touch of new memory is slow. */
void pool_empty(struct pool *pool);
/* Frees all objects and all memory. Keeps `file` and `plain`. */
void pool_clear(struct pool *pool);

#endif

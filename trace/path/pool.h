/* Memory for many small objects that are all freed at once. Internal to trace/.
 *
 * What a pool takes beyond POOL_PLAIN_BYTES may lie in a file (base/spill.h). Only the table of a single large
 * work-group gets there, because tables are emptied before. A pool of a reader has a file of its own instead. Start
 * from zero. Threads: a pool belongs to one thread. */
#ifndef TRACE_POOL_H
#define TRACE_POOL_H

#include <stddef.h>

#include "base/spill_file.h"
#include "trace/format/limits.h"

#define POOL_PLAIN_BYTES (WRITER_TABLE_BYTES / 4 * 5)

struct pool {
  struct pool_chunk *chunks; /* the newest first */
  size_t left;               /* free bytes of the newest */
  size_t bytes;              /* of all chunks */
  struct spill_file *file;   /* where chunks lie behind the first `plain` bytes; NULL: base/spill.h has them */
  size_t plain;
};

/* Returns memory that is aligned to 8 bytes; NULL when memory ran out. */
void *pool_take(struct pool *pool, size_t bytes);
/* Gives the last `bytes` of what was taken last back. */
void pool_give_back(struct pool *pool, size_t bytes);
/* Takes the pages of chunks that lie in the pool's own file out of the process. */
void pool_let_go(const struct pool *pool);
void pool_clear(struct pool *pool); /* `file` and `plain` stay */

#endif

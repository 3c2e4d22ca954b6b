/* Memory for many small things that are all freed at once. What a pool holds beyond POOL_PLAIN_BYTES spills
 * (base/spill.h): a table is emptied before it gets there, if it is not one work-group's alone. Internal to trace/.
 *
 * Start from zero. Threads: a pool belongs to one thread. */
#ifndef TRACE_POOL_H
#define TRACE_POOL_H

#include <stddef.h>

#include "trace/format/limits.h"

#define POOL_PLAIN_BYTES (WRITER_TABLE_BYTES / 4 * 5)

struct pool {
  struct pool_chunk *chunks; /* the last one first */
  size_t left;               /* bytes of the last one */
  size_t bytes;              /* of all */
};

/* Aligned to 8 bytes; NULL when memory runs out. */
void *pool_take(struct pool *pool, size_t bytes);
/* The end of what was taken last. */
void pool_give_back(struct pool *pool, size_t bytes);
void pool_clear(struct pool *pool);

#endif

/* The writer's table of shapes, in which equal shapes get one id. Internal to trace/. The struct starts from zero. */
#ifndef TRACE_SHAPE_TABLE_H
#define TRACE_SHAPE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash_index.h"
#include "trace/format/bytes.h"
#include "trace/path/pool.h"

struct shape_entry {
  uint32_t id;
  bool met; /* a group of this shape has been written, so that `before` is valid */
  size_t length;
  unsigned char *record; /* points behind `before` */
  uint32_t before[];     /* [streams]: first numbers of the last group of this shape */
};

struct shape_table {
  struct shape_entry **entries; /* [by_hash.count] */
  struct hash_table by_hash;
  struct pool pool; /* memory of the entries */
  size_t memory;
  uint32_t next_id;
  struct bytes fresh; /* records of shapes that no frame holds yet */
  uint32_t fresh_count;
};

/* Returns the entry of the shape with this record, or NULL when memory ran out. A shape that the table does not hold is
 * added. */
struct shape_entry *shape_table_find(struct shape_table *table, const struct bytes *record, size_t streams);
/* Empties a table of more than WRITER_TABLE_BYTES. Ids continue, so that everything written stays correct. */
void shape_table_trim(struct shape_table *table);
void shape_table_clear(struct shape_table *table);

#endif

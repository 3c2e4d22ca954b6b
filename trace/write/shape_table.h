/* The writer's table of shapes: equal ones get one id. Internal to trace/ (writer only). */
#ifndef TRACE_SHAPE_TABLE_H
#define TRACE_SHAPE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/format/bytes.h"
#include "trace/path/pool.h"
#include "trace/path/slots.h"

struct shape_entry {
  uint32_t id;
  bool met; /* `before` is of a group; else of nothing */
  size_t length;
  unsigned char *record; /* behind `before` */
  uint32_t before[];     /* [streams]: first numbers of the last group of this shape */
};

struct shape_table {
  struct slots slots; /* struct shape_entry */
  struct pool pool;   /* where they lie */
  size_t memory;
  uint32_t next_id;
  struct bytes fresh; /* records of shapes that no frame holds yet */
  uint32_t fresh_count;
};

/* The entry of the shape with this record; NULL when memory runs out. */
struct shape_entry *shape_table_find(struct shape_table *table, const struct bytes *record, size_t streams);
/* Forgets all entries of a table that has grown past WRITER_TABLE_BYTES: ids go on, what is written stays right. */
void shape_table_trim(struct shape_table *table);
void shape_table_clear(struct shape_table *table);

#endif

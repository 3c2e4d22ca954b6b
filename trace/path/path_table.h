/* The paths that one recorder has met: equal sequences get one plan. Internal to trace/ (writer only).
 *
 * Memory: path_table_trim empties a table that has grown past WRITER_TABLE_BYTES; numbers go on, only sharing with what
 * came before is lost. */
#ifndef TRACE_PATH_TABLE_H
#define TRACE_PATH_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "trace/path/fold.h"
#include "trace/path/plan.h"
#include "trace/path/pool.h"
#include "trace/path/slots.h"
#include "trace/path/words.h"

#define LAST_PATHS    16
#define RECENT_PATHS  8
#define SHORT_BLOCKS  512        /* sequences that a plan keeps raw: found by hash, compared at once */
#define RECENT_BLOCKS (4u << 20) /* longer sequences are not kept raw at all */

/* A recent long block sequence: comparing is an order of magnitude faster than hashing. */
struct recent_path {
  struct plan *plan;
  uint16_t *blocks;
  size_t count, capacity;
  uint64_t used;
};

struct path_table {
  struct slots slots; /* struct plan, by hash of the raw sequence */
  struct pool pool;   /* where plans and paths lie */
  size_t memory;
  uint32_t next, first;          /* numbers: of the next path, and of the first that is not forgotten */
  struct plan *last[LAST_PATHS]; /* short sequences met last, kept raw, by path_table_place */
  struct recent_path recent[RECENT_PATHS];
  uint64_t clock;
  struct fold fold;
};

/* Whether a plan that keeps its raw sequence is this sequence's. */
static inline bool plan_keeps(const struct plan *plan, const uint16_t *blocks, size_t count) {
  return plan->block_count == count && blocks_equal(plan->blocks, blocks, count);
}

/* Where `last` keeps a sequence: neighbours take turns in paths that differ in length or in the middle. */
static inline struct plan **path_table_place(struct path_table *table, const uint16_t *blocks, size_t count) {
  return &table->last[(count + (count > 0 ? blocks[count / 2] * 5u : 0)) % LAST_PATHS];
}

/* The plan of this sequence if it is one of the last ones; NULL: path_table_find is needed. */
static inline struct plan *path_table_last(struct path_table *table, const uint16_t *blocks, size_t count) {
  struct plan *plan = *path_table_place(table, blocks, count);
  return plan && plan_keeps(plan, blocks, count) ? plan : NULL;
}

/* The plan of this sequence, folded when new. */
struct plan *path_table_find(struct path_table *table, const struct trace_code *code, const uint16_t *blocks,
                             size_t count, struct error *error);
void path_table_trim(struct path_table *table);
void path_table_clear(struct path_table *table);

#endif

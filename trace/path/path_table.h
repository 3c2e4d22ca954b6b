/* The paths that one encoder has found: equal sequences of blocks get one plan. Internal to trace/.
 *
 * Memory: path_table_trim empties a table of more than WRITER_TABLE_BYTES, or a smaller one if its paths are hardly
 * ever met again: keeping them would cost first touches of memory. Numbers continue; only sharing with earlier paths
 * is lost. */
#ifndef TRACE_PATH_TABLE_H
#define TRACE_PATH_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/hash_index.h"
#include "trace/path/fold.h"
#include "trace/path/plan.h"
#include "trace/path/pool.h"
#include "trace/path/words.h"

#define LAST_PATHS    16
#define RECENT_PATHS  8
#define SHORT_BLOCKS  512        /* a plan keeps a sequence of at most this length, for comparison */
#define RECENT_BLOCKS (4u << 20) /* a sequence of more blocks is not kept */

/* A long sequence that was recorded recently. Comparing it is ten times faster than hashing it. */
struct recent_path {
  struct plan *plan;
  uint16_t *blocks;
  size_t count, capacity;
  uint64_t used;
};

struct path_table {
  struct plan **plans;       /* [by_hash.count] */
  struct hash_table by_hash; /* plans, by hash of the sequence */
  struct pool pool;          /* memory of plans and paths */
  size_t memory;
  uint64_t met_again;            /* number of times that a path in the table was found by its hash */
  uint32_t next, first;          /* numbers of the next path and of the first one that is in the table */
  struct plan *last[LAST_PATHS]; /* plans of the short sequences that were recorded last, by path_table_place */
  struct recent_path recent[RECENT_PATHS];
  uint64_t clock;
  struct fold fold;
};

/* Returns whether a plan that keeps its sequence is the plan of this one. */
static inline bool plan_keeps(const struct plan *plan, const uint16_t *blocks, size_t count) {
  return plan->block_count == count && blocks_equal(plan->blocks, blocks, count);
}

/* Returns the entry of a sequence in `last`. Neighbouring work-items alternate between paths that differ in length or
 * in the middle, so these two choose the entry. */
static inline struct plan **path_table_place(struct path_table *table, const uint16_t *blocks, size_t count) {
  return &table->last[(count + (count > 0 ? blocks[count / 2] * 5u : 0)) % LAST_PATHS];
}

/* Returns the plan of this sequence if it is among the last ones, else NULL; the caller then uses path_table_find. */
static inline struct plan *path_table_last(struct path_table *table, const uint16_t *blocks, size_t count) {
  struct plan *plan = *path_table_place(table, blocks, count);
  return plan && plan_keeps(plan, blocks, count) ? plan : NULL;
}

/* Returns the plan of this sequence, or NULL on an error. A new sequence is folded and added. */
struct plan *path_table_find(struct path_table *table, const struct trace_code *code, const uint16_t *blocks,
                             size_t count, struct error *error);
void path_table_trim(struct path_table *table);
void path_table_clear(struct path_table *table);

#endif

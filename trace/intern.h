/* The writer's tables of paths and shapes: equal ones get one id. Internal to trace/.
 *
 * Memory: intern_trim empties a table that has grown past INTERN_BYTES; ids go on, so what is written stays right and
 * only sharing with what came before is lost. */
#ifndef TRACE_INTERN_H
#define TRACE_INTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "trace/bytes.h"
#include "trace/fold.h"
#include "trace/plan.h"
#include "trace/pool.h"
#include "trace/words.h"

#define INTERN_BYTES  (64u << 20)
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

/* Of a hash table with open addressing. */
struct intern_slot {
  uint64_t hash;
  void *entry; /* NULL: empty */
};

struct path_table {
  struct intern_slot *slots; /* struct plan, by hash of the raw sequence */
  size_t slot_count, count, memory;
  uint32_t next_id, first_id;    /* first_id: of those that the table has not forgotten */
  uint64_t forgotten;            /* how many times it forgot all */
  struct plan *last[LAST_PATHS]; /* short sequences met last, kept raw, by path_table_place */
  struct recent_path recent[RECENT_PATHS];
  uint64_t clock;
  struct fold fold;
  struct bytes fresh; /* records of paths that no frame holds yet */
  uint32_t fresh_count;
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
  return plan != NULL && plan_keeps(plan, blocks, count) ? plan : NULL;
}

/* The plan of this sequence, folded and recorded when new. */
struct plan *path_table_find(struct path_table *table, const struct trace_code *code, const uint16_t *blocks,
                             size_t count, struct error *error);
/* The same for a path that another table folded: `steps` (malloc) are taken over; `hash` is that of its plan. */
struct plan *path_table_take(struct path_table *table, const struct trace_code *code, struct trace_step *steps,
                             uint32_t step_count, uint64_t hash, struct error *error);
void path_table_trim(struct path_table *table);
void path_table_clear(struct path_table *table);

struct shape_entry {
  uint32_t id;
  bool met; /* `before` is of a group; else of nothing */
  size_t length;
  unsigned char *record; /* behind `before` */
  uint32_t before[];     /* [streams]: first numbers of the last group of this shape */
};

struct shape_table {
  struct intern_slot *slots; /* struct shape_entry */
  struct pool pool;          /* where they lie */
  size_t slot_count, count, memory;
  uint32_t next_id;
  struct bytes fresh;
  uint32_t fresh_count;
};

/* The entry of the shape with this record; NULL when memory runs out. */
struct shape_entry *shape_table_find(struct shape_table *table, const struct bytes *record, size_t streams);
void shape_table_trim(struct shape_table *table);
void shape_table_clear(struct shape_table *table);

#endif

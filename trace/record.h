/* The work-items of one work-group on their way into a trace: gathered into cohorts, and, when another process does
 * that, carried over as bytes. Internal to trace/.
 *
 * The bytes are those of this machine (words as they lie in memory): they go from a process to the one that started it,
 * and never into a file. */
#ifndef TRACE_RECORD_H
#define TRACE_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "trace/bytes.h"
#include "trace/group.h"
#include "trace/intern.h"
#include "trace/row.h"

struct recorded_item {
  uint32_t local_id;
  const uint16_t *blocks;
  const uint32_t *addresses;
  size_t block_count, address_count;
};

/* Adds one work-item. */
int record_item(struct group *group, struct path_table *paths, const struct trace_code *code, uint32_t group_id,
                const struct recorded_item *item, struct error *error);

static inline void group_put_item(struct group *g, uint32_t local_id, const struct plan *plan) {
  g->cohort_of_item[local_id] = plan->cohort;
  g->ascending &= local_id == g->item_count++;
}

/* The same for what most work-items are: of a short path without loops that a neighbour ran. False: nothing was done,
 * record_item is needed. */
static inline bool record_known_item(struct group *g, struct path_table *paths, const struct recorded_item *item) {
  const uint32_t id = item->local_id;
  if (id >= g->local_size || g->cohort_of_item[id] != NO_COHORT)
    return false;
  const struct plan *plan = path_table_last(paths, item->blocks, item->block_count);
  if (plan == NULL || plan->group_serial != g->serial || plan->address_count != item->address_count ||
      !cohort_add_flat(&g->cohorts[plan->cohort], id, item->addresses))
    return false;
  group_put_item(g, id, plan);
  return true;
}

/* Adds a row of work-items (record_row.c). */
int record_row(struct group *group, struct path_table *paths, const struct trace_code *code, uint32_t group_id,
               const struct trace_row *row, struct error *error);

/* The paths that one process has told of, by their ids there: each goes over once. */
struct path_source {
  struct known_path *paths;
  size_t count, capacity;
  uint32_t first; /* id of paths[0] */
  struct plan **plans;
  size_t plan_capacity;
};

/* Appends the description of a group of `paths`. */
void record_pack(const struct group_description *description, const struct path_table *paths, struct bytes *out);
/* The description again, with plans of `paths`; it points into `data` (aligned as malloc does) and the source. */
int record_unpack(struct path_source *source, struct path_table *paths, const struct trace_code *code, const void *data,
                  size_t length, struct group_description *out, struct error *error);
void path_source_clear(struct path_source *source);

#endif

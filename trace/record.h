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
#include "trace/items.h"
#include "trace/row.h"

static inline void group_put_run(struct group *g, uint32_t first_id, uint32_t count, uint32_t cohort) {
  g->ascending &= first_id == g->item_count;
  g->item_count += count;
  if (g->run_count > 0 && g->runs[g->run_count - 1].cohort == cohort)
    g->runs[g->run_count - 1].count += count;
  else
    g->runs[g->run_count++] = (struct run){cohort, count};
}

/* Adds some work-items. */
int record_items(struct group *group, struct path_table *paths, const struct trace_code *code, uint32_t group_id,
                 const struct trace_items *items, struct error *error);
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

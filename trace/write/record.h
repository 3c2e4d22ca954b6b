/* Records the work-items of one work-group: gathers them into cohorts and, for an encoder, packs the work-group as
 * bytes for the writer. Internal to trace/.
 *
 * These bytes hold words in the byte order and layout of this machine's memory; they are never written to a file. */
#ifndef TRACE_RECORD_H
#define TRACE_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "trace/format/bytes.h"
#include "trace/write/group.h"
#include "trace/write/items.h"
#include "trace/write/affine_items.h"

/* Assigns `count` successive work-items to a cohort. */
static inline void group_put_run(struct group *g, uint32_t first_id, uint32_t count, uint32_t cohort) {
  g->ascending &= first_id == g->item_count;
  g->item_count += count;
  if (g->run_count > 0 && g->runs[g->run_count - 1].cohort == cohort)
    g->runs[g->run_count - 1].count += count;
  else
    g->runs[g->run_count++] = (struct run){cohort, count};
}

/* Adds work-items to the group. */
int record_items(struct group *group, struct path_table *paths, const struct trace_code *code, uint32_t group_id,
                 const struct trace_items *items, struct error *error);
/* Adds affine work-items to the group (record_affine.c). */
int record_affine(struct group *group, struct path_table *paths, const struct trace_code *code, uint32_t group_id,
                  const struct trace_affine_items *items, struct error *error);

/* Appends the description of a group of `paths` to `out`, whose length is a multiple of 8. */
int record_pack(struct group *group, uint32_t group_id, const struct path_table *paths, struct bytes *out,
                struct error *error);
/* Reads a description back; it points into `data`, which is aligned to 8. Adds new paths to the source and writes the
 * numbers of the cohorts' paths to *numbers. */
int record_unpack(const void *data, struct path_source *source, struct group_description *out, const uint32_t **numbers,
                  struct error *error);

#endif

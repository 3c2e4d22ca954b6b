/* Turns a recorded work-group into its shape and numbers. Internal to trace/ (writer only). */
#ifndef TRACE_GROUP_H
#define TRACE_GROUP_H

#include <stdint.h>

#include "base/error.h"
#include "trace/bytes.h"
#include "trace/cohort.h"
#include "trace/intern.h"
#include "trace/trace.h"

#define NO_COHORT UINT32_MAX

struct place {
  uint32_t at[3]; /* local id, x first */
};

/* One work-group while its items come in, and scratch memory that is kept between groups. */
struct group {
  const struct trace_header *header;
  uint32_t local_size;
  struct cohort *cohorts;
  uint32_t cohort_count, cohort_capacity;
  uint32_t *cohort_of_item; /* [local_size], NO_COHORT: not yet recorded */
  uint32_t item_count;
  uint64_t serial;      /* counts work-groups; plans remember the one in which they have a cohort */
  struct place *places; /* [local_size] */
  /* scratch */
  uint32_t *order, *rank;      /* [cohorts] by first item; inverse */
  uint32_t *sorted;            /* recorded numbers of a cohort's items in order of local id: one of the two below */
  uint32_t *numbers, *sorting; /* [local_size] 0, 1, 2, ...; room to sort */
  uint64_t *keys;              /* [local_size] */
  struct column *columns;      /* [local x * local y] */
  uint64_t column_serial;
  uint32_t *bases; /* per stream: AFFINE base */
  uint8_t *kinds;
  size_t stream_capacity;
  uint32_t *gathered;
  size_t gathered_capacity;
  struct bytes record; /* of the shape */
};

int group_init(struct group *group, const struct trace_header *header, struct error *error);
void group_reset(struct group *group);
void group_clear(struct group *group);

/* What the records of work-groups are relative to: those before them in the file. */
struct group_before {
  uint32_t shape;
  uint32_t *last; /* [ops]: first number of the last stream of this operation */
};

/* Appends the group's record to `out`; *before becomes what the next one is relative to. */
int group_encode(struct group *group, uint32_t id, struct shape_table *shapes, struct group_before *before,
                 struct bytes *out, struct error *error);

#endif

/* A recorded work-group, which is turned into its shape and numbers. Internal to trace/. */
#ifndef TRACE_GROUP_H
#define TRACE_GROUP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "trace/format/bytes.h"
#include "trace/write/cohort.h"
#include "trace/path/path_names.h"
#include "trace/path/path_table.h"
#include "trace/write/shape_table.h"
#include "trace/trace.h"

#define NO_COHORT UINT32_MAX

struct place {
  uint32_t at[3]; /* local id, x first */
};

struct run {
  uint32_t cohort, count;
};

/* The last entry of a column during a search for axes: the serial of the search, and the cohort's work-item. */
struct column {
  uint64_t serial;
  uint32_t item;
};

/* One work-group while its work-items are recorded, and scratch memory that is used again for the next one. */
struct group {
  const struct trace_header *header;
  uint32_t local_size;
  struct cohort *cohorts;
  uint32_t cohort_count;
  size_t cohort_capacity;
  uint32_t *cohort_of_item; /* [local_size], NO_COHORT: not recorded yet */
  uint32_t item_count;
  bool ascending;   /* work-items were recorded in the order 0, 1, 2, ... */
  struct run *runs; /* [local_size]: successive work-items of one cohort, in order of recording */
  uint32_t run_count;
  uint64_t serial;      /* number of the work-group; a plan stores that of the last one in which it has a cohort */
  struct place *places; /* [local_size] */
  /* the following members are scratch memory */
  uint32_t *order, *rank;      /* [cohorts]: cohorts in order of their first item; the inverse */
  uint32_t *sorted;            /* recorded numbers of a cohort's items in order of local id: `numbers` or `sorting` */
  uint32_t *numbers, *sorting; /* [local_size]: 0, 1, 2, ...; space for sorting */
  uint64_t *keys;              /* [local_size] */
  struct column *columns;      /* [local x * local y] */
  uint64_t column_serial;
  struct plan **plans; /* [cohorts], set by group_describe */
  struct bytes *to;    /* the streams' numbers are appended here */
  size_t streams_at;   /* offset in `to` of `firsts` and `rest_lengths`; the streams' other numbers follow them */
  uint32_t stream_count;
  uint32_t *firsts;       /* first number of each stream */
  uint32_t *rest_lengths; /* bytes of the other numbers of each stream */
  uint32_t *gathered;
  size_t gathered_capacity;
  struct bytes record; /* record of the shape, without the paths */
};

int group_init(struct group *group, const struct trace_header *header, struct error *error);
void group_reset(struct group *group);
void group_clear(struct group *group);

/* The description of a whole work-group, without the parts that depend on earlier work-groups. */
struct group_description {
  uint32_t cohort_count, stream_count;
  const unsigned char *shape;            /* the shape's record without the cohorts' paths */
  const uint32_t *firsts, *rest_lengths; /* by stream, in the shape's order: first number; bytes of the other numbers */
  const unsigned char *rest;             /* the other numbers of all streams, encoded */
  size_t shape_length, rest_length;
  uint64_t instructions;
};

/* Describes the group when all its work-items are recorded, and writes the plans of the shape's cohorts to
 * group->plans. Appends the streams' numbers to `to`, whose length is a multiple of 8: first numbers, lengths, other
 * numbers. The description is valid until `to` grows. */
int group_describe(struct group *group, uint32_t id, struct bytes *to, struct group_description *out,
                   struct error *error);

/* The earlier work-groups of the file, as far as the record of the next one is relative to them. */
struct group_before {
  uint32_t shape;
  uint32_t *last; /* [ops]: first number of the last stream of this operation */
  struct bytes record;
};

/* Appends the group's record to `out`, relative to *before, and updates *before for the next record. `paths` are those
 * of the shape's cohorts. */
int group_write(const struct group_description *description, const struct path_name *const *paths,
                struct shape_table *shapes, struct group_before *before, struct bytes *out, struct error *error);

#endif

/* Records of paths, shapes and groups out of frames, completely checked. Internal to trace/ (reader only). */
#ifndef TRACE_DECODE_H
#define TRACE_DECODE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "trace/format/bytes.h"
#include "trace/path/pool.h"
#include "trace/read/stream_runs.h"
#include "trace/trace.h"

/* What the reader knows of a shape beyond struct trace_shape. */
struct shape_facts {
  uint64_t value_count;  /* of each group */
  uint64_t instructions; /* of each group */
  /* The last group of this shape: its numbers, where somebody keeps them; else its first ones. */
  const uint32_t *kept_base, *kept_values;
  uint32_t *before; /* [stream_count] */
};

struct tables {
  struct trace *trace; /* its paths and shapes grow */
  uint32_t version;    /* of the format */
  bool kept;           /* whoever reads keeps all groups, and says where: decode_kept */
  uint32_t *last;      /* [ops]: first number of the last stream of this operation */
  struct shape_facts *facts;
  uint32_t path_capacity, shape_capacity;
  struct stream_runs runs;  /* trace->streams */
  struct pool paths;        /* what trace->paths point to */
  int32_t *run;             /* [run_capacity]: of the cohort at hand */
  struct trace_step *steps; /* [step_capacity]: of the path at hand */
  size_t run_capacity, step_capacity;
  uint64_t bytes; /* taken by paths and shapes */
};

/* Numbers of one group; kept for the next. */
struct numbers {
  uint32_t *base;
  uint32_t *values;
  size_t base_capacity, value_capacity;
};

/* Errors have no place; the reader adds file, frame and offset. */
int decode_path(struct tables *tables, struct byte_reader *r, struct error *error);
int decode_shape(struct tables *tables, struct byte_reader *r, struct error *error);
/* group->id is left to the caller. *previous_shape: of the group before, becomes this one's. */
int decode_group(struct tables *tables, struct byte_reader *r, struct numbers *numbers, uint32_t *previous_shape,
                 struct trace_group *group, struct error *error);
/* The numbers of the group decoded last are there from now on, unchanged while groups are decoded. */
void decode_kept(struct tables *tables, const struct trace_group *group);
/* What only decoding needs; the trace's tables stay. */
void tables_release(struct tables *tables);
void tables_clear(struct tables *tables); /* paths and shapes too */

#endif

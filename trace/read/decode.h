/* Decodes the records of paths, shapes and groups out of frames and checks them completely. Internal to trace/. */
#ifndef TRACE_DECODE_H
#define TRACE_DECODE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "trace/format/bytes.h"
#include "trace/path/pool.h"
#include "trace/read/stream_runs.h"
#include "trace/trace.h"

/* What the reader knows of a shape beside struct trace_shape. */
struct shape_facts {
  uint64_t value_count;      /* of each group of this shape */
  uint64_t instructions;     /* of each group of this shape */
  uint64_t block_executions; /* of each group of this shape; below 2^56 */
  /* The numbers of the last group of this shape, if the caller keeps them; else a copy of its first numbers. */
  const uint32_t *kept_base, *kept_values;
  uint32_t *before; /* [stream_count] */
};

struct tables {
  struct trace *trace; /* its paths and shapes grow */
  uint32_t version;    /* of the format */
  bool kept;           /* the caller keeps all groups and says where (decode_kept) */
  uint32_t *last;      /* [ops]: first number of the last stream of this operation */
  struct shape_facts *facts;
  uint32_t path_capacity, shape_capacity;
  struct stream_runs runs;  /* trace->streams */
  struct pool paths;        /* memory of the paths */
  int32_t *run;             /* [run_capacity]: of the present cohort */
  struct trace_step *steps; /* [step_capacity]: of the present path */
  size_t run_capacity, step_capacity;
  uint64_t bytes; /* of paths and shapes */
  struct spill_file file;
};

/* The numbers of one group; the memory is used again for the next one. */
struct numbers {
  uint32_t *base;
  uint32_t *values;
  size_t base_capacity, value_capacity;
};

/* Errors of these functions have no place; the reader adds file, frame and offset. */
int decode_path(struct tables *tables, struct byte_reader *r, struct error *error);
int decode_shape(struct tables *tables, struct byte_reader *r, struct error *error);
/* The caller sets group->id. *previous_shape is the shape of the group before and becomes that of this one. */
int decode_group(struct tables *tables, struct byte_reader *r, struct numbers *numbers, uint32_t *previous_shape,
                 struct trace_group *group, struct error *error);
/* Says where the caller keeps the numbers of the group that was decoded last. They must not change while groups are
 * decoded. */
void decode_kept(struct tables *tables, const struct trace_group *group);
/* Makes paths and streams lie in files where they take more than `memory_bytes`; before the first path. Their pages
 * then leave the process as it grows. */
void tables_spill(struct tables *tables, size_t memory_bytes);
/* Returns whether some lie in files. */
bool tables_are_in_files(const struct tables *tables);
/* Takes their pages out of the process. Threads: any may read them. */
void tables_let_go(const struct tables *tables);
/* Frees what only decoding needs; the trace's tables stay. */
void tables_release(struct tables *tables);
void tables_clear(struct tables *tables); /* paths and shapes too */

#endif

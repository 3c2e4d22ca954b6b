/* Decodes and completely checks the records of paths, shapes and groups in frames. Internal to trace/. */
#ifndef TRACE_DECODE_H
#define TRACE_DECODE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "trace/format/bytes.h"
#include "trace/path/pool.h"
#include "trace/read/stream_runs.h"
#include "trace/trace.h"

/* The reader's data about a shape that struct trace_shape does not hold. They stand before the shape in memory. */
struct shape_facts {
  uint64_t value_count;      /* numbers in each group of this shape */
  uint64_t instructions;     /* of each group of this shape */
  uint64_t block_executions; /* of each group of this shape; below 2^56 */
  /* These are the numbers of the last group of this shape, if the caller keeps them; otherwise NULL, and `before` is
   * used. */
  const uint32_t *kept_base, *kept_values;
  uint32_t *before; /* [stream_count]: copy of the first numbers of the last group, if the caller does not keep them */
};

struct tables {
  struct trace *trace; /* the trace whose paths and shapes grow */
  uint32_t version;    /* version of the file format */
  bool kept;           /* the caller keeps all groups and tells where (decode_kept) */
  uint32_t *last;      /* [ops]: first number of the last stream of this operation */
  uint32_t path_capacity, shape_capacity;
  struct stream_runs runs;   /* trace->streams */
  struct pool paths, shapes; /* memory of the paths; of the shapes with their facts */
  int32_t *run;              /* [run_capacity]: run of the present cohort */
  struct trace_step *steps;  /* [step_capacity]: steps of the present path */
  size_t run_capacity, step_capacity;
  uint64_t bytes; /* bytes of paths and shapes */
  struct spill_file file;
};

/* The numbers of one group. Their memory is used again for the next group. */
struct numbers {
  uint32_t *base;
  uint32_t *values;
  size_t base_capacity, value_capacity;
};

/* The decode functions return 0, or -1 with an error without a place; the reader adds file, frame and offset. */
int decode_path(struct tables *tables, struct byte_reader *r, struct error *error);
int decode_shape(struct tables *tables, struct byte_reader *r, struct error *error);
/* Decodes a group whose group->id the caller has set. *previous_shape is the shape of the previous group, and is set to
 * that of this one. */
int decode_group(struct tables *tables, struct byte_reader *r, struct numbers *numbers, uint32_t *previous_shape,
                 struct trace_group *group, struct error *error);
/* Tells where the caller keeps the numbers of the group that was decoded last. They must not change while groups are
 * decoded. */
void decode_kept(struct tables *tables, const struct trace_group *group);
/* Makes paths, shapes and streams beyond `memory_bytes` lie in files whose pages leave the process as the tables grow.
 * It is called before the first path. */
void tables_spill(struct tables *tables, size_t memory_bytes);
/* Returns whether some paths, shapes or streams lie in files. */
bool tables_are_in_files(const struct tables *tables);
/* Releases the pages of these files from the process's memory. Other threads may read them meanwhile. */
void tables_let_go(const struct tables *tables);
/* Returns the bytes of a shape and its facts. */
size_t shape_memory(uint32_t cohort_count, uint32_t local_size);
/* Returns the facts of shape number `shape`. */
struct shape_facts *shape_facts_of(const struct tables *tables, uint32_t shape);
/* Frees the memory that only decoding needs. The trace's tables stay. */
void tables_release(struct tables *tables);
void tables_clear(struct tables *tables); /* also frees paths and shapes */

#endif

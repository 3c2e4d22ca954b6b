/* A summary of a trace in numbers: instruction mix, memory traffic, footprint, regularity.
 *
 * Units: counts over all work-items of the launch; bytes as the work-items asked for them, without coalescing and
 * caches. The footprint is the number of distinct bytes touched in each buffer, rounded to words of 4 bytes; pages are
 * the distinct ones of 4 KiB touched in the arena of all buffers.
 * Ownership: trace_summary_clear frees. Errors: out of memory only.
 * Cost: paths and shapes once, then every address of irregular streams; of affine streams, loops and dimensions that do
 * not change the address are skipped. */
#ifndef TRACE_SUMMARY_H
#define TRACE_SUMMARY_H

#include <stdint.h>

#include "base/error.h"
#include "trace/trace.h"

struct trace_traffic {
  uint64_t accesses, bytes;
};

#define SUMMARY_PAGE_BYTES 4096

enum trace_direction { DIRECTION_LOAD, DIRECTION_STORE, DIRECTION_ATOMIC, DIRECTION_COUNT };

struct trace_summary {
  uint64_t operations[OP_CLASS_COUNT];
  struct trace_traffic traffic[SPACE_COUNT][DIRECTION_COUNT];
  uint64_t streams[STREAM_RAW + 1]; /* accesses by kind of stream */
  uint64_t *footprint;              /* [header.buffer_count], in bytes */
  uint64_t uniform_groups;          /* work-groups whose work-items all ran one path */
  uint64_t *blocks;                 /* [code.block_count] executions by all work-items */
  uint64_t *edges;           /* [code.successor_count] number of times that the branch to this successor was taken */
  uint64_t *groups_of_shape; /* [shape_count] work-groups of each shape */
  uint64_t pages;
};

int trace_summary_compute(const struct trace *trace, struct trace_summary *out, struct error *error);
void trace_summary_clear(struct trace_summary *summary);

#endif

/* Data races of a launch: accesses of two work-items to the same bytes that are not ordered, at least one of which
 * writes.
 *
 * A barrier orders the accesses of a work-group before it and behind it, whatever memory its flags name; nothing
 * orders two work-groups. sub_group_barrier does so for a sub-group. Two atomic operations do not race. An atomic
 * operation that a kernel uses as a lock is not recognised as one. A trace has no values, so two stores of the same
 * value also race.
 *
 * Shapes: each element of a buffer or of a work-group's local memory is checked until its first race; races of the same
 * two operations in the same buffer are one entry, which counts its elements and holds the first one. An element has
 * the size of the smallest scalar that the kernel accesses in this memory.
 * Ownership: trace_races_clear frees. Errors: out of memory, and more than `memory_bytes`.
 * Cost: every access of every work-item, one by one (about 30 ns each; with `writes_alone` only the writes); 100 bytes
 * for each element touched.
 * Source: the rules are OpenCL C 3.0, section 6.15.8 (barriers) and OpenCL 3.0, section 3.3 (memory model); keeping the
 * last write and the last reads of each element follows Flanagan and Freund, "FastTrack: Efficient and Precise Dynamic
 * Race Detection", PLDI 2009. */
#ifndef TRACE_RACES_H
#define TRACE_RACES_H

#include <stdint.h>

#include "base/error.h"
#include "trace/trace.h"

#define TRACE_NO_BUFFER UINT32_MAX /* local memory, or global memory of a trace that does not name its buffers */

struct trace_race {
  uint32_t op[2];    /* indices into trace_code.ops; at least one of them writes */
  uint32_t buffer;   /* index into header.buffers, or TRACE_NO_BUFFER */
  uint32_t offset;   /* of the first element with this race: bytes from the beginning of its buffer or memory */
  uint32_t group[2]; /* ids of the work-groups that race for that element */
  uint32_t item[2];  /* flattened local ids of the work-items */
  uint64_t elements; /* number of elements whose first race is between these operations */
  uint32_t elem_bytes;
};

struct trace_races {
  struct trace_race *list; /* in the order in which they were found */
  size_t count;
};

struct trace_race_limits {
  size_t memory_bytes;  /* limit of the bytes for the accesses of elements */
  uint64_t most_blocks; /* limit of the blocks that are walked; 0: unlimited. Races found before the limit are valid */
  bool writes_alone;    /* only races of two writes; loops without writes and barriers are skipped */
};

struct trace_race_search;

/* Begins a search, which reads the work-groups of a trace one by one, so that a reader need not keep them. Returns NULL
 * when memory ran out. */
struct trace_race_search *trace_races_begin(const struct trace *trace, const struct trace_race_limits *limits);
/* Searches one work-group. Returns 0 when the search may continue, 1 when `most_blocks` have been walked, -1 on an
 * error. */
int trace_races_group(struct trace_race_search *search, const struct trace_group *group, struct error *error);
/* Ends the search and moves the races found to *out; if `out` is NULL they are freed. */
void trace_races_end(struct trace_race_search *search, struct trace_races *out);
/* Searches a whole trace for races. */
int trace_races_find(const struct trace *trace, size_t memory_bytes, struct trace_races *out, struct error *error);
void trace_races_clear(struct trace_races *races);

#endif

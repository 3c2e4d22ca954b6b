/* The streams of all cohorts, in which equal runs of streams are stored once. In an irregular trace nearly every
 * work-item has its own path and thus its own streams, and most of these are equal. Internal to trace/.
 *
 * Ownership: the struct starts from zero; stream_runs_clear frees. Memory: four bytes for each word of different runs,
 * 32 for each run.
 * Cost: a hash of the run; none for streams whose addresses never change, which share one long run of zeros. */
#ifndef TRACE_STREAM_RUNS_H
#define TRACE_STREAM_RUNS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hash_index.h"
#include "base/spill_file.h"

struct stream_run {
  uint32_t first, count;
};

struct stream_runs {
  int32_t *words; /* [count] */
  bool spills;    /* words lie in a file once there are more than `plain` of them */
  bool in_file;
  uint32_t plain, added; /* words that stay in memory; words added since pages were released */
  struct spill_file file;
  uint32_t count, capacity;
  struct stream_run *runs; /* [run_count] */
  uint32_t run_count, run_capacity;
  struct hash_table by_hash;         /* runs, by hash of their words */
  uint32_t zeros_first, zeros_count; /* place and length of a run of zeros */
};

/* Writes to *first the place where a run equal to these `count` words begins; adds the run if there is none. Returns
 * false when memory ran out. */
bool stream_runs_find(struct stream_runs *runs, const int32_t *run, uint32_t count, uint32_t *first);
/* Writes to *first the place where `count` words of 0 begin, which are affine streams without strides. Returns false
 * when memory ran out. */
bool stream_runs_zeros(struct stream_runs *runs, uint32_t count, uint32_t *first);
/* Frees the memory that only stream_runs_find needs. The words stay. */
void stream_runs_release(struct stream_runs *runs);
uint64_t stream_runs_bytes(const struct stream_runs *runs);
/* Releases the pages of words that lie in a file from the process's memory. */
void stream_runs_let_go(const struct stream_runs *runs);
void stream_runs_clear(struct stream_runs *runs);

#endif

/* The streams of all cohorts, each run of equal ones kept once: in an irregular trace nearly every work-item has a path
 * and thus streams of its own, and most of these look the same. Internal to trace/ (reader only).
 *
 * Ownership: stream_runs_clear frees; start from zero. Cost: a hash of the run; none for streams that never move, of
 * which any number begins the same long run. Memory: four bytes a word of different runs, 16 a run. */
#ifndef TRACE_STREAM_RUNS_H
#define TRACE_STREAM_RUNS_H

#include <stdbool.h>
#include <stdint.h>

struct stream_run {
  uint32_t first, count, hash;
};

struct stream_runs {
  int32_t *words; /* [count] */
  uint32_t count, capacity;
  struct stream_run *runs; /* [run_count] */
  uint32_t run_count, run_capacity;
  uint32_t *buckets; /* [bucket_count]: hash table of runs, 1 more than their number; 0: free */
  uint32_t bucket_count;
  uint32_t still_first, still_count; /* the longest run that never moves */
};

/* Where a run of `count` words like this one begins; it is added if there is none. False: out of memory. */
bool stream_runs_find(struct stream_runs *runs, const int32_t *run, uint32_t count, uint32_t *first);
/* The same for `count` words of 0: affine streams without strides. */
bool stream_runs_still(struct stream_runs *runs, uint32_t count, uint32_t *first);
/* No more are looked for; the words stay. */
void stream_runs_release(struct stream_runs *runs);
uint64_t stream_runs_bytes(const struct stream_runs *runs);
void stream_runs_clear(struct stream_runs *runs);

#endif

/* MSHRs (miss status holding registers): the lines that are being fetched, in the order in which they arrive.
 *
 * A miss of a line that is being fetched already merges with the fetch and takes no MSHR. A cache may have any number
 * of them; then the file serves for merging alone. Ownership: mshr_file_init allocates, mshr_file_add grows,
 * mshr_file_clear frees. Units: ticks. Errors: mshr_file_init returns false when out of
 * memory; a fetch for which there is no memory is left out, and `no_memory` says so. Cost: finding and releasing a
 * fetch, and adding one that arrives last, are O(1); any other addition is O(fetches). Threads: one at a time. Source:
 * Kroft, "Lockup-free instruction fetch/prefetch cache organization", ISCA 1981. */
#ifndef MODEL_MSHR_H
#define MODEL_MSHR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hash_index.h"

struct mshr_fetch {
  uint64_t comes; /* time at which the line arrives */
  uint32_t line;
  uint32_t number; /* in the order in which fetches were added */
};

struct mshr_file {
  struct mshr_fetch *fetches; /* [capacity] */
  uint32_t *unused;           /* [capacity]: places in `fetches`, of which the first capacity - count are free */
  uint32_t *order;            /* [2 * capacity], from `first`: places in use, by the time at which their lines arrive */
  struct hash_index lines;    /* line -> place; of two fetches of a line, that of the one added first */
  uint64_t soonest;           /* time at which the next line arrives, UINT64_MAX: none is being fetched */
  uint32_t first, count, capacity, added;
  uint32_t repeated; /* fetches that are not in `lines` */
  bool no_memory;
};

#define MSHRS_ANY_NUMBER UINT32_MAX

/* Returns the fetches that a cache has at a time at most. MSHRS_ANY_NUMBER: there is no limit; 0: there is none, and
 * none merge. */
static inline uint32_t mshrs_limit(int64_t mshrs, bool merge) {
  return mshrs > 0 ? (uint32_t)mshrs : merge ? MSHRS_ANY_NUMBER : 0;
}

/* Begins without a fetch. Returns false when out of memory. */
bool mshr_file_init(struct mshr_file *file);
void mshr_file_clear(struct mshr_file *file);
void mshr_file_add(struct mshr_file *file, uint32_t line, uint64_t comes);
/* Releases the MSHRs of lines that have arrived by `now`, of which there is at least one. */
void mshr_file_release_arrived(struct mshr_file *file, uint64_t now);

/* Releases the MSHRs of lines that have arrived by `now`. */
static inline void mshr_file_release(struct mshr_file *file, uint64_t now) {
  if (file->soonest <= now)
    mshr_file_release_arrived(file, now);
}

/* Returns the time at which the line arrives, or 0 if it is not being fetched. */
static inline uint64_t mshr_file_find(const struct mshr_file *file, uint32_t line) {
  if (file->count == 0)
    return 0;
  const uint32_t place = hash_index_find(&file->lines, line);
  return place == HASH_INDEX_NONE ? 0 : file->fetches[place].comes;
}

/* Returns the time at which `need` of `limit` MSHRs are free, or all of them if `need` is larger; 0 if they are free
 * now. */
static inline uint64_t mshr_file_free_at(const struct mshr_file *file, uint32_t limit, uint32_t need) {
  const uint32_t most = need < limit ? limit - need : 0; /* fetches that may continue at that time */
  return file->count <= most ? 0 : file->fetches[file->order[file->first + file->count - most - 1]].comes;
}

#endif

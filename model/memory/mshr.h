/* MSHRs (miss status holding registers): the lines that are being fetched, in the order in which they arrive.
 *
 * A miss of a line that is being fetched already merges with the fetch and takes no MSHR. A cache may have any number
 * of them; then the file serves for merging alone, and a fetch may be one of several lines of a tag (sectored.h).
 * Ownership: mshr_file_init allocates, mshr_file_add grows, mshr_file_clear frees. Units: ticks. Errors: mshr_file_init
 * returns false when out of memory; a fetch for which there is no memory is left out, and `no_memory` says so. Cost:
 * finding and releasing a fetch, and adding one that arrives last, are O(1) for each fetch of a tag; any other addition
 * is O(fetches). Threads: one at a time. Source: Kroft, "Lockup-free instruction fetch/prefetch cache organization",
 * ISCA 1981. */
#ifndef MODEL_MSHR_H
#define MODEL_MSHR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hash_index.h"

struct mshr_fetch {
  uint64_t comes;      /* time at which the lines arrive */
  uint32_t tag, lines; /* a bit for each line of the tag that is fetched */
  uint32_t next;       /* place of the fetch of the same tag that was added next, MSHR_NO_FETCH: there is none */
  uint32_t last;       /* of the first fetch of a tag: place of the one that was added last */
};

#define MSHR_NO_FETCH HASH_INDEX_NONE

struct mshr_file {
  struct mshr_fetch *fetches; /* [capacity] */
  uint32_t *unused;           /* [capacity]: places in `fetches`, of which the first capacity - count are free */
  uint32_t *order;            /* [2 * capacity], from `first`: places in use, by the time at which their lines arrive */
  struct hash_index tags;     /* tag -> place of the fetch that was added first */
  uint64_t soonest;           /* time at which the next line arrives, UINT64_MAX: none is being fetched */
  uint32_t first, count, capacity;
  uint32_t shift; /* log2 of the lines of a tag */
  bool no_memory;
};

#define MSHRS_ANY_NUMBER UINT32_MAX

/* Returns the fetches that a cache has at a time at most. MSHRS_ANY_NUMBER: there is no limit; 0: there is none, and
 * none merge. */
static inline uint32_t mshrs_limit(int64_t mshrs, bool merge) {
  return mshrs > 0 ? (uint32_t)mshrs : merge ? MSHRS_ANY_NUMBER : 0;
}

/* Begins without a fetch, for lines of which 2^shift share a tag. Returns false when out of memory. */
bool mshr_file_init(struct mshr_file *file, uint32_t shift);
void mshr_file_clear(struct mshr_file *file);
/* Adds one fetch of lines of a tag, which are bits of `lines` and arrive together. */
void mshr_file_add_lines(struct mshr_file *file, uint32_t tag, uint32_t lines, uint64_t comes);
/* Releases the MSHRs of lines that have arrived by `now`, of which there is at least one. */
void mshr_file_release_arrived(struct mshr_file *file, uint64_t now);

/* Releases the MSHRs of lines that have arrived by `now`. */
static inline void mshr_file_release(struct mshr_file *file, uint64_t now) {
  if (file->soonest <= now)
    mshr_file_release_arrived(file, now);
}

/* Returns the bit of a line among those of its tag. */
static inline uint32_t mshr_line_bit(const struct mshr_file *file, uint32_t line) {
  return 1u << (line & ((1u << file->shift) - 1));
}

/* Adds the fetch of a line. */
static inline void mshr_file_add(struct mshr_file *file, uint32_t line, uint64_t comes) {
  mshr_file_add_lines(file, line >> file->shift, mshr_line_bit(file, line), comes);
}

/* Returns the time at which the line arrives, or 0 if it is not being fetched. Of two fetches of a line, the one that
 * was added first counts. */
static inline uint64_t mshr_file_find(const struct mshr_file *file, uint32_t line) {
  if (file->count == 0)
    return 0;
  uint32_t place = hash_index_find(&file->tags, line >> file->shift);
  while (place != MSHR_NO_FETCH && !(file->fetches[place].lines & mshr_line_bit(file, line)))
    place = file->fetches[place].next;
  return place == MSHR_NO_FETCH ? 0 : file->fetches[place].comes;
}

/* Returns the time at which `need` of `limit` MSHRs are free, or all of them if `need` is larger; 0 if they are free
 * now. */
static inline uint64_t mshr_file_free_at(const struct mshr_file *file, uint32_t limit, uint32_t need) {
  const uint32_t most = need < limit ? limit - need : 0; /* fetches that may continue at that time */
  return file->count <= most ? 0 : file->fetches[file->order[file->first + file->count - most - 1]].comes;
}

#endif

/* Memory systems of many GPUs that watch the accesses of one exact replay: the L1s, L2 and write policies of each.
 *
 * Purpose: the outcome of each access with other caches, where a count of misses is not enough: lines that an access
 * carries along, that L2 writes to memory, and the order of all of them (recorded_patterns.h). cache_watch_log.h and
 * cache_watch_streams.h count misses, for thousands of caches at once.
 * Order: L1s are looked up when a core issues an access. L2s behind the replay's own L1 are looked up in the order in
 * which the replay looks up its own, the others in order of issue. The outcome of an access is its misses in the order
 * of cache_watch_variants.h, then the number of the pattern for each L2. An access from which no line leaves any L1 has
 * no outcome. Ownership: memory_watch_clear frees; the patterns are borrowed. Errors: false when out of memory. Cost: a
 * look-up for each line and memory system. Threads: one. */
#ifndef MODEL_MEMORY_WATCH_H
#define MODEL_MEMORY_WATCH_H

#include "model/memory/memory_hierarchy.h"
#include "model/policy/time_heap.h"
#include "model/replay/recorded/recorded_patterns.h"
#include "model/retime/watch/cache_watch_variants.h"

struct watched_entry {
  uint64_t time;
  uint64_t note;       /* the caller's: the place of its outcome */
  uint64_t first_word; /* index of the words about each L1 */
  uint32_t core, transactions, rounds;
  uint8_t op_class;
  bool goes_on; /* whether lines leave the replay's own L1; such accesses are served */
};

struct core_watch {
  struct watched_entry *entries; /* [count], in order of time */
  uint16_t *outcomes;            /* [count][width] */
  uint32_t *words; /* by entry and L1: shared, fetched, evicted, lines; of an atomic also operations, rounds */
  size_t capacity, outcome_capacity, word_capacity, word_count;
  uint32_t count, served, ordered; /* how many of the first entries were served; were given back */
};

struct memory_watch {
  const struct cache_watch_variants *variants;
  struct recorded_patterns *patterns;
  uint32_t core_count, width, access_lines;
  struct memory_system *memories; /* [l2_count]; the first one behind an L1 has the L1s */
  uint32_t *memory_of;            /* [l1_count]: index into `memories` */
  uint32_t *lines;                /* lines of an access at another L1 */
  struct pattern_line *found;     /* lines of an access at an L2 */
  struct core_watch *cores;       /* [core_count] */
  struct time_heap heads;
  uint32_t entry_count; /* number of entries of all cores */
};

/* An access that has just been issued: its lines in the order of the look-up, and the result of the replay's own L1. */
struct watched_issue {
  const uint32_t *lines; /* [own->transactions] */
  const struct memory_access *own;
  uint64_t time, note;
};

bool memory_watch_init(struct memory_watch *watch, const struct gpu_spec *spec,
                       const struct cache_watch_variants *variants, uint32_t access_lines,
                       struct recorded_patterns *patterns);
void memory_watch_clear(struct memory_watch *watch);
/* Takes a core's next access; times do not descend. *leaves tells whether a line of it leaves some L1, so that it has
 * an outcome. */
bool memory_watch_issue(struct memory_watch *watch, const struct watched_issue *issue, bool *leaves);
/* Notes that L2 serves the core's first access that goes on and that it has not served yet. */
bool memory_watch_served(struct memory_watch *watch, uint32_t core, const struct memory_access *access);
/* Gives back the accesses before `limit`, by (time, core), up to the first that was not served. */
bool memory_watch_order(struct memory_watch *watch, struct time_entry limit,
                        void (*take)(void *taker, const struct watched_entry *entry, const uint16_t *outcome),
                        void *taker);

#endif

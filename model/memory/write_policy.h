/* Write policies of L1 and L2: the destination of stores, the dirty lines, and the writes when a line leaves.
 *
 * L1: write_through sends every store on to L2; write_back keeps it in L1 as a dirty line. A store that misses
 * allocates (its line is fetched, and no warp waits for that) or bypasses L1. The policies of L2 towards memory are the
 * same; `free` never writes back and does not count writes to memory. Whole lines move. An access carries along, behind
 * its own lines, those that it fetches for its stores and those that it evicts from L1: see struct memory_access.
 * Latencies do not change: a store costs store_cycles; in queues (model/memory/lsu.h, l2_slice.h) the lines that are
 * carried along take their place. Ownership: write_policy_init allocates, write_policy_clear frees. Errors: false when
 * out of memory. Cost: O(1) for each line beside that of the cache; nothing when off. Threads: those of the caches.
 * Source: Jouppi, "Cache write policies and performance", ISCA 1993. */
#ifndef MODEL_WRITE_POLICY_H
#define MODEL_WRITE_POLICY_H

#include <stdbool.h>
#include <stdint.h>

#include "model/cache/cache.h"
#include "model/params/gpu.h"
#include "model/cache/dirty_lines.h"

struct memory_access;

struct write_policy {
  bool l1_on, l2_on; /* the level has another policy than the default; otherwise nothing below is used */
  bool l1_back, l1_allocate, l2_allocate;
  enum l2_write l2_write;
  uint32_t cores;
  struct dirty_lines *l1_dirty; /* [cores], when l1_back */
  struct dirty_lines l2_dirty;  /* when l2_write is write_back */
};

/* The uses of a line at L2. */
enum l2_use { L2_READ, L2_WRITE, L2_UPDATE };

struct l2_outcome {
  bool hit;
  bool fetch;    /* whether the line is read from memory */
  bool written;  /* whether the line is written to memory now */
  uint32_t left; /* a dirty line that L2 evicted, which is written too, or CACHE_NO_LINE */
  /* Lines of which memory reads the rest (partial_writes.h): a bit for each line from `filled` on. */
  uint32_t filled, fills;
};

/* Returns whether L1 or L2 has another policy than the default, which sends stores on and writes nothing to memory. */
bool write_policy_is_on(const struct gpu_spec *spec);
/* Prepares the policies for the caches `l1` [cores] and `l2` of the memory system (NULL: disabled). Returns false when
 * out of memory. */
bool write_policy_init(struct write_policy *policy, const struct gpu_spec *spec, struct cache *const *l1,
                       const struct cache *l2);
void write_policy_clear(struct write_policy *policy);

/* Do the part of a load and of a store at L1: sort the lines of the access and set shared, fetched, evicted. */
void write_policy_load(struct write_policy *policy, uint32_t core, struct cache *l1, struct memory_access *access);
void write_policy_store(struct write_policy *policy, uint32_t core, struct cache *l1, struct memory_access *access);
/* Uses one line at L2. Returns what follows from the use. */
struct l2_outcome write_policy_l2(struct write_policy *policy, struct cache *l2, uint32_t line, enum l2_use use);

#endif

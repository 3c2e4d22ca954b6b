/* Write policies of L1 and L2: where stores go, which lines are dirty, and what is written when a line leaves.
 *
 * L1: write_through sends every store on to L2; write_back keeps it in L1 as a dirty line. A store that misses
 * allocates (its line is fetched, and no warp waits for that) or goes around L1. L2 likewise towards memory; `free`
 * never writes back and counts nothing that is written to memory. Whole lines move. An access carries along the lines
 * that it fetches for its stores and those that it pushes out of L1, behind its own: see struct memory_access.
 * Latencies do not change: a store costs store_cycles; in queues (model/memory/lsu.h, l2_slice.h) what is carried
 * along takes its place. Ownership: write_policy_init allocates, write_policy_clear frees. Errors: false when out of
 * memory. Cost: O(1) per line beside that of the cache; nothing when off. Threads: as the caches that it is for.
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
  bool l1_on, l2_on; /* another policy than the default; else nothing below is used */
  bool l1_back, l1_allocate, l2_allocate;
  enum l2_write l2_write;
  uint32_t cores;
  struct dirty_lines *l1_dirty; /* [cores], when l1_back */
  struct dirty_lines l2_dirty;  /* when l2_write is write_back */
};

/* What a line does at L2. */
enum l2_use { L2_READ, L2_WRITE, L2_UPDATE };

struct l2_outcome {
  bool hit;
  bool fetch;    /* whether the line is read from memory */
  bool written;  /* whether it is written to memory now */
  uint32_t left; /* a dirty line that L2 gave up, which is written too, or CACHE_NO_LINE */
};

/* Returns whether L1 or L2 has another policy than the default, which sends stores on and writes nothing to memory. */
bool write_policy_is_on(const struct gpu_spec *spec);
/* `l1` [cores] and `l2` as the memory system has them (NULL: disabled). */
bool write_policy_init(struct write_policy *policy, const struct gpu_spec *spec, struct cache *const *l1,
                       const struct cache *l2);
void write_policy_clear(struct write_policy *policy);

/* Do the part of a load and of a store at L1: order the lines of the access and set shared, fetched, evicted. */
void write_policy_load(struct write_policy *policy, uint32_t core, struct cache *l1, struct memory_access *access);
void write_policy_store(struct write_policy *policy, uint32_t core, struct cache *l1, struct memory_access *access);
/* Uses one line at L2. Returns what follows from it. */
struct l2_outcome write_policy_l2(struct write_policy *policy, struct cache *l2, uint32_t line, enum l2_use use);

#endif

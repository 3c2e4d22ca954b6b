/* The streams of lines that go on to L2 behind each watched L1, and their misses in the watched L2s.
 *
 * Behind each L1 there is a stream of lines, in the order of the replay; L2s of many sizes share a look-up
 * (multi_size_lru.h). A line that misses a larger fully associative L1 also misses all smaller ones, so these L1s share
 * the stream of the smallest, in which each line tells which L1s it passes. In their L2s, lines are as recent as in the
 * L2 behind the smallest, which is an approximation for the others. The outcome of an access in all streams is a node
 * of a tree (cache_watch_tree.h).
 * Source: one pass for many cache sizes is due to Mattson et al., "Evaluation techniques for storage hierarchies", IBM
 * Systems Journal 9(2), 1970. Ownership: cache_watch_streams_clear frees. Cost: O(lines) a stream. Threads: one. */
#ifndef MODEL_CACHE_WATCH_STREAMS_H
#define MODEL_CACHE_WATCH_STREAMS_H

#include "model/retime/watch/cache_watch_log.h"
#include "model/retime/watch/cache_watch_tree.h"

struct cache_watch_stream {
  uint32_t first, end; /* range of the sizes of L1 (cache_watch_log.h) that it is behind; empty: it is behind `other` */
  uint32_t other;
  uint32_t *l1s; /* [l1_count]: variants that it is behind */
  uint32_t l1_count;
  struct multi_size_lru *levels; /* caches of all L2 sizes; NULL: no L2 of a size is behind these L1s */
  uint32_t *sized;               /* [sized_count]: the variants of L2 that have one of these sizes */
  uint32_t sized_count;
  struct cache **caches; /* [cache_count]: the L2s that are not fully associative; NULL: disabled */
  uint32_t *variants;    /* [cache_count]: variants of these caches */
  uint32_t cache_count;
};

struct cache_watch_streams {
  const struct cache_watch_variants *variants;
  uint32_t count, capacity;
  struct cache_watch_stream *streams;
  uint32_t size_count;
  uint32_t *sizes;      /* [size_count]: sizes of L2 in lines, ascending */
  uint32_t *size_of;    /* by variant of L2: index into `sizes`; size_count: another cache, or the replay's own */
  uint32_t *place_of;   /* by variant of L1: its number among the sizes, or the others, of cache_watch_log.h */
  uint32_t first_cache; /* number that findings use for the first cache of a stream */
  uint32_t *lines;      /* [access_lines]: lines of the present access that go on */
  uint32_t *found;      /* [access_lines]: the findings of these lines */
  struct cache_watch_tree tree;
};

/* Prepares the streams. `access_lines` is the largest number of lines of an access. Returns false when out of
 * memory. */
bool cache_watch_streams_init(struct cache_watch_streams *streams, const struct cache_watch_variants *variants,
                              const struct cache_watch_log *log, uint32_t access_lines);
void cache_watch_streams_clear(struct cache_watch_streams *streams);
/* Sets the nodes of the first `count` accesses of log->order, which have been served. Returns false when out of
 * memory. */
bool cache_watch_streams_pass(struct cache_watch_streams *streams, const struct cache_watch_log *log, uint32_t count);
/* Writes the misses that a node represents, in the order of cache_watch_variants.h. The node is valid until the next
 * pass. */
void cache_watch_streams_misses(const struct cache_watch_streams *streams, uint32_t node, uint16_t *misses);

#endif

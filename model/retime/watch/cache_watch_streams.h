/* What goes on to L2 behind each watched L1, and which of the watched L2s miss it.
 *
 * Behind each L1 there is a stream of lines, in the order of the replay; L2s of many sizes share a look-up
 * (multi_size_lru.h). What misses a larger fully associative L1 misses all smaller ones too: all these L1s share the
 * stream of the smallest, in which each line says which of them it goes by. In their L2s lines are as recent as in
 * the L2 behind the smallest: an approximation for the others. What all streams make of an access is a node of a tree
 * (cache_watch_tree.h).
 * Source: one pass for many cache sizes is due to Mattson et al., "Evaluation techniques for storage hierarchies", IBM
 * Systems Journal 9(2), 1970. Ownership: cache_watch_streams_clear frees. Cost: O(lines) a stream. Threads: one. */
#ifndef MODEL_CACHE_WATCH_STREAMS_H
#define MODEL_CACHE_WATCH_STREAMS_H

#include "model/retime/watch/cache_watch_log.h"
#include "model/retime/watch/cache_watch_tree.h"

struct cache_watch_stream {
  uint32_t first, end; /* the sizes of L1 (cache_watch_log.h) that it is behind; none: it is behind `other` */
  uint32_t other;
  uint32_t *l1s; /* [l1_count]: variants that it is behind */
  uint32_t l1_count;
  struct multi_size_lru *levels; /* of all L2 sizes; NULL: none is behind these L1s */
  uint32_t *sized;               /* [sized_count]: the variants of L2 that have one of these */
  uint32_t sized_count;
  struct cache **caches; /* [cache_count]: the L2s that are not fully associative; NULL: disabled */
  uint32_t *variants;    /* [cache_count]: which */
  uint32_t cache_count;
};

struct cache_watch_streams {
  const struct cache_watch_variants *variants;
  uint32_t count, capacity;
  struct cache_watch_stream *streams;
  uint32_t size_count;
  uint32_t *sizes;      /* [size_count]: of L2, lines, ascending */
  uint32_t *size_of;    /* by variant of L2: which of these; size_count: another cache, or the replay's own */
  uint32_t *place_of;   /* by variant of L1: its number among the sizes, or the others, of cache_watch_log.h */
  uint32_t first_cache; /* a finding's number of a stream's first cache */
  uint32_t *lines;      /* [access_lines]: of the access at hand, that go on */
  uint32_t *found;      /* [access_lines]: what was found of these */
  struct cache_watch_tree tree;
};

/* access_lines: an access has so many at most. */
bool cache_watch_streams_init(struct cache_watch_streams *streams, const struct cache_watch_variants *variants,
                              const struct cache_watch_log *log, uint32_t access_lines);
void cache_watch_streams_clear(struct cache_watch_streams *streams);
/* The first `count` of log->order, which were served: sets their nodes. False: out of memory. */
bool cache_watch_streams_pass(struct cache_watch_streams *streams, const struct cache_watch_log *log, uint32_t count);
/* What a node stands for: misses as in cache_watch_variants.h. Valid until the next pass. */
void cache_watch_streams_misses(const struct cache_watch_streams *streams, uint32_t node, uint16_t *misses);

#endif

/* Fetch programs, which hold the code lines that the runs of a path fetch: for each instruction of a warp program
 * (model/warp/warp_program.h), the lines of code between it and the instruction before, in order of execution.
 *
 * A loop that the program holds as time alone is one item. Its first iteration is looked up line by line. The misses of
 * each further iteration in an LRU cache are known beforehand: none if all lines fit; otherwise an iteration leaves the
 * same lines in the cache whatever it held before, so the next one always misses as many. Ownership: fetch_program_init
 * allocates, fetch_program_clear frees. Cost: O(steps x depth) look-ups. Errors: memory. Threads: read-only once
 * made. */
#ifndef MODEL_FETCH_PROGRAM_H
#define MODEL_FETCH_PROGRAM_H

#include <stdint.h>

#include "base/error.h"
#include "model/cache/cache.h"
#include "model/isa/code_lines.h"
#include "model/warp/warp_program.h"

struct fetch_item {
  struct code_piece lines;
  uint32_t body;   /* 0: the item is lines; else the next `body` items are a loop */
  uint32_t repeat; /* iterations of the loop */
  uint64_t steady; /* misses of each iteration except the first */
};

struct fetch_program {
  struct fetch_item *items;
  uint32_t *begin; /* [instructions + 1]: the items of instruction i are begin[i] to begin[i + 1] */
  uint32_t item_count, instr_count;
};

/* Makes the program of a path; `cache_lines` is the size of the instruction cache. */
int fetch_program_init(struct fetch_program *program, const struct trace_path *path, const struct price_list *prices,
                       const struct code_lines *lines, uint32_t cache_lines, struct error *error);
void fetch_program_clear(struct fetch_program *program);

/* Look up items [from, to), or the lines of a piece. Both functions return the number of misses, at most
 * FETCH_MOST_MISSES. */
#define FETCH_MOST_MISSES (UINT64_C(1) << 52)
uint64_t fetch_items(const struct fetch_item *items, uint32_t from, uint32_t to, struct cache *cache);
uint64_t fetch_piece(const struct code_piece *piece, struct cache *cache);

/* The state for looking up the pieces of code that a divergent warp executes (model/warp/warp_divergent.c). */
struct fetched {
  const struct code_lines *lines;
  struct cache *cache;
  uint64_t misses;
};

#endif

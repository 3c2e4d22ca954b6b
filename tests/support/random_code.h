/* The declarations that random_trace.c and random_code.c share: a random kernel as a tree of statements with its
 * blocks, and the patterns of the addresses of its memory operations.
 *
 * Ownership: random_code_clear frees the statements; blocks and operations belong to the execution `x`. */
#ifndef SUPPORT_RANDOM_CODE_H
#define SUPPORT_RANDOM_CODE_H

#include <stdlib.h>

#include "base/random.h"
#include "random_trace.h"

#define MAX_BLOCKS  64 /* one bit each while post-dominators are computed */
#define MAX_OPS     (MAX_BLOCKS * 8)
#define MAX_DEPTH   4
#define MAX_CHILDS  4
#define ARENA_BYTES 65536

enum stmt_kind { STMT_BLOCK, STMT_BARRIER, STMT_LOOP, STMT_IF };
enum choice { CHOICE_CONSTANT, CHOICE_GROUP, CHOICE_ITEM, CHOICE_EDGE, CHOICE_COUNTER, CHOICE_COUNT };

struct stmt {
  enum stmt_kind kind;
  enum choice choice;
  uint32_t amount;      /* iterations, or the threshold of a condition */
  uint32_t block, last; /* its first block; loop: latch, if: join */
  struct stmt *childs[2][MAX_CHILDS];
  uint32_t child_count[2];
};

/* The pattern of a memory operation's addresses. */
struct pattern {
  bool item_random, raw_random;
  uint32_t base, item[3], group[3], loop[MAX_DEPTH];
};

struct generator {
  const struct random_trace_options *options;
  struct random_state random;
  struct raw_execution *x;
  struct stmt *root[MAX_CHILDS + 2];
  uint32_t root_count;
  struct pattern patterns[MAX_OPS]; /* by operation */
  uint32_t edges[MAX_BLOCKS][4], edge_count[MAX_BLOCKS];
};

static inline void *need(void *memory) {
  if (!memory)
    abort();
  return memory;
}

static inline uint32_t below(struct generator *g, uint32_t n) {
  return random_below(&g->random, n);
}

static inline uint32_t hash(uint64_t a, uint64_t b) {
  struct random_state s = {a * 0x9e3779b97f4a7c15u ^ b};
  random_next(&s);
  return (uint32_t)(random_next(&s) >> 32);
}

/* Makes statements, blocks, operations, edges and post-dominators, in `g` and `g->x->code`. */
void random_code(struct generator *g);
void random_code_clear(struct generator *g);

#endif

/* Numbers for outcomes that become known bit by bit: a tree of what was found out.
 *
 * A node is a kind of access and what came of it so far; each further finding (how many of its lines do what, behind
 * which L1) is a step to a child. Two accesses of one kind that had the same findings in the same order are at the same
 * node. Whoever keeps something by node asks for it there. Ownership: cache_watch_tree_clear frees. Cost: a step is a
 * look-up in a hash table. Memory: 24 bytes a node. Threads: one. */
#ifndef MODEL_CACHE_WATCH_TREE_H
#define MODEL_CACHE_WATCH_TREE_H

#include <stdbool.h>
#include <stdint.h>

struct cache_watch_finding {
  uint16_t stream, what;
  uint32_t count;
};

struct cache_watch_node {
  struct cache_watch_finding finding;
  uint32_t parent;       /* 0: it has none */
  uint32_t last;         /* the child that was asked for last, 0: none */
  uint32_t next;         /* with the same hash, 0: none */
  uint16_t class_number; /* the user's */
};

struct cache_watch_tree {
  struct cache_watch_node *nodes; /* [capacity]; number 0 is no node but the parent of all that have none */
  uint32_t count, capacity;
  uint32_t *buckets; /* [capacity] */
};

bool cache_watch_tree_init(struct cache_watch_tree *tree);
void cache_watch_tree_clear(struct cache_watch_tree *tree);
/* No nodes any more. */
void cache_watch_tree_forget(struct cache_watch_tree *tree);
/* The child of `node` with this finding; 0: out of memory. */
uint32_t cache_watch_tree_step(struct cache_watch_tree *tree, uint32_t node, struct cache_watch_finding finding);

#endif

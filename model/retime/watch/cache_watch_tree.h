/* Numbers for outcomes that become known step by step: a tree of findings.
 *
 * A node is a kind of access and its findings so far; each further finding (how many of its lines have which result
 * behind which L1) is a step to a child. Two accesses of one kind with the same findings in the same order are at the
 * same node. The user stores a number of its own in each node. Ownership: cache_watch_tree_clear frees. Cost: a step is
 * a look-up in a hash table. Memory: 24 bytes a node. Threads: one. */
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
  uint32_t parent;       /* 0: the node has no parent */
  uint32_t last;         /* the child that was used last, 0: none */
  uint32_t next;         /* the next node with the same hash, 0: none */
  uint16_t class_number; /* a number of the user */
};

struct cache_watch_tree {
  struct cache_watch_node *nodes; /* [capacity]; number 0 is the root and stands for no access */
  uint32_t count, capacity;
  uint32_t *buckets; /* [capacity] */
};

bool cache_watch_tree_init(struct cache_watch_tree *tree);
void cache_watch_tree_clear(struct cache_watch_tree *tree);
/* Removes all nodes. */
void cache_watch_tree_forget(struct cache_watch_tree *tree);
/* Returns the child of `node` with this finding, or 0 when out of memory. */
uint32_t cache_watch_tree_step(struct cache_watch_tree *tree, uint32_t node, struct cache_watch_finding finding);

#endif

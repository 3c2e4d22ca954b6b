/* Tree PLRU keeps a binary tree over the ways with one bit for each node, which tells the half of the next victim. A
 * use of a way makes all nodes above it point to the other half. Where the number of ways is not a power of two, nodes
 * do not point into the missing part. Cost: O(log ways). Source: Handy, "The cache memory book", 2nd edition, 1998;
 * compared with other policies by Al-Zoubi, Milenkovic and Milenkovic, "Performance evaluation of cache replacement
 * policies for the SPEC CPU2000 benchmark suite", ACM Southeast Conference 2004. */
#include "model/cache/replacement.h"

static uint32_t leaves_of(uint32_t ways) {
  uint32_t leaves = 1;
  while (leaves < ways)
    leaves *= 2;
  return leaves;
}

/* Returns the words of the tree's bits. Node 1 is the root, nodes 2 n and 2 n + 1 are the halves of node n, and nodes
 * from `leaves` on are the ways. */
static uint32_t words(uint32_t ways) {
  return leaves_of(ways) / 32 + 1;
}

static void point_away(uint32_t *state, uint32_t ways, uint32_t way) {
  for (uint32_t node = leaves_of(ways) + way; node > 1; node /= 2) {
    const uint32_t above = node / 2, bit = UINT32_C(1) << above % 32;
    if (node % 2 == 0)
      state[above / 32] |= bit;
    else
      state[above / 32] &= ~bit;
  }
}

static uint32_t victim(const uint32_t *state, uint32_t ways) {
  uint32_t node = 1, first = 0; /* first: the first way below the node */
  for (uint32_t half = leaves_of(ways) / 2; half > 0; half /= 2) {
    const bool right = (state[node / 32] >> node % 32 & 1) && first + half < ways;
    node = 2 * node + right;
    first += right ? half : 0;
  }
  return first;
}

const struct replacement_ops replacement_tree_plru = {
    .words = words, .hit = point_away, .fill = point_away, .victim = victim};

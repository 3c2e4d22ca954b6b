/* Folds a sequence of blocks into nested loops. Internal to trace/.
 *
 * The sequence is read front to back onto a stack of nodes, which are blocks and finished loops. When the last k nodes
 * equal the k before them, they become a loop, which then takes in every whole iteration that follows in the sequence.
 * So a loop is as long as it can be before loops around it are searched for. A body has at most FOLD_MAX_BODY nodes and
 * a nest at most TRACE_MAX_DEPTH loops; deeper repetitions stay unrolled.
 * Cost: nearly linear: for each node, a comparison with those of the FOLD_MAX_BODY nodes before it that have its key;
 * a memcmp for each iteration.
 * Memory: the folded form, which struct fold keeps for the next call.
 * Source: Ketterlin and Clauss, CGO 2008, section 3, without the values; addresses are fitted afterwards. */
#ifndef TRACE_FOLD_H
#define TRACE_FOLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "trace/trace.h"

#define FOLD_MAX_BODY 64

#define FOLD_WINDOW 1024 /* nodes that are kept: far more than two bodies, so that few loops are missed */

#define FOLD_CHAINS 1024 /* chains of nodes, by key */

#define FOLD_BLOCKS 64 /* blocks whose hashes are kept */

#define FOLD_BEFORE 8 /* entries before the first node, so that comparisons need not look for the stack's beginning */

/* A node of the stack: a block or a finished loop. `prefix` is the hash of all nodes up to this one: the prefix of the
 * node before, times the multiplier, plus `hash`. */
struct fold_node {
  uint64_t hash, prefix;
  uint32_t begin;      /* the place in the sequence where its expansion begins */
  uint32_t first_step; /* its place in fold.steps */
  uint32_t height;     /* loops nested in it, 0 for a block */
};

/* Where a node stands among those of its chain. */
struct fold_link {
  uint32_t key;    /* of the node's hash and of those before it */
  uint32_t before; /* serial number of the next older node of the chain; less than first_serial: there is none */
};

/* All members start from zero. */
struct fold {
  struct fold_node stack[FOLD_BEFORE + FOLD_WINDOW]; /* the last nodes of the sequence, from FOLD_BEFORE on */
  struct fold_link links[FOLD_WINDOW];               /* of these nodes */
  size_t node_count;                                 /* of the last sequence */
  bool slid;                          /* the first entries have prefixes of earlier nodes; they are zero otherwise */
  uint32_t first_serial;              /* serial number of node 0; at least 1 once the fold has been used */
  uint32_t newest[FOLD_CHAINS];       /* serial number of each chain's newest node, as in `before` */
  uint64_t power[FOLD_MAX_BODY + 1];  /* powers of the multiplier */
  uint64_t block_hashes[FOLD_BLOCKS]; /* hashes of the first blocks' numbers */
  struct trace_step *steps;
  size_t step_capacity;
};

/* Writes *count steps whose expansion is `blocks`. They lie in the fold until it is used again. Nodes are compared by
 * 64-bit hashes, so callers verify the result with path_matches and use fold_not if it does not fit. */
int fold_blocks(struct fold *fold, const uint16_t *blocks, size_t block_count, const struct trace_step **steps,
                uint32_t *count, struct error *error);
/* Writes *count steps without any loop whose expansion is `blocks`. They lie in the fold until it is used again. */
int fold_not(struct fold *fold, const uint16_t *blocks, size_t block_count, const struct trace_step **steps,
             uint32_t *count, struct error *error);
void fold_clear(struct fold *fold);

#endif

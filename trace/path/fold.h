/* Folds a sequence of blocks into nested loops. Internal to trace/.
 *
 * The sequence is read front to back onto a stack of nodes, which are blocks and finished loops. When the last k nodes
 * equal the k before them, they become a loop, which then takes in every whole iteration that follows in the sequence.
 * So a loop is as long as it can be before loops around it are searched for. A body has at most FOLD_MAX_BODY nodes and
 * a nest at most TRACE_MAX_DEPTH loops; deeper repetitions stay unrolled.
 * Cost: nearly linear: a scan of FOLD_MAX_BODY keys for each node, a memcmp for each iteration.
 * Memory: the folded form, which struct fold keeps for the next call.
 * Source: Ketterlin and Clauss, CGO 2008, section 3, without the values; addresses are fitted afterwards. */
#ifndef TRACE_FOLD_H
#define TRACE_FOLD_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "trace/trace.h"

#define FOLD_MAX_BODY 64

#define FOLD_WINDOW 1024 /* nodes that are kept: far more than two bodies, so that few loops are missed */

#define FOLD_SCANNED 16 /* keys that are compared at a time */

/* A node of the stack: a block or a finished loop. `prefix` is the hash of all nodes up to this one: the prefix of the
 * node before, times the multiplier, plus `hash`. */
struct fold_node {
  uint64_t hash, prefix;
  size_t length;     /* blocks in its expansion */
  size_t first_step; /* its place in fold.steps */
  uint32_t height;   /* loops nested in it, 0 for a block */
};

struct fold {
  struct fold_node nodes[FOLD_WINDOW]; /* the last nodes of the sequence */
  /* hashes of a node and those before it, in an array of their own for the scan; the first FOLD_SCANNED belong to no
   * node */
  uint32_t keys[FOLD_SCANNED + FOLD_WINDOW];
  size_t node_count;
  uint64_t prefix_start;             /* prefix before nodes[0] */
  uint64_t power[FOLD_MAX_BODY + 1]; /* powers of the multiplier */
  struct trace_step *steps;
  size_t step_count, step_capacity;
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

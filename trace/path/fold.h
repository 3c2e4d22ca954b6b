/* Folds a block sequence into nested loops. Internal to trace/.
 *
 * Front to back, a stack of nodes (blocks and finished loops): when the last k nodes equal the k before, they become a
 * loop, which then takes in every whole iteration that follows in the sequence. So a loop is as long as it can be
 * before loops around it are looked for. Bodies have at most FOLD_MAX_BODY nodes, nests TRACE_MAX_DEPTH loops; the rest
 * stays unrolled.
 * Cost: near linear: per node one scan of FOLD_MAX_BODY keys, per loop iteration one memcmp. Memory: the folded form
 * (struct fold keeps it for the next call).
 * Source: after Ketterlin & Clauss, CGO 2008, section 3, without the values (addresses are fitted afterwards). */
#ifndef TRACE_FOLD_H
#define TRACE_FOLD_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "trace/trace.h"

#define FOLD_MAX_BODY 64

#define FOLD_WINDOW 1024 /* nodes kept; far more than two bodies, so that little is forgotten when loops close */

/* prefix: hash of all nodes up to and with this one, prefix = prefix before * multiplier + hash. */
struct fold_node {
  uint64_t hash, prefix;
  size_t length;     /* blocks in its expansion */
  size_t first_step; /* its place in fold.steps */
  uint32_t height;   /* loops nested in it, 0 for a block */
};

struct fold {
  struct fold_node nodes[FOLD_WINDOW]; /* the last ones */
  uint32_t keys[FOLD_WINDOW];          /* of a node and the one before it, apart for the scan */
  size_t node_count;
  uint64_t prefix_start;             /* prefix before nodes[0] */
  uint64_t power[FOLD_MAX_BODY + 1]; /* of the multiplier */
  struct trace_step *steps;
  size_t step_count, step_capacity;
};

/* *count steps whose expansion is `blocks`; they lie in the fold, until it is used again. Node equality is by 64-bit
 * hash: callers verify the result with path_matches and use fold_not when it does not fit. */
int fold_blocks(struct fold *fold, const uint16_t *blocks, size_t block_count, const struct trace_step **steps,
                uint32_t *count, struct error *error);
/* The same, unrolled. */
int fold_not(struct fold *fold, const uint16_t *blocks, size_t block_count, const struct trace_step **steps,
             uint32_t *count, struct error *error);
void fold_clear(struct fold *fold);

#endif

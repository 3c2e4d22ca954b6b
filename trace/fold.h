/* Folds a block sequence into nested loops. Internal to trace/.
 *
 * Front to back, a stack of nodes (blocks and finished loops): when the last k nodes equal the k before, they become a
 * loop, which then takes in every whole iteration that follows in the sequence. So a loop is as long as it can be
 * before loops around it are looked for. Bodies have at most FOLD_MAX_BODY nodes, nests TRACE_MAX_DEPTH loops; the rest
 * stays unrolled.
 * Cost: near linear: per node one scan of FOLD_MAX_BODY keys, per loop iteration one memcmp. Memory: the folded form
 * so far (struct fold keeps it for the next call).
 * Source: after Ketterlin & Clauss, CGO 2008, section 3, without the values (addresses are fitted afterwards). */
#ifndef TRACE_FOLD_H
#define TRACE_FOLD_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "trace/trace.h"

#define FOLD_MAX_BODY 64

struct fold_node;
struct fold {
  struct fold_node *nodes;
  uint32_t *keys; /* low halves of the nodes' hashes, apart for the scan */
  struct trace_step *steps;
  size_t node_count, node_capacity, step_count, step_capacity;
};

/* A new array (malloc) of *count steps whose expansion is `blocks`. Node equality is by 64-bit hash: callers verify
 * the result with path_matches and use fold_not when it does not fit. */
int fold_blocks(struct fold *fold, const uint16_t *blocks, size_t block_count, struct trace_step **steps,
                uint32_t *count, struct error *error);
/* The same, unrolled. */
int fold_not(const uint16_t *blocks, size_t block_count, struct trace_step **steps, uint32_t *count,
             struct error *error);
void fold_clear(struct fold *fold);

#endif

/* The L1 of a core: what an access does there, in full and in short.
 *
 * Most accesses are loads and stores of one line that L1 holds. l1_use_one does them in a few steps, inline in the
 * replay loop, and leaves everything else to l1_use, with nothing done. Both give the same. Shapes: lines of an access
 * as in struct memory_access. Errors: none. Cost: that of the cache for each line. Threads: one at a time for each
 * core. */
#ifndef MODEL_L1_LEVEL_H
#define MODEL_L1_LEVEL_H

#include "model/cache/exact_sets.h"
#include "model/memory/memory_hierarchy.h"

/* Does the part of an access at L1 and sets which of its lines go on to L2 and which it carries along. */
void l1_use(struct memory_system *memory, uint32_t core, struct memory_access *access);

/* What a load or a store of one line does at L1. */
enum l1_short {
  L1_IN_FULL,  /* nothing is done: it has to be begun in full */
  L1_KEEPS,    /* it stays in the core: a load that hits, or a store that makes a line dirty */
  L1_SENDS_ON, /* a store that goes on to L2 */
};

/* Returns whether L1 holds the line of a load, which is a use of the line. */
static inline __attribute__((always_inline)) bool l1_loads_one(struct memory_system *memory, uint32_t core,
                                                               uint32_t line) {
  if (!memory->plain_hits || !cache_touch_inline(memory->l1[core], line))
    return false;
  memory->counters[core].all.l1_accesses++;
  return true;
}

/* Returns whether L1 writes back and holds the line of a store, which becomes dirty. */
static inline __attribute__((always_inline)) bool l1_keeps_one(struct memory_system *memory, uint32_t core,
                                                               uint32_t line) {
  if (!memory->writes.l1_back || !memory->plain_hits || !cache_touch_inline(memory->l1[core], line))
    return false;
  dirty_lines_add(&memory->writes.l1_dirty[core], line);
  return true;
}

/* Does a load or a store of one line in short where that is possible. Stores are sent on only with `may_send`. */
static inline __attribute__((always_inline)) enum l1_short
l1_use_one(struct memory_system *memory, uint32_t core, enum trace_op_class op_class, uint32_t line, bool may_send) {
  if (op_class == OP_LOAD)
    return l1_loads_one(memory, core, line) ? L1_KEEPS : L1_IN_FULL;
  if (memory->writes.l1_on)
    return l1_keeps_one(memory, core, line) ? L1_KEEPS : L1_IN_FULL;
  if (!may_send)
    return L1_IN_FULL;
  if (memory->l1[core])
    cache_touch_inline(memory->l1[core], line);
  return L1_SENDS_ON;
}

#endif

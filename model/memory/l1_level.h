/* The L1 of a core: the part of an access that happens there, in full and in short.
 *
 * Most accesses are loads and stores of one line that L1 holds. l1_use_one does them in a few steps, inline in the
 * replay loop, and leaves everything else to l1_use, with nothing changed. Both give the same result. Shapes: lines of
 * an access as in struct memory_access. Errors: none. Cost: that of the cache for each line. Threads: one at a time for
 * each core. */
#ifndef MODEL_L1_LEVEL_H
#define MODEL_L1_LEVEL_H

#include "model/cache/exact_sets.h"
#include "model/memory/memory_hierarchy.h"

/* Serves an access at L1: sets the lines that go on to L2 and those that the access carries along. */
void l1_use(struct memory_system *memory, uint32_t core, struct memory_access *access);

/* The result of a load or a store of one line at L1. */
enum l1_short {
  L1_IN_FULL,  /* nothing was done: the access must be begun in full */
  L1_KEEPS,    /* the access stays in the core: a load that hits, or a store that makes a line dirty */
  L1_SENDS_ON, /* the access is a store that goes on to L2 */
};

/* Returns whether L1 holds the line of a load; if so, the line is used. */
static inline __attribute__((always_inline)) bool l1_loads_one(struct memory_system *memory, uint32_t core,
                                                               uint32_t line) {
  if (!memory->plain_hits || !cache_touch_inline(memory->l1[core], line))
    return false;
  memory->counters[core].all.l1_accesses++;
  return true;
}

/* Returns whether L1 writes back and holds the line of a store; if so, the line becomes dirty. */
static inline __attribute__((always_inline)) bool l1_keeps_one(struct memory_system *memory, uint32_t core,
                                                               uint32_t line) {
  if (!memory->writes.l1_back || !memory->plain_hits || !cache_touch_inline(memory->l1[core], line))
    return false;
  dirty_lines_add(&memory->writes.l1_dirty[core], line);
  return true;
}

/* Serves a load or a store of one line on the short path if that is possible. Stores are sent on only with
 * `may_send`. */
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

/* The waits of accesses in each queue of the memory system, summed over the kernel, in ticks while a replay runs. A row
 * is X(field, "name", "meaning"). */
#ifndef MODEL_QUEUES_H
#define MODEL_QUEUES_H

#include <stdint.h>

#define SIM_QUEUES(X)                                                                                                  \
  X(lsu, "lsu", "load/store unit, over all accesses")                                                                  \
  X(l1_mshr, "l1_mshr", "for an MSHR of L1, over all accesses")                                                        \
  X(link, "link", "link to L2, over all accesses")                                                                     \
  X(l2, "l2", "slices of L2, over all lines")                                                                          \
  X(l2_mshr, "l2_mshr", "for an MSHR of L2, over all lines")                                                           \
  X(dram, "dram", "memory behind L2, over all lines")

struct queue_ticks {
#define X(field, name, meaning) uint64_t field;
  SIM_QUEUES(X)
#undef X
};

static inline void queue_ticks_add(struct queue_ticks *sum, const struct queue_ticks *waited) {
#define X(field, name, meaning) sum->field += waited->field;
  SIM_QUEUES(X)
#undef X
}

#endif

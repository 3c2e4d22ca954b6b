/* The order in which cores use shared resources, L2 and the memory behind it: by (time, core).
 *
 * A core runs ahead of the others. An access stands in its core's queue (model/memory/lsu.h) until no core can send an
 * earlier one, and is then served. A core stops only when it needs the answer, so that the order in which cores run
 * does not change results. Memory: l2_order_init allocates, l2_order_clear frees. Cost: O(log cores) an access. */
#ifndef MODEL_L2_ORDER_H
#define MODEL_L2_ORDER_H

#include "model/replay/core.h"
#include "model/policy/smallest_key.h"

struct l2_order {
  struct time_heap cores;     /* cores that are not finished, by (position, id) */
  struct first_keys arrivals; /* each core's first access that was not served */
};

bool l2_order_init(struct l2_order *order, uint32_t cores);
void l2_order_clear(struct l2_order *order);
/* l2_order_serve serves all accesses up to and including `last`. l2_order_expect sets the key of the next access of a
 * core that has run. */
void l2_order_serve(struct gpu_replay *replay, struct l2_order *order, struct time_entry last);
void l2_order_expect(struct l2_order *order, struct core *core);
/* Runs the cores and serves their accesses, until all are finished and served, or replay->too_long. */
void l2_order_run(struct gpu_replay *replay, struct l2_order *order);

#endif

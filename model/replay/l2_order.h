/* The order in which cores use what they share, L2 and the memory behind it: by (time, core).
 *
 * A core runs ahead of the others. An access stands in its core's queue (model/memory/lsu.h) until no core
 * can send an earlier one, and is then served. A core stops only when it needs the answer, so that the order in which
 * cores run does not change results. Memory: l2_order_init allocates, l2_order_clear frees. Cost: O(log cores) an
 * access. */
#ifndef MODEL_L2_ORDER_H
#define MODEL_L2_ORDER_H

#include "model/replay/core.h"
#include "model/policy/smallest_key.h"

struct l2_order {
  struct time_heap cores;     /* that are not finished, by (position, id) */
  struct first_keys arrivals; /* of cores' first accesses that were not served */
};

bool l2_order_init(struct l2_order *order, uint32_t cores);
void l2_order_clear(struct l2_order *order);
/* Serves all accesses that come before `last`, or at it. The core has run: its next access is expected. */
void l2_order_serve(struct gpu_replay *replay, struct l2_order *order, struct time_entry last);
void l2_order_expect(struct l2_order *order, struct core *core);
/* Serves, runs the cores, until all are finished and all is served, or replay->too_long. */
void l2_order_run(struct gpu_replay *replay, struct l2_order *order);

#endif

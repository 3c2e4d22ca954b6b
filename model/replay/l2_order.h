/* Whose turn it is at what the cores share: L2 and the memory behind it, in order of (time, core).
 *
 * A core runs ahead of the others. What it asks of L2 stands in its queue (model/memory/lsu.h) until all cores have come so
 * far that nobody can ask for anything before: then it is served. Nobody waits for an answer before it is needed, so
 * the order in which cores run changes nothing. Memory: l2_order_init allocates, l2_order_clear frees. Cost: O(log cores) an
 * access. */
#ifndef MODEL_L2_ORDER_H
#define MODEL_L2_ORDER_H

#include "model/replay/core.h"
#include "model/policy/smallest_key.h"

struct l2_order {
  struct time_heap cores;     /* that are not finished, by (position, id) */
  struct first_keys arrivals; /* of cores' first accesses that were not served */
};

bool l2_order_init(struct l2_order *turns, uint32_t cores);
void l2_order_clear(struct l2_order *turns);
/* Serves all accesses that come before `last`, or at it. The core has run: its next access is expected. */
void l2_order_serve(struct gpu_replay *replay, struct l2_order *turns, struct time_entry last);
void l2_order_expect(struct l2_order *turns, struct core *core);
/* Serves, runs the cores, until all are finished and all is served, or engine->too_long. */
void l2_order_run(struct gpu_replay *replay, struct l2_order *turns);

#endif

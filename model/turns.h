/* Whose turn it is at what the cores share: L2 and the memory behind it, in order of (time, core).
 *
 * A core runs ahead of the others. What it asks of L2 stands in its queue (model/lsu.h) until all cores have come so
 * far that nobody can ask for anything before: then it is served. Nobody waits for an answer before it is needed, so
 * the order in which cores run changes nothing. Memory: turns_init allocates, turns_clear frees. Cost: O(log cores) an
 * access. */
#ifndef MODEL_TURNS_H
#define MODEL_TURNS_H

#include "model/core.h"
#include "model/first_key.h"

struct turns {
  struct time_heap cores;     /* that are not finished, by (position, id) */
  struct first_keys arrivals; /* of cores' first accesses that were not served */
};

bool turns_init(struct turns *turns, uint32_t cores);
void turns_clear(struct turns *turns);
/* Serves all accesses that come before `last`, or at it. The core has run: its next access is expected. */
void turns_serve(struct engine *engine, struct turns *turns, struct time_entry last);
void turns_expect(struct turns *turns, struct core *core);
/* Serves, runs the cores, until all are finished and all is served, or engine->too_long. */
void turns_run(struct engine *engine, struct turns *turns);

#endif

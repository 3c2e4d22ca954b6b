/* Addresses of one execution of one stream: for all lanes of a uniform warp at once, or for one work-item.
 *
 * Memory of the simulation, in bytes: the arena (global, constant) at its own offsets; behind it the local memories of
 * all resident work-groups, then the private memories of all resident work-items (struct warp says where).
 * Cost: O(depth) for affine lanes, O(lanes) otherwise. */
#ifndef MODEL_STREAM_H
#define MODEL_STREAM_H

#include "model/coalesce.h"
#include "model/warp.h"

struct stream_place {
  const struct trace *trace;
  const struct warp *warp;
  uint32_t stream; /* index into shape.streams and group.base */
  const struct trace_leaf *leaf;
  const uint32_t *counters;
};

/* Lanes of the whole warp; its items are neighbours of one cohort, the first is number warp->index_in_cohort of it. */
void stream_lanes(const struct stream_place *place, uint8_t space, struct lane_addresses *out);
/* Item `lane` of the warp, number `index` of its cohort. */
uint64_t stream_item(const struct stream_place *place, uint8_t space, uint32_t lane, uint32_t index);

#endif

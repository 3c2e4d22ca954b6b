/* Addresses of one execution of one stream: for all lanes of a uniform warp at once, or for some lanes.
 *
 * The memory of the simulation, in bytes, is the arena (global, constant) at its own offsets; behind it the local
 * memories of all resident work-groups, then the private memories of all resident work-items (struct warp has their
 * places). Cost: O(depth) for affine lanes, O(lanes) otherwise. */
#ifndef MODEL_STREAM_H
#define MODEL_STREAM_H

#include "model/warp/coalesce.h"
#include "model/warp/warp.h"

struct stream_place {
  const struct trace *trace;
  const struct warp *warp;
  struct trace_stream stream;
  uint32_t base;            /* of the stream in this group: an address, or an index into its values */
  uint32_t index;           /* of the first of the lanes in its cohort; those of the other lanes follow */
  uint32_t depth;           /* loops around the site */
  const uint32_t *counters; /* [depth]: their iterations, outermost first */
  /* STREAM_RAW: of how many executions of the site by a work-item this one has which number */
  uint64_t executions, number;
};

/* Writes the addresses of all lanes of a warp whose work-items are neighbours of one cohort. */
void stream_lanes(const struct stream_place *place, uint8_t space, struct lane_addresses *out);
/* Writes the addresses of the lanes of one cohort (bits of `lanes`), by lane. */
void stream_some(const struct stream_place *place, uint8_t space, uint64_t lanes, uint64_t *address);
/* Returns lane_addresses.word_stride_bytes of an access to this space. */
static inline uint32_t stream_word_stride_bytes(const struct warp *warp, uint8_t space) {
  return space == SPACE_PRIVATE ? warp->word_stride_bytes : 0;
}
/* Prefetches the recorded addresses into the cache of the host. */
void stream_prefetch(const struct stream_place *place, uint64_t lanes);

#endif

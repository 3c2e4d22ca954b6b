/* The reference replay's parts of a wide access: the lanes, and their bytes, that are coalesced together. */
#ifndef SUPPORT_REFERENCE_PARTS_H
#define SUPPORT_REFERENCE_PARTS_H

#include "reference_gpu.h"

struct reference_part {
  bool member[64];      /* by position in the event's list of lanes */
  uint32_t from, bytes; /* of each lane's access */
};

static inline uint32_t reference_op_bytes(const struct reference_gpu *g, const struct reference_event *event) {
  const uint32_t bytes = g->trace->code.ops[event->op].bytes;
  return bytes ? bytes : 1;
}

/* Returns whether every two lanes of the part whose numbers differ only in that bit have one address. */
static inline bool reference_agree(const struct reference_event *event, const struct reference_part *part,
                                   uint32_t bit) {
  for (uint32_t i = 0; i < event->lane_count; i++)
    for (uint32_t k = 0; k < event->lane_count; k++)
      if (part->member[i] && part->member[k] && (event->lane[i] ^ event->lane[k]) == bit &&
          event->address[i] != event->address[k])
        return false;
  return true;
}

/* Selects lanes from number `first` to before number `end`. */
static inline struct reference_part reference_lanes(const struct reference_event *event, uint64_t first, uint64_t end,
                                                    uint32_t from, uint32_t bytes) {
  struct reference_part part = {.from = from, .bytes = bytes};
  for (uint32_t i = 0; i < event->lane_count; i++)
    part.member[i] = event->lane[i] >= first && event->lane[i] < end;
  return part;
}

/* Lists the parts, at most 64 x 64. With `merge`, two neighbouring parts may be one. */
static inline uint32_t reference_parts(const struct reference_gpu *g, const struct reference_event *event, bool merge,
                                       struct reference_part *parts) {
  const uint64_t limit = (uint64_t)g->spec->access_item_bytes, room = (uint64_t)g->spec->access_part_bytes;
  const uint32_t all = reference_op_bytes(g, event);
  uint32_t n = 0;
  for (uint32_t from = 0; from < all;) {
    const uint32_t bytes = limit && all - from > limit ? (uint32_t)limit : all - from;
    uint64_t lanes = room ? room / bytes : 1000;
    if (lanes == 0)
      lanes = 1;
    const bool divided = all > bytes || lanes < (uint64_t)g->spec->warp_size;
    for (uint64_t first = 0; first < (uint64_t)g->spec->warp_size; first += lanes) {
      parts[n] = reference_lanes(event, first, first + lanes, from, bytes);
      struct reference_part two = reference_lanes(event, first, first + 2 * lanes, from, bytes);
      if (merge && divided && first / lanes % 2 == 0 &&
          (reference_agree(event, &two, 1) || reference_agree(event, &two, 2))) {
        parts[n] = two;
        first += lanes;
      }
      n++;
    }
    from += bytes;
  }
  return n;
}

#endif

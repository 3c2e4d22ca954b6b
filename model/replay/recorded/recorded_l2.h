/* The slices of L2 and the memory behind them in a replay of a recorded launch: l2_slice.h without MSHRs and banks.
 *
 * A recording knows how many lines of an access go to L2 and how many miss it, not which ones: the misses of an access
 * are served first, and lines are dealt to slices in turn, not by their number. With one slice the order of misses
 * alone differs from an exact replay. Times are ticks. Ownership: recorded_l2_clear frees. Cost: O(1) a line. */
#ifndef MODEL_RECORDED_L2_H
#define MODEL_RECORDED_L2_H

#include "model/params/gpu.h"

struct recorded_slice {
  uint64_t free, dram_free; /* the slice, its share of the memory: from then on */
};

struct recorded_l2 {
  struct recorded_slice *slices; /* [count] */
  uint32_t count, next;
  uint64_t line_ticks, dram_line_ticks;
};

/* Returns false when memory has run out. */
bool recorded_l2_init(struct recorded_l2 *l2, const struct gpu_spec *spec);
void recorded_l2_clear(struct recorded_l2 *l2);
/* So many lines arrive at `time`, of which `missed` miss. Returns the ticks that the line waits that waits longest. */
uint64_t recorded_l2_serve(struct recorded_l2 *l2, uint32_t lines, uint32_t missed, uint64_t time);

#endif

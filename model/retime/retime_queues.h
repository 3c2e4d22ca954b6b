/* Queues of a timing-only replay: load/store unit and link of a core, L2's slices and the memory behind them, as in the
 * exact replay (lsu.h, l2_slice.h) without MSHRs and banks.
 *
 * A recording knows how many lines of an access go to L2 and how many miss it, not which: an access's misses are served
 * first, and lines are dealt to slices in turn, not by number. With one slice only the former differs. Times are ticks.
 * Ownership: timing_lsu_clear and timing_slices_clear free. Cost: O(1) a line. */
#ifndef MODEL_RETIME_QUEUES_H
#define MODEL_RETIME_QUEUES_H

#include <stdbool.h>
#include <stdint.h>

#include "model/params/gpu.h"

/* An access, from when an engine issues it until it is served. */
struct queued_access {
  uint32_t age; /* of its warp */
  uint16_t event;
  bool timed;       /* `arrives` is known */
  uint64_t issued;  /* by an engine */
  uint64_t arrives; /* at L2, or leaves the unit when nothing goes there */
};

struct timing_lsu {
  uint64_t transaction_ticks, link_ticks;
  uint64_t free, link_free;
  struct queued_access *ring;
  uint32_t mask, head, count;
};

struct timing_slice {
  uint64_t free, dram_free;
};

struct timing_slices {
  struct timing_slice *slices;
  uint32_t count, next;
  uint64_t line_ticks, dram_line_ticks;
};

/* At most `accesses` at a time. False: out of memory. */
bool timing_lsu_init(struct timing_lsu *lsu, const struct gpu_spec *spec, uint32_t accesses);
void timing_lsu_clear(struct timing_lsu *lsu);
void timing_lsu_push(struct timing_lsu *lsu, uint32_t age, uint16_t event, uint64_t now);
/* The oldest, NULL: none. Its time is found from its numbers of transactions and of lines that go to L2. */
struct queued_access *timing_lsu_head(struct timing_lsu *lsu, const uint32_t *transactions, const uint32_t *to_l2);
void timing_lsu_pop(struct timing_lsu *lsu);

bool timing_slices_init(struct timing_slices *l2, const struct gpu_spec *spec);
void timing_slices_clear(struct timing_slices *l2);
/* So many lines arrive at `time`, of which so many miss: how long the one waits that waits longest. */
uint64_t timing_slices_serve(struct timing_slices *l2, uint32_t lines, uint32_t missed, uint64_t time);

#endif

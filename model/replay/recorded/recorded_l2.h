/* L2 and the memory behind it in a replay of a recorded launch: the queues of model/memory/l2_slice.h without MSHRs and
 * banks.
 *
 * What happens to the lines of an access is given by its pattern (recorded_patterns.h); which lines they are is not
 * known, so that they are dealt to slices in turn. With one slice nothing differs from an exact replay. Where one core
 * is replayed in place of all, the queues are those of a fluid: what the other cores send comes at an even rate.
 * Units: ticks. Ownership: recorded_l2_init allocates, recorded_l2_clear frees. Cost: O(1) a line. Threads: one. */
#ifndef MODEL_RECORDED_L2_H
#define MODEL_RECORDED_L2_H

#include "model/memory/l2_slice.h"
#include "model/replay/recorded/recorded_patterns.h"
#include "model/replay/recorded/shared_queue.h"

struct recorded_l2 {
  struct l2_slices slices;
  uint32_t next; /* number of the next line */
  /* One core in place of all: */
  struct recorded_others others;
  uint64_t spread;                       /* ticks over which the others send what the one sends */
  uint64_t line_ticks, dram_line_ticks;  /* of all slices together */
  struct shared_queue l2, dram, atomics; /* as one queue */
};

/* Ticks that an access waits. */
struct recorded_wait {
  uint64_t queues;  /* at L2 and behind it, of the line that waits longest */
  uint64_t atomics; /* until its operations have been executed, behind that */
};

/* Returns false when memory has run out. */
bool recorded_l2_init(struct recorded_l2 *l2, const struct gpu_spec *spec);
void recorded_l2_clear(struct recorded_l2 *l2);
/* Serves an access of this pattern that arrives at `time`. Returns what it waits. */
struct recorded_wait recorded_l2_serve(struct recorded_l2 *l2, const struct recorded_patterns *patterns,
                                       uint16_t number, uint64_t time);

/* The same where the core stands for all. Its accesses come in order of time. */
struct recorded_wait recorded_l2_serve_for_all(struct recorded_l2 *l2, const struct recorded_patterns *patterns,
                                               uint16_t number, uint64_t time);

#endif

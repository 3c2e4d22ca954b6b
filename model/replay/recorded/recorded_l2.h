/* L2 and the memory behind it in a replay of a recorded launch: the queues of model/memory/l2_slice.h without MSHRs and
 * banks.
 *
 * What happens to the lines of an access is given by its pattern (recorded_patterns.h); which lines they are is not
 * known, so that they are dealt to slices in turn. With one slice nothing differs from an exact replay.
 * Units: ticks. Ownership: recorded_l2_init allocates, recorded_l2_clear frees. Cost: O(1) a line. Threads: one. */
#ifndef MODEL_RECORDED_L2_H
#define MODEL_RECORDED_L2_H

#include "model/memory/l2_slice.h"
#include "model/replay/recorded/recorded_patterns.h"

struct recorded_l2 {
  struct l2_slices slices;
  uint32_t next; /* number of the next line */
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

#endif

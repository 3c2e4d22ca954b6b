/* L2 and the memory behind it in a replay of a recorded launch: the queues of model/memory/l2_slice.h without MSHRs and
 * banks.
 *
 * The pattern of an access (recorded_patterns.h) gives the events of its lines. The line numbers are not known, so that
 * lines are assigned to slices in turn; with one slice nothing differs from an exact replay. Where one core is replayed
 * in place of all, the queues are fluid queues: the other cores' lines arrive at an even rate. Units: ticks. Ownership:
 * recorded_l2_init allocates, recorded_l2_clear frees. Cost: O(1) a line. Threads: one. */
#ifndef MODEL_RECORDED_L2_H
#define MODEL_RECORDED_L2_H

#include "model/memory/l2_slice.h"
#include "model/replay/recorded/recorded_patterns.h"
#include "model/replay/recorded/shared_queue.h"

struct recorded_l2 {
  struct l2_slices slices;
  uint32_t next; /* number of the next line */
  /* The following members are used where one core is replayed in place of all. */
  struct recorded_others others;
  uint64_t spread;                       /* ticks over which the others send as much as the one core */
  uint64_t line_ticks, dram_line_ticks;  /* ticks of a line on all slices together */
  struct shared_queue l2, dram, atomics; /* each as one queue */
};

/* The ticks that an access waits. */
struct recorded_wait {
  uint64_t queues;  /* queues at L2 and behind it, of the line that waits longest */
  uint64_t atomics; /* the further wait until its operations have been executed */
};

/* Prepares L2. Returns false when out of memory. */
bool recorded_l2_init(struct recorded_l2 *l2, const struct gpu_spec *spec);
void recorded_l2_clear(struct recorded_l2 *l2);
/* Serves an access of this pattern that arrives at `time`. Returns its waits. */
struct recorded_wait recorded_l2_serve(struct recorded_l2 *l2, const struct recorded_patterns *patterns,
                                       uint16_t number, uint64_t time);

/* Serves an access like recorded_l2_serve, for a core that is replayed in place of all. Accesses come in order of
 * time. */
struct recorded_wait recorded_l2_serve_for_all(struct recorded_l2 *l2, const struct recorded_patterns *patterns,
                                               uint16_t number, uint64_t time);

#endif

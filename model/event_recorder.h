/* Writes down what an exact replay does: every warp's events, each as a small number (event_class.h).
 *
 * The replay calls it as warps start and as execution engines begin events; events of one warp come in their order,
 * those of different warps in any. A replay that does not fit (more than RECORDER_MOST_EVENTS, too many classes) goes
 * on; what was recorded is then useless: event_recorder_finish says so.
 * Ownership: the engine borrows; event_recorder_clear frees. Threads: one. Cost: a hash look-up an event. Memory: one
 * byte an event while there are at most 254 classes, else two. */
#ifndef MODEL_EVENT_RECORDER_H
#define MODEL_EVENT_RECORDER_H

#include "model/event_class.h"
#include "model/outcome_variants.h"

#define RECORDER_MOST_EVENTS (UINT64_C(1) << 28) /* 256 to 512 MiB */

/* All warps' events: warp w's begin at starts[w] and end with EVENT_END. */
struct event_lists {
  void *events; /* uint8_t, or uint16_t when wide */
  bool wide;
  uint64_t count, capacity;
  uint64_t *starts; /* [warp_count], by work-group and warp in it */
  uint64_t warp_count;
};

struct warp_notes { /* of a resident warp */
  uint16_t *events;
  uint32_t count, capacity;
  uint64_t warp;
  bool started;
};

struct event_recorder {
  struct event_lists lists;
  struct event_classes classes;
  struct outcome_variants *variants;
  struct warp_notes *notes; /* [resident_count] */
  uint64_t resident_count;
  uint16_t *misses; /* of the access at hand */
  bool failed;
};

int event_recorder_init(struct event_recorder *recorder, struct outcome_variants *variants, uint64_t warp_count,
                        uint64_t resident_count, struct error *error);
void event_recorder_clear(struct event_recorder *recorder);

/* Resident warp number `resident` is from now on warp `warp`. */
void event_recorder_start(struct event_recorder *recorder, uint64_t resident, uint64_t warp);
/* lanes: of a divergent warp, else 0. */
void event_recorder_run(struct event_recorder *recorder, uint64_t resident, uint64_t slots, uint64_t item_slots,
                        uint32_t lanes);
void event_recorder_barrier(struct event_recorder *recorder, uint64_t resident);
void event_recorder_access(struct event_recorder *recorder, uint64_t resident, uint32_t core,
                           const struct own_outcome *own);
/* After the replay. False: what was recorded is not whole. */
bool event_recorder_finish(struct event_recorder *recorder);

void event_lists_clear(struct event_lists *lists);

#endif

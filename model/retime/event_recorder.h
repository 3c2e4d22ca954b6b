/* Writes down what an exact replay does: every warp's events, each as a small number (event_class.h).
 *
 * The replay calls it as warps start and as execution engines begin events; events of one warp come in their order,
 * those of a core in order of time, those of different cores in any. What misses an L1 is numbered once it is in order
 * with the other cores' (cache_watch_log.h). A replay that does not fit (more than RECORDER_MOST_EVENTS, too many
 * classes) goes on; what was recorded is then useless: event_recorder_finish says so.
 * Ownership: the engine borrows; event_recorder_clear frees. Threads: one. Cost: a hash look-up an event, and what the
 * watched caches cost. Memory: one byte an event while there are at most 254 classes, else two. */
#ifndef MODEL_EVENT_RECORDER_H
#define MODEL_EVENT_RECORDER_H

#include "model/retime/event_class.h"
#include "model/replay/hooks.h"
#include "model/replay/recorded/recorded_events.h"
#include "model/retime/watch/cache_watch_streams.h"
#include "model/retime/watch/memory_watch.h"

#define RECORDER_MOST_EVENTS (UINT64_C(1) << 28) /* 256 to 512 MiB */

struct warp_notes { /* of a warp, until all of its events are numbered */
  uint16_t *events;
  uint32_t count, capacity;
  uint32_t unknown; /* events that are not */
  uint64_t warp;
  bool ended;
};

struct event_recorder {
  struct event_lists lists;
  struct event_classes classes;
  struct cache_watch_log log;
  struct cache_watch_streams streams;
  bool patterns_on; /* memory_watch.h takes the place of log and streams */
  struct memory_watch memories;
  struct recorded_patterns patterns;
  uint32_t *issued; /* [issued_count]: lines of the access at hand, as L1 looks them up */
  uint32_t issued_count, access_lines;
  struct warp_notes *notes; /* [notes_count] */
  uint32_t notes_count, notes_capacity;
  uint32_t *free_notes, free_count;    /* [notes_capacity] */
  uint32_t *current;                   /* [resident_count]: the warp's notes; NO_NOTES: none has started */
  uint64_t resident_count, core_warps; /* on all cores, on one */
  uint32_t enough;                     /* so many accesses are worth being put in order */
  uint16_t *misses;                    /* of the access at hand */
  bool failed;
};

/* `spec`: the GPU of the replay; `patterns`: classes tell the patterns of accesses apart (recorded_patterns.h). */
int event_recorder_init(struct event_recorder *recorder, const struct gpu_spec *spec,
                        const struct cache_watch_variants *variants, bool patterns, uint32_t access_lines,
                        uint64_t warp_count, uint64_t resident_count, struct error *error);
void event_recorder_clear(struct event_recorder *recorder);

/* Returns the hooks of the replay that is recorded. */
struct replay_hooks event_recorder_hooks(struct event_recorder *recorder);
/* After the replay. False: what was recorded is not whole. */
bool event_recorder_finish(struct event_recorder *recorder);

void event_lists_clear(struct event_lists *lists);

#endif

/* Records an exact replay: every warp's events, each as a small number (event_class.h).
 *
 * The replay calls it as warps start and as execution engines begin events. Events of one warp come in their order,
 * those of a core in order of time, those of different cores in any order. An access that misses an L1 gets its number
 * once it is in order with those of the other cores (cache_watch_log.h). A replay that does not fit (more than
 * RECORDER_MOST_EVENTS, too many classes) continues; event_recorder_finish then returns false, and the recording cannot
 * be used. Ownership: the replay borrows the recorder; event_recorder_clear frees. Threads: one. Cost: a hash look-up
 * for each event, and that of the watched caches. Memory: one byte for each event while there are at most 254 classes,
 * else two. */
#ifndef MODEL_EVENT_RECORDER_H
#define MODEL_EVENT_RECORDER_H

#include "model/retime/event_class.h"
#include "model/replay/hooks.h"
#include "model/replay/recorded/recorded_events.h"
#include "model/retime/watch/cache_watch_streams.h"
#include "model/retime/watch/memory_watch.h"

#define RECORDER_MOST_EVENTS (UINT64_C(1) << 28) /* 256 to 512 MiB */

struct warp_notes { /* the events of a warp, until all of them have numbers */
  uint16_t *events;
  uint32_t count, capacity;
  uint32_t unknown; /* events without a number */
  uint64_t warp;
  bool ended;
};

struct event_recorder {
  struct event_lists lists;
  struct event_classes classes;
  struct cache_watch_log log;
  struct cache_watch_streams streams;
  bool patterns_on; /* memory_watch.h replaces log and streams */
  struct memory_watch memories;
  struct recorded_patterns patterns;
  uint32_t *issued; /* [issued_count]: lines of the present access, in the order in which L1 looks them up */
  uint32_t issued_count, access_lines;
  struct warp_notes *notes; /* [notes_count] */
  uint32_t notes_count, notes_capacity;
  uint32_t *free_notes, free_count;    /* [notes_capacity] */
  uint32_t *current;                   /* [resident_count]: notes of the warp; NO_NOTES: none has started */
  uint64_t resident_count, core_warps; /* warps on all cores; on one */
  uint32_t enough;                     /* number of accesses from which it pays to order them */
  uint16_t *misses;                    /* misses of the present access */
  bool failed;
};

/* Prepares a recorder for a replay on the GPU `spec`. `patterns`: classes distinguish the patterns of accesses
 * (recorded_patterns.h). */
int event_recorder_init(struct event_recorder *recorder, const struct gpu_spec *spec,
                        const struct cache_watch_variants *variants, bool patterns, uint32_t access_lines,
                        uint64_t warp_count, uint64_t resident_count, struct error *error);
void event_recorder_clear(struct event_recorder *recorder);

/* Returns the hooks of the replay that is recorded. */
struct replay_hooks event_recorder_hooks(struct event_recorder *recorder);
/* Ends the recording after the replay. Returns false if it is not complete. */
bool event_recorder_finish(struct event_recorder *recorder);

void event_lists_clear(struct event_lists *lists);

#endif

/* The hooks of a replay: functions by which timelines, recordings and sampling follow it.
 *
 * A listener fills a struct of functions, each called with `listener` first; a function that is NULL is not called. A
 * replay has one listener. Without functions that follow events a replay costs the same as without a listener: only the
 * instances of the replay loop with mechanisms.rare call them (model/replay/core.h).
 * Order: events of one core come in order of time, those of different cores in any order. Times are ticks
 * (TICKS_PER_CYCLE). A `place` is the number of a resident warp on its core. Threads: with functions that follow
 * events, or with `stop`, a replay runs in one thread. Ownership: the replay borrows the listener. */
#ifndef MODEL_HOOKS_H
#define MODEL_HOOKS_H

#include "model/policy/time_heap.h"
#include "model/result/cycle_stack.h"
#include "trace/code.h"

struct gpu_replay;
struct memory_access;
struct replay_result;
struct warp;

/* A warp's event on an execution engine. */
struct replay_event {
  uint32_t core, place, group; /* group: the warp's work-group */
  const struct warp *warp;     /* warp->event is its kind, warp->op its operation */
  uint64_t now;
};

struct replay_hooks {
  void *listener;
  /* ---- the whole launch ---- */
  bool (*start)(void *listener, struct gpu_replay *replay); /* before the first event; false: out of memory */
  /* Called when all cores have come to replay->until. Returns false to end the replay here; otherwise the listener sets
   * a later time. */
  bool (*stop)(void *listener, struct gpu_replay *replay);
  void (*finish)(void *listener, const struct gpu_replay *replay, struct replay_result *result); /* after a success */
  /* ---- events ---- */
  void (*group)(void *listener, uint32_t core, uint32_t group_place, uint32_t group, bool begins, uint64_t now);
  void (*warp_start)(void *listener, uint32_t core, uint32_t place, uint64_t warp); /* warp: number in the launch */
  void (*event_begin)(void *listener, const struct replay_event *event);
  void (*event_end)(void *listener, uint32_t core, uint32_t place, uint64_t now);
  /* Called for an access of the event that has just begun, after L1: the first `shared` of its lines go to L2. */
  void (*access)(void *listener, const struct replay_event *event, const struct memory_access *access);
  /* Called for an access that takes a port beside the load/store unit, STACK_local or STACK_uniform. */
  void (*port_access)(void *listener, const struct replay_event *event, enum stack_component port, uint32_t passes);
  void (*access_end)(void *listener, uint32_t op, uint64_t ticks); /* when the end is known: ticks from issue */
  void (*l2_served)(void *listener, uint32_t core, const struct memory_access *access);
  /* Called when every core has announced all that it begins before `now`, and L2 has served it. */
  void (*complete_until)(void *listener, struct time_entry now);
  /* ---- caches ---- */
  /* Called before level 1 or 2 looks up these lines. */
  void (*lines)(void *listener, uint32_t level, uint32_t core, enum trace_op_class op_class, const uint32_t *lines,
                uint32_t count);
  /* Called after a look-up for an operation, with the accesses and misses that it added to the level's counts. */
  void (*looked_up)(void *listener, uint32_t level, uint32_t op, uint64_t accesses, uint64_t misses);
};

/* Calls a hook of a replay if it is set. */
#define REPLAY_ANNOUNCE(replay, hook, ...)                                                                             \
  do {                                                                                                                 \
    if ((replay)->hooks.hook)                                                                                          \
      (replay)->hooks.hook((replay)->hooks.listener, __VA_ARGS__);                                                     \
  } while (0)

/* Returns whether some hook is called at events, so that the loop has to announce them. */
static inline bool replay_hooks_follow_events(const struct replay_hooks *h) {
  return h->group || h->warp_start || h->event_begin || h->event_end || h->access || h->port_access || h->access_end ||
         h->l2_served || h->complete_until || h->lines || h->looked_up;
}

#endif

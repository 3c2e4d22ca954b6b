/* Lets warps of a core become ready, wait and end. These are inline functions of the replay loop (core.c), which makes
 * `on` constant. */
#ifndef MODEL_CORE_WARPS_H
#define MODEL_CORE_WARPS_H

#include "model/replay/recorded/recorded_warps.h"
#include "model/warp/warp_uniform.h"

static inline void core_go_on_rarely(struct gpu_replay *replay, struct core *core, uint32_t index,
                                     struct mechanisms on);

static inline void release_barrier(struct gpu_replay *replay, struct core *core, uint32_t group_place,
                                   struct mechanisms on) {
  uint32_t first = group_place * replay->warps_per_group;
  core->waiting[STACK_barrier] -= core->groups[group_place].waiting;
  core->groups[group_place].waiting = 0;
  for (uint32_t i = first; i < first + replay->warps_per_group; i++)
    if (core->warps[i].at_barrier) {
      core->warps[i].at_barrier = false;
      core_go_on_rarely(replay, core, i, on);
    }
}

/* Releases the barrier if all warps that have not ended wait at it. */
static inline void check_barrier(struct gpu_replay *replay, struct core *core, uint32_t group_place,
                                 struct mechanisms on) {
  struct resident_group *group = &core->groups[group_place];
  if (group->waiting > 0 && group->waiting == group->live)
    release_barrier(replay, core, group_place, on);
}

static inline void end_warp(struct gpu_replay *replay, struct core *core, uint32_t group_place, struct mechanisms on) {
  struct resident_group *group = &core->groups[group_place];
  group->live--;
  if (group->live == 0) {
    group->taken = false;
    if (on.rare)
      REPLAY_ANNOUNCE(replay, group, core->id, group_place, group->group, false, core->now);
    core->free_places++;
  }
  check_barrier(replay, core, group_place, on);
}

/* Lets the warp wait for an access whose end is not known yet. With queues the wait counts for the load/store unit
 * until the access has passed it. Without queues the access is at L2, and whether it hits there decides the
 * component. */
CORE_INLINE void wait_for_unknown(struct core *core, struct resident_warp *warp, struct mechanisms on) {
  warp->unknown = true;
  if (on.queued)
    core->waiting[STACK_lsu]++;
  else
    core->unknown_waits++;
}

/* Finds the event after `begun`, which the warp has just begun. */
CORE_INLINE void read_next_event(const struct core *core, struct resident_warp *warp, enum warp_event begun,
                                 struct mechanisms on) {
  if (on.rare && warp->warp.at && warp->warp.uses) {
    warp->warp.event = (uint8_t)warp_after_with_uses(&warp->warp, core->context, begun);
    return;
  }
  warp->warp.event =
      (uint8_t)(warp->warp.at ? uniform_after(&warp->warp, begun) : warp_next(&warp->warp, core->context));
}

/* Returns whether the warp waits for outstanding accesses before its next event, under `dependency`. Uses of values
 * that have arrived take no time. */
CORE_INLINE bool waits_for_outstanding(struct core *core, uint32_t index, struct mechanisms on) {
  struct resident_warp *warp = &core->warps[index];
  struct outstanding_access wait;
  for (;;) {
    if (warp->warp.event == WARP_RUN) /* a run ends before the first use of a value that has not arrived */
      return false;
    if (outstanding_wait(&warp->outstanding, (enum warp_event)warp->warp.event, warp_use(&warp->warp), core->now,
                         &wait)) {
      if (wait.done == CORE_UNKNOWN)
        wait_for_unknown(core, warp, on);
      else
        core_sleep_until(core, index, wait.done, wait.waits);
      return true;
    }
    if (warp->warp.event != WARP_USE)
      return false;
    read_next_event(core, warp, WARP_USE, on);
  }
}

static inline void stand_at_barrier(struct gpu_replay *replay, struct core *core, struct resident_warp *warp,
                                    struct mechanisms on) {
  warp->at_barrier = true;
  core->groups[warp->group_place].waiting++;
  core->waiting[STACK_barrier]++;
  check_barrier(replay, core, warp->group_place, on);
}

/* Continues the warp of a recorded launch: it joins the ready ones, arrives at a barrier, or ends. */
CORE_INLINE void recorded_go_on(struct gpu_replay *replay, struct core *core, uint32_t index, struct mechanisms on) {
  const uint32_t age = recorded_age(replay, core, index);
  const uint16_t number = recorded_at(replay->recorded->lists->events, core->recorded[age].next, on);
  if (number == EVENT_END) {
    end_warp(replay, core, core->warps[index].group_place, on);
    return;
  }
  core->recorded[age].next++;
  if (number == EVENT_ARRIVE)
    stand_at_barrier(replay, core, &core->warps[index], on);
  else
    recorded_push_ready(core, age, number);
}

/* Continues the warp with its next event: it joins the ready ones or ends. */
CORE_INLINE void core_go_on(struct gpu_replay *replay, struct core *core, uint32_t index, struct mechanisms on) {
  struct resident_warp *warp = &core->warps[index];
  if (on.dependency && waits_for_outstanding(core, index, on))
    return;
  if (on.recorded)
    recorded_go_on(replay, core, index, on);
  else if (warp->warp.event == WARP_DONE)
    end_warp(replay, core, warp->group_place, on);
  else
    core_push_ready(core, warp->warp.rank);
}

/* Calls core_go_on from a function that is not inline. */
static inline void core_go_on_rarely(struct gpu_replay *replay, struct core *core, uint32_t index,
                                     struct mechanisms on) {
  core_go_on(replay, core, index, on);
}

/* Finishes the warp's event on its engine. */
CORE_INLINE void core_finish_event(struct gpu_replay *replay, struct core *core, uint32_t index, struct mechanisms on) {
  struct resident_warp *warp = &core->warps[index];
  const bool access = on.recorded || warp->warp.under_way == WARP_ACCESS;
  if (!on.recorded && warp->warp.under_way == WARP_BARRIER)
    stand_at_barrier(replay, core, warp, on);
  else if (!on.blocking && !on.dependency && access && warp->latency == CORE_UNKNOWN)
    wait_for_unknown(core, warp, on);
  else if (!on.blocking && !on.dependency && access && warp->latency > 0)
    core_sleep_until(core, index, core->now + warp->latency, warp->waits);
  else if (on.rare && !on.blocking && !on.recorded && warp->warp.under_way == WARP_RUN && warp->pipes_end > core->now)
    core_sleep_until(core, index, warp->pipes_end, STACK_pipe);
  else
    core_go_on(replay, core, index, on);
}

#endif

/* Warps of a core become ready, wait, end. Bodies for the replay loop (core.c), which makes `on` constant. */
#ifndef MODEL_CORE_WARPS_H
#define MODEL_CORE_WARPS_H

#include "model/replay/recorded/recorded_warps.h"
#include "model/warp/warp_uniform.h"

static inline void core_go_on_rarely(struct gpu_replay *replay, struct core *core, uint32_t index,
                                     struct mechanisms on);

static inline void release_barrier(struct gpu_replay *replay, struct core *core, uint32_t slot, struct mechanisms on) {
  uint32_t first = slot * replay->warps_per_group;
  core->waiting[STACK_barrier] -= core->groups[slot].waiting;
  core->groups[slot].waiting = 0;
  for (uint32_t i = first; i < first + replay->warps_per_group; i++)
    if (core->warps[i].at_barrier) {
      core->warps[i].at_barrier = false;
      core_go_on_rarely(replay, core, i, on);
    }
}

/* Releases the barrier when all warps that have not ended wait at it. */
static inline void check_barrier(struct gpu_replay *replay, struct core *core, uint32_t slot, struct mechanisms on) {
  struct resident_group *group = &core->groups[slot];
  if (group->waiting > 0 && group->waiting == group->live)
    release_barrier(replay, core, slot, on);
}

static inline void end_warp(struct gpu_replay *replay, struct core *core, uint32_t slot, struct mechanisms on) {
  struct resident_group *group = &core->groups[slot];
  group->live--;
  if (group->live == 0) {
    group->taken = false;
    if (on.rare)
      REPLAY_ANNOUNCE(replay, group, core->id, slot, group->group, false, core->now);
    core->free_slots++;
  }
  check_barrier(replay, core, slot, on);
}

/* The warp waits for an access whose end is not known yet. With queues that counts as waiting for the load/store unit
 * until the access has passed it; without queues the access is at L2, and whether it hits there decides what the wait
 * counts as. */
CORE_INLINE void wait_for_unknown(struct core *core, struct resident_warp *warp, struct mechanisms on) {
  warp->unknown = true;
  if (on.queued)
    core->waiting[STACK_lsu]++;
  else
    core->unknown_waits++;
}

/* Finds the event after `begun`, which the warp has just begun. */
CORE_INLINE void read_next_event(const struct core *core, struct resident_warp *warp, enum warp_event begun) {
  warp->warp.event =
      (uint8_t)(warp->warp.at ? uniform_after(&warp->warp, begun) : warp_next(&warp->warp, core->context));
}

/* dependency: returns whether the warp waits for outstanding accesses before its next event. Uses of values that have
 * arrived take no time. */
CORE_INLINE bool waits_for_outstanding(struct core *core, uint32_t index, struct mechanisms on) {
  struct resident_warp *warp = &core->warps[index];
  struct outstanding_access wait;
  for (;;) {
    if (warp->warp.event == WARP_RUN) /* ends before the first use of what is not there */
      return false;
    if (outstanding_wait(&warp->outstanding, (enum warp_event)warp->warp.event, warp->warp.op, core->now, &wait)) {
      if (wait.done == CORE_UNKNOWN)
        wait_for_unknown(core, warp, on);
      else
        core_sleep_until(core, index, wait.done, wait.waits);
      return true;
    }
    if (warp->warp.event != WARP_USE)
      return false;
    read_next_event(core, warp, WARP_USE);
  }
}

static inline void stand_at_barrier(struct gpu_replay *replay, struct core *core, struct resident_warp *warp,
                                    struct mechanisms on) {
  warp->at_barrier = true;
  core->groups[warp->slot].waiting++;
  core->waiting[STACK_barrier]++;
  check_barrier(replay, core, warp->slot, on);
}

/* The warp goes on in its list: joins the ready ones, arrives at a barrier, or ends. */
CORE_INLINE void recorded_go_on(struct gpu_replay *replay, struct core *core, uint32_t index, struct mechanisms on) {
  const uint32_t age = recorded_age(replay, core, index);
  const uint16_t number = recorded_at(replay->recorded->lists->events, core->recorded[age].next, on);
  if (number == EVENT_END) {
    end_warp(replay, core, core->warps[index].slot, on);
    return;
  }
  core->recorded[age].next++;
  if (number == EVENT_ARRIVE)
    stand_at_barrier(replay, core, &core->warps[index], on);
  else
    recorded_push_ready(core, age, number);
}

/* The warp goes on with its next event: joins the ready ones or ends. */
CORE_INLINE void core_go_on(struct gpu_replay *replay, struct core *core, uint32_t index, struct mechanisms on) {
  struct resident_warp *warp = &core->warps[index];
  if (on.dependency && waits_for_outstanding(core, index, on))
    return;
  if (on.recorded)
    recorded_go_on(replay, core, index, on);
  else if (warp->warp.event == WARP_DONE)
    end_warp(replay, core, warp->slot, on);
  else
    core_push_ready(core, warp->warp.rank);
}

/* The same, not inline. */
static inline void core_go_on_rarely(struct gpu_replay *replay, struct core *core, uint32_t index,
                                     struct mechanisms on) {
  core_go_on(replay, core, index, on);
}

/* The engine has finished the warp's event. */
CORE_INLINE void core_finish_event(struct gpu_replay *replay, struct core *core, uint32_t index, struct mechanisms on) {
  struct resident_warp *warp = &core->warps[index];
  const bool access = on.recorded || warp->warp.under_way == WARP_ACCESS;
  if (!on.recorded && warp->warp.under_way == WARP_BARRIER)
    stand_at_barrier(replay, core, warp, on);
  else if (!on.blocking && !on.dependency && access && warp->latency == CORE_UNKNOWN)
    wait_for_unknown(core, warp, on);
  else if (!on.blocking && !on.dependency && access && warp->latency > 0)
    core_sleep_until(core, index, core->now + warp->latency, warp->waits);
  else
    core_go_on(replay, core, index, on);
}

#endif

/* Sends the accesses of a core to L2 and completes them when L2 has served them: charges the cycle stack, lets the warp
 * or its execution engine wait, and counts outstanding accesses. These are inline functions of the replay loop
 * (core.c), which makes `on` constant. */
#ifndef MODEL_CORE_ANSWERS_H
#define MODEL_CORE_ANSWERS_H

#include <assert.h>

#include "model/replay/core_warps.h"

/* ---- the end of an access whose latency is known ---- */

/* An access whose end is known; `lsu` and `bandwidth` are 0 if it did not queue. */
struct outcome {
  const struct memory_access *access;
  uint64_t lsu, bandwidth; /* ticks in the load/store unit and its link; ticks in queues at L2 and behind it */
};

static inline uint64_t outcome_ticks(const struct outcome *outcome) {
  return outcome->lsu + outcome->bandwidth + memory_ticks(outcome->access);
}

/* Returns the component that the wait for an access is charged to: the queue that takes longer than all else, or else
 * the furthest level of memory. */
static inline enum stack_component slowest(const struct outcome *outcome) {
  const struct memory_access *access = outcome->access;
  if (outcome->bandwidth > outcome->lsu && outcome->bandwidth > memory_ticks(access))
    return STACK_bandwidth;
  if (outcome->lsu > memory_ticks(access))
    return STACK_lsu;
#define X(part)                                                                                                        \
  if (access->part##_ticks > memory_ticks(access) - access->part##_ticks)                                              \
    return STACK_##part;
  MEMORY_EXTRAS(X)
#undef X
  enum stack_component furthest = STACK_store;
#define X(level) furthest = access->level##_ticks ? STACK_##level : furthest;
  MEMORY_LEVELS(X)
#undef X
  return furthest;
}

/* Charges each part of the access's latency to its component. */
static inline void charge_parts(struct core *core, uint32_t op, const struct memory_access *access) {
#define X(part) core_charge(core, op, STACK_##part, access->part##_ticks);
  MEMORY_PARTS(X)
#undef X
}

/* Charges the access under `blocking`, where it holds the engine while it lasts. */
CORE_INLINE void charge_engine(struct core *core, uint32_t op, const struct outcome *outcome, struct mechanisms on) {
  const struct memory_access *access = outcome->access;
  if (on.recorded) { /* costs that do not depend on time have been added up before */
    core->stack[STACK_atomic] += access->atomic_ticks;
    core->stack[STACK_lsu] += outcome->lsu;
    core->stack[STACK_bandwidth] += outcome->bandwidth;
    return;
  }
  if (access->op_class == OP_STORE)
    core_charge(core, op, STACK_store, access->store_ticks);
  else if (access->l1_ticks == memory_ticks(access))
    core_charge(core, op, STACK_l1, access->l1_ticks);
  else
    charge_parts(core, op, access);
  if (on.queued) {
    core_charge(core, op, STACK_lsu, outcome->lsu);
    core_charge(core, op, STACK_bandwidth, outcome->bandwidth);
  }
}

/* Returns the ticks for which the engine issues `transactions` transactions, under switch_on_access and dependency. */
static inline uint64_t issue_ticks(const struct gpu_replay *replay, uint32_t transactions) {
  return core_slots_ticks(replay, transactions * replay->transaction_slots);
}

/* Issues an access of the warp that ends `ticks` after its issue, or CORE_UNKNOWN if that is not known yet. Returns the
 * time at which it is issued. */
CORE_INLINE uint64_t issue_access(struct core *core, uint32_t index, uint64_t issue, uint64_t ticks,
                                  enum stack_component waits, struct mechanisms on) {
  struct resident_warp *warp = &core->warps[index];
  uint64_t done = ticks == CORE_UNKNOWN ? CORE_UNKNOWN : core->now + issue + ticks;
  if (!on.recorded)
    core_charge(core, warp->warp.op, STACK_issue, issue);
  warp->waits = (uint8_t)waits;
  warp->latency = ticks;
  if (on.dependency)
    outstanding_push(&warp->outstanding, (struct outstanding_access){done, warp_use(&warp->warp), warp->waits});
  if (core->limit.limit > 0 && done != CORE_UNKNOWN)
    time_queue_push(&core->limit.ends, (struct time_entry){done, 0});
  warp->admitted = false;
  return core->now + issue;
}

/* ---- the way to L2 ---- */

/* Returns the time at which the first answer may be needed. With queues, and warps that wait without an engine, it is
 * the time when the next access arrives at L2, because from then on the wait belongs to another component. */
CORE_INLINE uint64_t core_first_answer(struct core *core, struct mechanisms on) {
  return on.queued && !on.blocking ? lsu_next_arrival(&core->lsu) : lsu_earliest(&core->lsu);
}

/* Sets the time up to which the core may run. */
CORE_INLINE void core_look_ahead(const struct gpu_replay *replay, struct core *core, struct mechanisms on) {
  const uint64_t answer = core_first_answer(core, on);
  core->horizon = answer < replay->until ? answer : replay->until;
}

/* Returns core_first_answer after an access has just been sent: the value before, unless this access is earlier. */
CORE_INLINE uint64_t core_later_answer(struct core *core, const struct lsu_access *sent, struct mechanisms on) {
  const uint64_t arrives = lsu_next_arrival(&core->lsu);
  return on.blocking && arrives != UINT64_MAX && sent->earliest > arrives ? sent->earliest : arrives;
}

/* Sends the access towards L2, and moves the horizon if its answer may be needed earlier. */
CORE_INLINE void send(struct gpu_replay *replay, struct core *core, uint32_t index, uint64_t issue, uint32_t op,
                      const struct memory_access *access, struct mechanisms on) {
  const bool store = access->op_class == OP_STORE;
  struct lsu_access *sent = lsu_push(&core->lsu, on.queued, index, core->now, issue, op, access);
  if (!sent) {
    replay->no_memory = replay->too_long = true;
    return;
  }
  /* Merging may remove the latency of L2. */
  const uint64_t least =
      on.recorded ? memory_ticks(access)
                  : access->store_ticks + access->l1_ticks + (on.queued && core->lsu.mshrs ? 0 : access->l2_ticks);
  sent->earliest = !on.queued && store ? UINT64_MAX : (sent->timed ? sent->arrives : core->now) + issue + least;
  const uint64_t answer = on.queued ? core_later_answer(core, sent, on) : sent->earliest;
  if (answer < core->horizon)
    core->horizon = answer;
  if (++core->pushed >= CORE_RUN_AHEAD) /* the accesses must be served now */
    core->horizon = core->now;
}

static inline struct replay_event event_of(const struct core *core, uint32_t index) {
  const struct resident_warp *warp = &core->warps[index];
  return (struct replay_event){core->id, index, core->groups[warp->group_place].group, &warp->warp, core->now};
}

static inline void announce_access(struct gpu_replay *replay, const struct core *core, uint32_t index) {
  const struct replay_event event = event_of(core, index);
  REPLAY_ANNOUNCE(replay, access, &event, &core->access);
}

/* Finishes an access without queues: its end is known unless a load or an atomic goes to L2. Returns the time until
 * which it takes the engine. */
CORE_INLINE uint64_t access_at_once(struct gpu_replay *replay, struct core *core, uint32_t index,
                                    struct mechanisms on) {
  struct resident_warp *warp = &core->warps[index];
  const struct memory_access *access = &core->access;
  const bool known = access->shared == 0 || access->op_class == OP_STORE;
  const uint64_t issue = on.blocking ? 0 : issue_ticks(replay, access->passes);
  struct outcome outcome = {.access = access};
  if (on.rare && known)
    REPLAY_ANNOUNCE(replay, access_end, warp->warp.op, memory_ticks(access));
  if (memory_goes_on(access))
    send(replay, core, index, issue, warp->warp.op, access, on);
  if (on.blocking) {
    if (known)
      charge_engine(core, warp->warp.op, &outcome, on);
    return known ? core->now + memory_ticks(access) : CORE_UNKNOWN;
  }
  return issue_access(core, index, issue, known ? memory_ticks(access) : CORE_UNKNOWN, slowest(&outcome), on);
}

/* ---- the answer ---- */

/* Makes the engine that the warp's access holds busy until `end`, which has just become known. */
static inline void core_release_engine(struct core *core, uint32_t warp, uint64_t end) {
  uint32_t i = 0;
  while (core->engines[i].warp != warp)
    i++;
  assert(i < core->busy && core->engines[i].end == CORE_UNKNOWN);
  for (; i + 1 < core->busy && core->engines[i + 1].end > end; i++)
    core->engines[i] = core->engines[i + 1];
  core->engines[i] = (struct engine_use){end, warp};
}

/* Notes that the end of the warp's access is known: a warp that waits for it sleeps until then. Under `dependency` it
 * is tested again whether the warp can continue. */
CORE_INLINE void resolve_warp(struct gpu_replay *replay, struct core *core, uint32_t index, uint64_t done,
                              uint64_t ticks, enum stack_component waits, struct mechanisms on) {
  struct resident_warp *warp = &core->warps[index];
  if (on.dependency) {
    outstanding_resolve(&warp->outstanding, done, (uint8_t)waits);
  } else {
    warp->latency = ticks;
    warp->waits = (uint8_t)waits;
  }
  if (!warp->unknown)
    return;
  warp->unknown = false;
  if (on.queued)
    core->waiting[STACK_lsu]--;
  else
    core->unknown_waits--;
  if (on.dependency && !on.queued)
    core_go_on(replay, core, index, on);
  else
    core_sleep_until(core, index, on.dependency ? core->now : done, (uint8_t)waits);
}

/* Returns the time at which the access is over. */
CORE_INLINE uint64_t answer_done(struct gpu_replay *replay, const struct lsu_access *answer, uint64_t ticks,
                                 struct mechanisms on) {
  const uint64_t done = answer->issued + answer->issue + ticks;
  if (done > MAX_TICKS)
    replay->too_long = true;
  if (on.rare)
    REPLAY_ANNOUNCE(replay, access_end, answer->op, ticks);
  return done;
}

CORE_INLINE void resolve(struct gpu_replay *replay, struct core *core, const struct lsu_access *answer,
                         const struct outcome *outcome, struct mechanisms on) {
  const uint64_t ticks = outcome_ticks(outcome), done = answer_done(replay, answer, ticks, on);
  if (on.blocking) {
    charge_engine(core, answer->op, outcome, on);
    core_release_engine(core, answer->warp, done);
    return;
  }
  if (core->limit.limit > 0)
    time_queue_push(&core->limit.ends, (struct time_entry){done, 0});
  resolve_warp(replay, core, answer->warp, done, ticks, slowest(outcome), on);
}

static inline struct outcome outcome_of(const struct lsu_access *answer) {
  return (struct outcome){&answer->access, answer->arrives - answer->issued, answer->wait};
}

/* Returns whether the core may use the answer now. Under `blocking` only the end of the access depends on it, so that
 * an answer whose end is after answer->known may be used at once. */
CORE_INLINE bool may_be_known(const struct core *core, const struct lsu_access *answer, const struct outcome *outcome,
                              struct mechanisms on) {
  return answer->known <= core->now || (on.blocking && answer->issued + outcome_ticks(outcome) > answer->known);
}

/* Takes the answers that have come and that the core may use. */
CORE_INLINE void core_collect(struct gpu_replay *replay, struct core *core, struct mechanisms on) {
  struct lsu_access *answer;
  while ((answer = lsu_oldest_served(&core->lsu))) {
    if (on.queued || answer->earliest != UINT64_MAX) { /* otherwise it is a store, for which no warp waits */
      const struct outcome outcome = outcome_of(answer);
      if (on.queued && !may_be_known(core, answer, &outcome, on))
        return;
      resolve(replay, core, answer, &outcome, on);
    }
    lsu_collect(&core->lsu);
  }
}

/* Completes an access under `blocking` that has just been sent and stays in the core, with none before it. Returns the
 * time at which it is over, or CORE_UNKNOWN. */
CORE_INLINE uint64_t end_at_once(struct gpu_replay *replay, struct core *core, struct mechanisms on) {
  const struct lsu_access *answer = lsu_oldest_served(&core->lsu);
  const struct outcome outcome = outcome_of(answer);
  if (!may_be_known(core, answer, &outcome, on))
    return CORE_UNKNOWN;
  charge_engine(core, answer->op, &outcome, on);
  const uint64_t done = answer_done(replay, answer, outcome_ticks(&outcome), on);
  lsu_collect(&core->lsu);
  return done;
}

CORE_INLINE uint64_t access_queued(struct gpu_replay *replay, struct core *core, uint32_t index, uint64_t issue,
                                   uint32_t op, const struct memory_access *access, struct mechanisms on) {
  send(replay, core, index, issue, op, access, on);
  if (!on.blocking)
    return issue_access(core, index, issue, CORE_UNKNOWN, STACK_lsu, on);
  return core->lsu.served == 1 && core->lsu.count == 1 ? end_at_once(replay, core, on) : CORE_UNKNOWN;
}

/* ---- the limit of outstanding accesses ---- */

/* Returns whether the access may be outstanding beside the others of the core. Otherwise the warp waits until one
 * ends. */
static inline bool admit_access(struct core *core, uint32_t index) {
  if (core->warps[index].admitted || outstanding_limit_take(&core->limit, index)) {
    core->warps[index].admitted = true;
    return true;
  }
  core->waiting[STACK_lsu]++;
  return false;
}

/* For each access that ends now, lets the warp that has waited longest begin one. */
static inline void core_end_accesses(struct core *core) {
  uint32_t index;
  while (core->limit.ends.first == core->now)
    if (outstanding_limit_pass_on(&core->limit, &index)) {
      core->warps[index].admitted = true;
      core->waiting[STACK_lsu]--;
      core_push_ready(core, core->warps[index].warp.rank);
    }
}

#endif

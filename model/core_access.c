/* Memory accesses of a core's warps: what the execution engine, the warp and the core's limits make of them. */
#include <assert.h>

#include "model/core.h"

static void begin_access(struct engine *engine, struct core *core, const struct warp *warp) {
  struct lane_addresses lanes;
  warp_addresses(warp, engine->context, &lanes);
  memory_begin(&engine->memory, core->id, (enum trace_op_class)engine->trace->code.ops[warp->op].op_class, &lanes,
               &core->access);
  core->access_begun = true;
}

/* ---- what comes of an access once its latency is known ---- */

/* An access that is over; when it did not queue, `lsu` and `bandwidth` are 0. */
struct outcome {
  const struct memory_access *access;
  uint64_t issue, lsu, bandwidth; /* ticks */
};

static uint64_t outcome_ticks(const struct outcome *outcome) {
  return outcome->lsu + outcome->bandwidth + memory_ticks(outcome->access);
}

/* What waiting for it counts as: the queues where they take longer than all else, or the furthest level. */
static enum stack_component slowest(const struct outcome *outcome) {
  const struct memory_access *access = outcome->access;
  if (outcome->bandwidth > outcome->lsu && outcome->bandwidth > memory_ticks(access))
    return STACK_bandwidth;
  if (outcome->lsu > memory_ticks(access))
    return STACK_lsu;
  if (access->dram_ticks)
    return STACK_dram;
  if (access->l2_ticks)
    return STACK_l2;
  return access->l1_ticks ? STACK_l1 : STACK_store;
}

/* blocking: the engine is held while the access lasts. */
static void charge_engine(struct engine *engine, struct core *core, uint32_t op, const struct outcome *outcome) {
  const struct memory_access *access = outcome->access;
  core_charge(engine, core, op, STACK_store, access->store_ticks);
  core_charge(engine, core, op, STACK_l1, access->l1_ticks);
  core_charge(engine, core, op, STACK_l2, access->l2_ticks);
  core_charge(engine, core, op, STACK_dram, access->dram_ticks);
  if (outcome->lsu | outcome->bandwidth) {
    core_charge(engine, core, op, STACK_lsu, outcome->lsu);
    core_charge(engine, core, op, STACK_bandwidth, outcome->bandwidth);
  }
}

/* switch_on_access, dependency: the engine issues the transactions, one slot each. */
static uint64_t issue_ticks(const struct engine *engine, const struct memory_access *access) {
  return core_slots_ticks(engine, (uint64_t)access->transactions * PRICE_ONE);
}

static uint32_t use_of(const struct engine *engine, uint32_t op_index) {
  const struct trace_op *op = &engine->trace->code.ops[op_index];
  return op->op_class == OP_STORE ? TRACE_NO_OP : op->first_use;
}

/* The access that the first ready warp issues now will end `ticks` after its issue; CORE_UNKNOWN: not known yet. */
static void issue_access(struct engine *engine, struct core *core, struct resident_warp *warp, uint64_t issue,
                         uint64_t ticks, enum stack_component waits) {
  uint64_t done = ticks == CORE_UNKNOWN ? CORE_UNKNOWN : core->now + issue + ticks;
  core_charge(engine, core, warp->warp.op, STACK_issue, issue);
  warp->waits = (uint8_t)waits;
  warp->latency = core->flights ? 0 : ticks;
  if (core->flights)
    flight_push(&warp->flights, (struct flight){done, use_of(engine, warp->warp.op), warp->waits});
  if (core->places.limit > 0 && done != CORE_UNKNOWN)
    time_heap_push(&core->places.ends, (struct time_entry){done, 0});
  warp->has_place = false;
  core_occupy_until(engine, core, core->now + issue);
}

/* ---- accesses that do not queue ---- */

static void record_access(struct engine *engine, const struct core *core, const struct resident_warp *warp) {
  const struct memory_access *access = &core->access;
  const struct own_outcome own = {(enum trace_op_class)access->op_class, access->lines, access->transactions,
                                  access->shared, access->missed};
  event_recorder_access(engine->recorder, core_resident(engine, core, warp), core->id, &own);
}

static bool finish_at_once(struct engine *engine, struct core *core, struct resident_warp *warp) {
  struct outcome outcome = {.access = &core->access};
  if (core->access.shared > 0) {
    if (!core_its_turn(engine, core))
      return false;
    memory_finish(&engine->memory, &core->access);
  }
  core->access_begun = false;
  if (engine->recorder)
    record_access(engine, core, warp);
  if (engine->spec->memory == MEMORY_BLOCKING) {
    charge_engine(engine, core, warp->warp.op, &outcome);
    warp->latency = 0;
    core_occupy_until(engine, core, core->now + memory_ticks(&core->access));
  } else {
    issue_access(engine, core, warp, issue_ticks(engine, &core->access), memory_ticks(&core->access),
                 slowest(&outcome));
  }
  return true;
}

/* ---- accesses that queue ---- */

static void queue_access(struct engine *engine, struct core *core, struct resident_warp *warp) {
  const bool blocking = engine->spec->memory == MEMORY_BLOCKING;
  uint64_t issue = blocking ? 0 : issue_ticks(engine, &core->access);
  uint32_t index = core->ready[core->ready_head & core->ready_mask];
  core->access_begun = false;
  if (!lsu_push(&core->lsu, index, core->now, issue, warp->warp.op, &core->access)) {
    engine->no_memory = engine->too_long = true;
    return;
  }
  if (blocking) {
    warp->latency = 0;
    core_occupy_until(engine, core, CORE_UNKNOWN);
  } else {
    issue_access(engine, core, warp, issue, CORE_UNKNOWN, STACK_lsu);
  }
}

static void release_engine(struct core *core, uint32_t warp, uint64_t end) {
  uint32_t i = 0;
  while (core->engines[i].warp != warp)
    i++;
  assert(i < core->busy && core->engines[i].end == CORE_UNKNOWN);
  core->engines[i].end = end;
}

/* The warp that waits for the access learns when it ends. Under `dependency` it looks again whether it can go on. */
static void tell_warp(struct core *core, uint32_t index, uint64_t done, uint64_t ticks, enum stack_component waits) {
  struct resident_warp *warp = &core->warps[index];
  if (core->flights) {
    flight_resolve(&warp->flights, done, (uint8_t)waits);
  } else {
    warp->latency = ticks;
    warp->waits = (uint8_t)waits;
  }
  if (!warp->unknown)
    return;
  warp->unknown = false;
  core->waiting[STACK_lsu]--;
  core_sleep_until(core, index, core->flights ? core->now : done, (uint8_t)waits);
}

/* The head of the queue has been served. */
static void resolve(struct engine *engine, struct core *core, struct lsu_access *head,
                    const struct memory_service *service) {
  uint64_t served = head->arrives + service->wait;
  if (service->merged > served)
    head->access.dram_ticks += service->merged - served;
  if (head->merged > served && head->merged > service->merged)
    head->access.l2_ticks += head->merged - (service->merged > served ? service->merged : served);
  struct outcome outcome = {&head->access, head->issue, head->arrives - head->issued, service->wait};
  uint64_t ticks = outcome_ticks(&outcome), done = head->issued + head->issue + ticks;
  if (done > MAX_TICKS)
    engine->too_long = true;
  if (engine->spec->memory == MEMORY_BLOCKING) {
    charge_engine(engine, core, head->op, &outcome);
    release_engine(core, head->warp, done);
    return;
  }
  if (core->places.limit > 0)
    time_heap_push(&core->places.ends, (struct time_entry){done, 0});
  tell_warp(core, head->warp, done, ticks, slowest(&outcome));
}

bool core_serve(struct engine *engine, struct core *core) {
  struct lsu_access *head;
  while ((head = lsu_head(&core->lsu)) && !engine->too_long) {
    struct memory_service service = {0};
    if (head->access.shared > 0 && head->arrives > core->now)
      return true;
    if (head->access.shared > 0) {
      if (!core_its_turn(engine, core))
        return false;
      service = memory_serve(&engine->memory, &head->access, head->arrives);
    }
    resolve(engine, core, head, &service);
    lsu_pop(&core->lsu, service.comes);
  }
  return true;
}

/* ---- places in flight ---- */

/* False: the access may not be in flight beside the others; the first ready warp left the queue and waits for a place.
 */
static bool find_place(struct core *core, struct resident_warp *warp) {
  uint32_t index = core->ready[core->ready_head & core->ready_mask];
  if (core->places.limit == 0 || warp->has_place || flight_place_take(&core->places, index)) {
    warp->has_place = true;
    return true;
  }
  core->ready_head++;
  core->ready_count--;
  core->waiting[STACK_lsu]++;
  return false;
}

void core_free_places(struct core *core) {
  uint32_t index;
  while (core->places.ends.count > 0 && core->places.ends.entries[0].time == core->now)
    if (flight_place_pass_on(&core->places, &index)) {
      core->warps[index].has_place = true;
      core->waiting[STACK_lsu]--;
      core_push_ready(core, index);
    }
}

/* ---- accesses that take a port beside the load/store unit ---- */

static bool take_port(struct engine *engine, struct core *core, struct resident_warp *warp) {
  const struct port_access access = core_ports_access(engine, core, &warp->warp);
  if (!access.taken)
    return false;
  if (engine->spec->memory == MEMORY_BLOCKING) {
    core_charge(engine, core, warp->warp.op, access.waits, access.ticks);
    warp->latency = 0;
    core_occupy_until(engine, core, core->now + access.ticks);
  } else {
    issue_access(engine, core, warp, core_slots_ticks(engine, (uint64_t)access.transactions * PRICE_ONE), access.ticks,
                 access.waits);
  }
  return true;
}

bool core_start_access(struct engine *engine, struct core *core, struct resident_warp *warp) {
  if (!find_place(core, warp))
    return true;
  if (engine->ports_on && !core->access_begun && take_port(engine, core, warp))
    return true;
  if (!core->access_begun)
    begin_access(engine, core, &warp->warp);
  if (!core->lsu.on)
    return finish_at_once(engine, core, warp);
  queue_access(engine, core, warp);
  return core_serve(engine, core);
}

#include "model/timeline/observer.h"

#include <assert.h>
#include <stdlib.h>

#include "base/array.h"
#include "model/replay/core.h"

/* ---- memory ---- */

static bool core_start(struct observer *o, struct observed_core *core) {
  core->busy = calloc(o->engine_count, sizeof *core->busy);
  core->taken = calloc(o->engine_count, sizeof *core->taken);
  core->warps = calloc((size_t)o->group_place_count * o->warps_per_group, sizeof *core->warps);
  core->group_since = calloc(o->group_place_count, sizeof *core->group_since);
  core->bin_ticks = TICKS_PER_CYCLE;
  return core->busy && core->taken && core->warps && core->group_since;
}

static bool start(void *listener, struct gpu_replay *replay) {
  struct observer *o = listener;
  const struct gpu_spec *spec = replay->spec;
  o->core_count = replay->core_count;
  o->engine_count = replay->execution_engines;
  o->group_place_count = replay->group_places;
  o->warps_per_group = replay->warps_per_group;
  o->group_items = trace_local_size(&replay->trace->header);
  o->code = &replay->trace->code;
  o->op_count = o->code->op_count;
  o->transaction_bytes = (uint32_t)(spec->access_piece_bytes > 0 ? spec->access_piece_bytes : spec->line_bytes);
  o->pass_bytes = (uint32_t)(spec->scratchpad_banks * spec->scratchpad_word_bytes);
  o->cores = calloc(o->core_count, sizeof *o->cores);
  o->ops = calloc(o->op_count + 1u, sizeof *o->ops);
  bool done = o->cores && o->ops;
  for (uint32_t i = 0; i < o->core_count && done; i++)
    done = core_start(o, &o->cores[i]);
  return done;
}

void observer_clear(struct observer *o) {
  for (uint32_t i = 0; i < o->core_count && o->cores; i++) {
    free(o->cores[i].busy);
    free(o->cores[i].taken);
    free(o->cores[i].warps);
    free(o->cores[i].group_since);
    free(o->cores[i].spans);
  }
  free(o->cores);
  free(o->ops);
  *o = (struct observer){.span_limit = o->span_limit, .line = o->line, .context = o->context};
}

/* ---- spans ---- */

static void keep_span(struct observer *o, struct observed_core *core, struct observed_span span) {
  if (o->span_limit == 0 || span.begin == span.end)
    return;
  if (core->span_count == o->span_limit) {
    core->left_out++;
    return;
  }
  if (!array_room(&core->spans, &core->span_capacity, core->span_count + 1, sizeof *core->spans)) {
    o->out_of_memory = true;
    core->left_out++;
    return;
  }
  core->spans[core->span_count++] = span;
}

static enum span_kind kind_of(const struct warp *warp) {
  return warp->event == WARP_RUN ? SPAN_RUN : warp->event == WARP_BARRIER ? SPAN_BARRIER : SPAN_ACCESS;
}

static void event_begin(void *listener, const struct replay_event *e) {
  struct observer *o = listener;
  struct observed_core *core = &o->cores[e->core];
  struct observed_warp *warp = &core->warps[e->place];
  const enum span_kind kind = kind_of(e->warp);
  const bool goes_on = warp->started && warp->group == e->group;
  if (goes_on && warp->kind == SPAN_BARRIER)
    o->ops[warp->op].waited += e->now - warp->since;
  if (goes_on)
    keep_span(o, core,
              (struct observed_span){warp->since, e->now, e->group, e->place % o->warps_per_group, e->place, warp->op,
                                     SPAN_WAIT});
  uint32_t engine = 0;
  while (core->taken[engine])
    engine++;
  assert(engine < o->engine_count);
  core->taken[engine] = true;
  *warp = (struct observed_warp){e->now,        e->group, engine, kind == SPAN_RUN ? TRACE_NO_OP : e->warp->op,
                                 (uint8_t)kind, true};
}

static void event_end(void *listener, uint32_t core_id, uint32_t index, uint64_t now) {
  struct observer *o = listener;
  struct observed_core *core = &o->cores[core_id];
  struct observed_warp *warp = &core->warps[index];
  core->busy[warp->engine] += now - warp->since;
  core->taken[warp->engine] = false;
  keep_span(o, core,
            (struct observed_span){warp->since, now, warp->group, index % o->warps_per_group, warp->engine, warp->op,
                                   warp->kind});
  warp->since = now;
}

/* ---- occupancy ---- */

static void double_bins(struct observed_core *core) {
  for (uint32_t i = 0; i < OBSERVER_BINS; i++)
    core->bins[i] = 2 * i + 1 < OBSERVER_BINS ? core->bins[2 * i] + core->bins[2 * i + 1] : 0;
  core->bin_ticks *= 2;
}

/* Adds the work-items that were resident until now to the bins. */
static void fill_bins(struct observed_core *core, uint64_t now) {
  while (now > core->bin_ticks * OBSERVER_BINS)
    double_bins(core);
  core->resident += core->items * (now - core->since);
  while (core->since < now) {
    const uint64_t bin = core->since / core->bin_ticks, end = (bin + 1) * core->bin_ticks;
    const uint64_t until = end < now ? end : now;
    core->bins[bin] += core->items * (until - core->since);
    core->since = until;
  }
}

static void group_begins_or_ends(void *listener, uint32_t core_id, uint32_t group_place, uint32_t group, bool begins,
                                 uint64_t now) {
  struct observer *o = listener;
  struct observed_core *core = &o->cores[core_id];
  fill_bins(core, now);
  core->items += begins ? o->group_items : -(uint64_t)o->group_items;
  if (begins)
    core->group_since[group_place] = now;
  else
    keep_span(
        o, core,
        (struct observed_span){core->group_since[group_place], now, group, 0, group_place, TRACE_NO_OP, SPAN_GROUP});
}

static void finish(void *listener, const struct gpu_replay *replay, struct replay_result *result) {
  struct observer *o = listener;
  uint64_t widest = TICKS_PER_CYCLE;
  (void)replay;
  o->code = NULL;
  o->ticks = result->ticks;
  for (uint32_t i = 0; i < o->core_count; i++) {
    fill_bins(&o->cores[i], o->ticks);
    widest = o->cores[i].bin_ticks > widest ? o->cores[i].bin_ticks : widest;
  }
  for (uint32_t i = 0; i < o->core_count; i++)
    while (o->cores[i].bin_ticks < widest)
      double_bins(&o->cores[i]);
}

size_t observer_occupancy(const struct observer *o, uint32_t core_id, double items[OBSERVER_BINS],
                          uint64_t *bin_ticks) {
  const struct observed_core *core = &o->cores[core_id];
  const size_t count = (size_t)((o->ticks + core->bin_ticks - 1) / core->bin_ticks);
  for (size_t i = 0; i < count; i++)
    items[i] = (double)core->bins[i] / (double)core->bin_ticks;
  *bin_ticks = core->bin_ticks;
  return count;
}

/* ---- memory operations ---- */

static void lines(void *listener, uint32_t level, uint32_t core, enum trace_op_class op_class, const uint32_t *numbers,
                  uint32_t count) {
  const struct observer *o = listener;
  for (uint32_t i = 0; i < count && o->line; i++)
    o->line(o->context, &(struct observed_line){level, core, numbers[i], op_class});
}

static void looked_up(void *listener, uint32_t level, uint32_t number, uint64_t accesses, uint64_t misses) {
  struct observed_op *op = &((struct observer *)listener)->ops[number];
  *(level == 1 ? &op->accesses : &op->l2_accesses) += accesses;
  *(level == 1 ? &op->l1_misses : &op->l2_misses) += misses;
}

static void access_end(void *listener, uint32_t op, uint64_t ticks) {
  ((struct observer *)listener)->ops[op].waited += ticks;
}

/* Counts an access of a warp, of which one transaction or pass can carry so many bytes. */
static void count_access(struct observer *o, const struct replay_event *event, enum stack_component port,
                         uint32_t transactions, uint32_t most_bytes) {
  struct observed_op *op = &o->ops[event->warp->op];
  const uint32_t bytes = event->warp->count * o->code->ops[event->warp->op].bytes;
  op->executed++;
  op->transactions += transactions;
  op->least += bytes > most_bytes ? (bytes + most_bytes - 1) / most_bytes : 1;
  op->port = (uint8_t)port;
}

static void access_begun(void *listener, const struct replay_event *event, const struct memory_access *access) {
  struct observer *o = listener;
  count_access(o, event, STACK_issue, access->transactions, o->transaction_bytes);
}

static void port_access(void *listener, const struct replay_event *event, enum stack_component port, uint32_t passes) {
  struct observer *o = listener;
  count_access(o, event, port, passes, port == STACK_local ? o->pass_bytes : UINT32_MAX);
}

struct replay_hooks observer_hooks(struct observer *o) {
  return (struct replay_hooks){.listener = o,
                               .start = start,
                               .finish = finish,
                               .group = group_begins_or_ends,
                               .event_begin = event_begin,
                               .event_end = event_end,
                               .access = access_begun,
                               .port_access = port_access,
                               .access_end = access_end,
                               .lines = lines,
                               .looked_up = looked_up};
}

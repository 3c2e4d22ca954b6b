#include "model/replay/one_core.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "model/cache/sectored.h"
#include "model/replay/core.h"

#define DRIFT 8 /* divides the launch's time to give the spread (ONE_CORE_SPREAD_CYCLES) */
/* The order of the cores is kept for this many cycles: a core that is first to use a line is also first with its next
 * accesses, which a warp issues one after the other. */
#define MOMENT_CYCLES 8

/* Returns the largest number of ticks over which the cores send the accesses of one point of their work. */
static uint64_t longest_spread(const struct gpu_replay *replay) {
  return (uint64_t)ONE_CORE_SPREAD_CYCLES * replay->core_count * TICKS_PER_CYCLE;
}

static uint32_t slices_of(const struct gpu_replay *replay) {
  return replay->memory.slices.count > 0 ? replay->memory.slices.count : 1;
}

bool one_core_init(struct one_core *one, const struct gpu_replay *replay, uint32_t access_lines) {
  one->started = calloc(replay->group_count, sizeof *one->started);
  one->lines = calloc(memory_access_room(access_lines), sizeof *one->lines);
  one->comes = calloc(access_lines, sizeof *one->comes);
  one->delays.s = 1; /* every replay draws the same delays */
  one->fluid = (struct l2_fluid){.spread = longest_spread(replay),
                                 .line_ticks = replay->memory.slices.line_ticks / slices_of(replay),
                                 .dram_ticks = replay->memory.slices.dram_line_ticks / slices_of(replay)};
  one->apart = calloc((size_t)replay->group_places * replay->core_count, sizeof *one->apart);
  one->after = calloc(replay->core_count, sizeof *one->after);
  if (one->launch->answers && !l2_asked_init(&one->asked, one->launch->answers))
    return false;
  return calendar_init(&one->later, longest_spread(replay)) && one->apart && one->after && one->started && one->lines &&
         one->comes;
}

void one_core_clear(struct one_core *one) {
  free(one->apart);
  free(one->after);
  free(one->started);
  free(one->lines);
  free(one->comes);
  l2_asked_clear(&one->asked);
  calendar_clear(&one->later);
}

/* ---- work-groups of the other cores ---- */

static void place_of(const struct one_core_launch *launch, uint64_t id, int64_t at[3]) {
  at[0] = (int64_t)(id % launch->groups[0]);
  at[1] = (int64_t)(id / launch->groups[0] % launch->groups[1]);
  at[2] = (int64_t)(id / launch->groups[0] / launch->groups[1]);
}

/* Returns the distance between the work-group `id` of the replayed core and the one that a core runs at the same
 * time. */
static struct apart apart_of(const struct one_core_launch *launch, uint32_t id, uint32_t core) {
  const uint64_t other = id + ((uint64_t)core - launch->core) * launch->stride; /* wraps where it would be negative */
  struct apart apart = {.there = other < one_core_launch_groups(launch)};
  int64_t from[3], to[3];
  place_of(launch, id, from);
  place_of(launch, other, to);
  for (int d = 0; d < 3 && apart.there; d++)
    apart.by[d] = (int32_t)(to[d] - from[d]);
  return apart;
}

void one_core_starts(struct gpu_replay *replay, uint32_t group_place, uint32_t index, uint64_t ticks) {
  struct one_core *one = &replay->one_core;
  struct apart *apart = one->apart + (size_t)group_place * replay->core_count;
  one->started[index] = ticks;
  for (uint32_t core = 0; core < replay->core_count; core++) {
    apart[core] = apart_of(one->launch, replay->trace->groups[index].id, core);
    one->covered += apart[core].there;
  }
}

/* ---- accesses of the other cores ---- */

/* The distance in bytes between another core's access and the replayed core's. */
struct displacement {
  uint32_t arena;   /* global memory; modulo 2^32 */
  uint64_t scratch; /* local or private memory */
};

/* Returns the displacement of the access of the core with this number. */
static struct displacement displacement_of(const struct gpu_replay *replay, uint32_t op, const struct apart *apart,
                                           uint32_t number) {
  const int32_t *step = replay->one_core.launch->step[op];
  const uint64_t items = trace_local_size(&replay->trace->header);
  const bool is_private = replay->trace->code.ops[op].space == SPACE_PRIVATE;
  uint32_t bytes = 0;
  for (int d = 0; d < 3; d++)
    bytes += (uint32_t)apart->by[d] * (uint32_t)step[d];
  return (struct displacement){bytes, (uint64_t)number * replay->group_places *
                                          (is_private ? items * replay->private_stride : replay->local_stride)};
}

static uint32_t displaced(const struct gpu_replay *replay, uint32_t line, const struct displacement *by) {
  const struct line_size *size = &replay->memory.parts.line;
  const uint64_t address = (uint64_t)line * size->bytes;
  return line_of(size, address >> 32 == 0 ? (uint32_t)(address + by->arena) : address + by->scratch);
}

/* Serves lines of another core that arrive together. */
static void serve_entry(struct l2_slices *slices, const struct calendar_entry *entry, uint64_t dram_ticks) {
  if (entry->kind == LATER_HITS) {
    l2_take_rates_of_hits(slices, entry->id, entry->time);
    return;
  }
  for (uint32_t i = 0; i < entry->count; i++)
    if (entry->kind == LATER_WRITE)
      l2_write_to_memory(slices, entry->id + i, entry->time);
    else
      l2_take_rates(slices, entry->id + i, entry->time, dram_ticks, entry->kind != LATER_READ);
}

/* Serves the lines of other cores that arrive until `time`. */
static void serve_until(struct gpu_replay *replay, uint64_t time) {
  struct calendar_entry next;
  while (calendar_take(&replay->one_core.later, time, &next))
    serve_entry(&replay->memory.slices, &next, replay->memory.dram_ticks);
}

static void add_later(struct gpu_replay *replay, struct calendar_entry entry) {
  if (!calendar_add(&replay->one_core.later, entry))
    replay->no_memory = replay->too_long = true;
}

/* Returns a line of those that an access sends to L2: its own, then those that it carries along, and again. */
static uint32_t line_at(const struct memory_access *access, uint64_t i) {
  const uint32_t lines = access->shared + access->fetched + access->evicted;
  const uint32_t at = (uint32_t)(i < lines ? i : i % lines);
  return access->lines[at < access->shared ? at : access->transactions + at - access->shared];
}

/* Adds `count` lines of the access, beginning again at the first when it has fewer. Lines that follow each other are
 * one entry. */
static void add_lines(struct gpu_replay *replay, enum later_use use, const struct memory_access *access, uint64_t count,
                      uint64_t time) {
  uint16_t together;
  for (uint64_t i = 0; i < count && !replay->no_memory; i += together) {
    const uint32_t line = line_at(access, i);
    together = 1;
    while (i + together < count && together < UINT16_MAX && line_at(access, i + together) == line + together)
      together++;
    add_later(replay, (struct calendar_entry){time, line, (uint16_t)use, together});
  }
}

/* Queues the lines of another core's access at L2 and memory: `reads` of them are read from memory, and L2 writes
 * `writes` lines there. The cores of a GPU do not run in lock step, so the access comes at a random time in the next
 * cycles. */
static void serve_later(struct gpu_replay *replay, const struct memory_access *access, uint64_t reads, uint64_t writes,
                        uint64_t now) {
  const struct l2_slices *slices = &replay->memory.slices;
  const uint64_t most = longest_spread(replay), drift = now / DRIFT + 1;
  const uint64_t time = now + random_next(&replay->one_core.delays) % (drift < most ? drift : most);
  const uint64_t lines = access->shared + access->fetched + access->evicted + access->more_line_times;
  add_lines(replay, LATER_READ, access, reads, time);
  add_lines(replay, LATER_WRITE, access, writes, time);
  if (lines <= reads || (slices->line_ticks == 0 && !l2_limits_misses(slices)))
    return;
  if (slices->count == 1 && !l2_limits_misses(slices))
    add_later(replay, (struct calendar_entry){time, (uint32_t)(lines - reads), LATER_HITS, 1});
  else
    add_lines(replay, LATER_HIT, access, lines - reads, time);
}

/* Touches lines of a tag at L2 (NULL: disabled), which need not be sectored. Returns those that it holds. */
static uint32_t touch_lines(struct cache *l2, uint32_t shift, const struct tag_lines *lines) {
  uint32_t held = 0;
  if (l2 && l2->ops->touch_lines)
    return cache_touch_lines(l2, lines->tag, lines->lines);
  for (uint32_t i = 0; l2 && lines->lines >> i; i++)
    if (lines->lines >> i & 1)
      held |= (uint32_t)cache_touch(l2, (lines->tag << shift) + i) << i;
  return held;
}

/* Notes the lines that another core's access fetches: those that L2 does not hold. Cores whose loads wait for each
 * other's lines keep in step, so that the lines are on their way when the replayed core uses them as well, and it waits
 * as long as the others. Returns whether L2 holds all of them. */
static bool note_fetches(struct gpu_replay *replay, const struct memory_access *access, uint64_t now) {
  struct memory_system *memory = &replay->memory;
  const uint32_t shift = memory->tag_shift;
  bool held = true;
  for (uint32_t i = 0; i < access->shared;) {
    const struct tag_lines of = tag_lines_first(shift, access->lines + i, access->shared - i);
    const uint32_t missing = of.lines & ~touch_lines(memory->l2, shift, &of);
    if (missing)
      l2_note_fetches(&memory->slices, of.tag, missing, now + memory->dram_ticks);
    held &= missing == 0;
    i += of.count;
  }
  return held;
}

/* Returns the number by which caches know another core: the replayed one is number 0 there. */
static uint32_t number_of(const struct one_core_launch *launch, uint32_t other) {
  return other == 0 ? launch->core : other;
}

/* Serves the access that another core sends to L2 while the replayed one sends `access`. */
static void serve_other(struct gpu_replay *replay, const struct core *core, const struct lsu_access *access,
                        const struct memory_access *before, const struct apart *apart, uint32_t other) {
  struct memory_access copy = *before;
  copy.core = number_of(replay->one_core.launch, other);
  copy.lines = replay->one_core.lines;
  const struct displacement by = displacement_of(replay, access->op, apart, copy.core);
  const uint32_t own = copy.words == 0 || copy.op_class == OP_ATOMIC ? copy.shared : copy.transactions;
  const uint32_t carried = copy.op_class == OP_ATOMIC ? 0 : copy.fetched + copy.evicted;
  if (copy.words > 0)
    memcpy(copy.lines + own, before->lines + own, copy.words * sizeof *copy.lines);
  for (uint32_t i = 0; i < own; i++)
    copy.lines[i] = displaced(replay, before->lines[i], &by);
  for (uint32_t i = 0; i < carried; i++)
    copy.lines[copy.transactions + i] = displaced(replay, before->lines[copy.transactions + i], &by);
  const struct sim_counters *count = &replay->memory.shared;
  /* Lines, until they are reported as bytes. Lines of which memory reads the rest take memory alone. */
  const uint64_t fills = count->l2_fills, read = count->dram_read_bytes - fills,
                 written = count->dram_written_bytes + fills;
  const bool held = replay->memory.slices.mshrs == MSHRS_ANY_NUMBER && note_fetches(replay, &copy, access->arrives);
  if (!held || !replay->memory.touch_suffices || !memory_finish_held(&replay->memory, &copy))
    memory_finish(&replay->memory, &copy);
  if (core->lsu.queued)
    serve_later(replay, &copy, count->dram_read_bytes - count->l2_fills - read,
                count->dram_written_bytes + count->l2_fills - written, access->arrives);
}

/* Serves the replayed core's own access. */
static struct memory_service serve(struct gpu_replay *replay, const struct core *core, struct memory_access *access,
                                   uint64_t time) {
  if (core->lsu.queued) {
    serve_until(replay, time);
    return memory_serve(&replay->memory, access, time);
  }
  memory_finish(&replay->memory, access);
  return (struct memory_service){0};
}

/* Returns a pseudo-random number that depends on a moment and a core. */
static uint32_t rank_of(uint64_t moment, uint32_t core) {
  struct random_state random = {moment * 1024 + core};
  return (uint32_t)(random_next(&random) >> 32);
}

/* Draws which cores come before the replayed one, if a moment has passed since the last draw. */
static void draw_order(struct one_core *one, uint32_t cores, uint64_t ticks) {
  if (ticks < one->moment_end)
    return;
  one->moment++;
  one->moment_end = ticks + MOMENT_CYCLES * TICKS_PER_CYCLE;
  const uint32_t own = rank_of(one->moment, one->launch->core);
  for (uint32_t core = 0; core < cores; core++)
    one->after[core] = rank_of(one->moment, core) > own;
}

/* Serves an access with the answer that was recorded for it, and with the waits in the queues of this replay. */
static struct memory_service serve_again(struct gpu_replay *replay, struct memory_access *access, uint64_t time) {
  const struct l2_answer answer = l2_asked_next(&replay->one_core.asked, access->lines[0]);
  const uint64_t wait = answer.wait + l2_fluid_serve(&replay->one_core.fluid, &answer, time);
  if (access->op_class != OP_STORE)
    access->dram_ticks = memory_times_waited(&replay->memory, answer.missed) * replay->memory.dram_ticks;
  return (struct memory_service){.wait = wait > answer.fluid ? wait - answer.fluid : 0};
}

static struct l2_counts counts_now(const struct gpu_replay *replay) {
  return l2_counts_of(&replay->memory.shared);
}

static struct l2_counts counts_since(const struct gpu_replay *replay, struct l2_counts before) {
  return l2_counts_since(counts_now(replay), before);
}

/* Records L2's last answer if it is to one of the first work-groups. Returns false when out of memory. */
static bool keep_answer(struct gpu_replay *replay, const struct core *core, const struct lsu_access *access,
                        uint64_t wait) {
  struct one_core *one = &replay->one_core;
  const uint32_t group = core->groups[core->warps[access->warp].group_place].group;
  one->served.wait = (uint32_t)wait;
  one->served.fluid = (uint32_t)l2_fluid_serve(&one->fluid, &one->served, access->arrives);
  return group >= one->launch->recorded_groups ||
         (wait <= UINT32_MAX && l2_answers_add(one->launch->record, access->access.lines[0], one->served));
}

/* Serves an access like one_core_serve, with L2 in place of recorded answers. */
static struct memory_service serve_all(struct gpu_replay *replay, struct core *core, struct lsu_access *access) {
  struct one_core *one = &replay->one_core;
  const struct apart *apart = one->apart + (size_t)core->warps[access->warp].group_place * replay->core_count;
  const struct memory_access before = access->access;
  const struct l2_counts at_first = counts_now(replay);
  struct memory_service service = {0};
  struct l2_counts own = {0};
  draw_order(one, replay->core_count, access->arrives);
  if (core->lsu.queued && access->arrives > 0)
    serve_until(replay, access->arrives - 1);
  for (int after = 0; after < 2; after++) {
    for (uint32_t other = 0; other < replay->core_count; other++)
      if (one->after[other] == after && other != one->launch->core && apart[other].there)
        serve_other(replay, core, access, &before, &apart[other], other);
    if (after)
      break;
    const struct l2_counts at_own = counts_now(replay);
    service = serve(replay, core, &access->access, access->arrives);
    own = counts_since(replay, at_own);
    const uint32_t brought = before.shared > before.fetched ? before.shared : before.fetched;
    if (service.comes)
      service.comes = memcpy(one->comes, service.comes, brought * sizeof *one->comes);
  }
  one->served = l2_answer_of(own, counts_since(replay, at_first));
  return service;
}

struct memory_service one_core_serve(struct gpu_replay *replay, struct core *core, struct lsu_access *access) {
  const struct one_core_launch *launch = replay->one_core.launch;
  if (launch->answers)
    return serve_again(replay, &access->access, access->arrives);
  const struct memory_service service = serve_all(replay, core, access);
  if (launch->record && !keep_answer(replay, core, access, service.wait))
    replay->no_memory = true;
  return service;
}

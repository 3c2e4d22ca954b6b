#include "model/retime/event_recorder.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "model/memory/memory_hierarchy.h"
#include "model/warp/warp.h"

#define NARROW_CLASSES 256u

#define NO_NOTES UINT32_MAX
#define ENOUGH   (1u << 13) /* accesses that are ordered together, which stay in a core's caches */

static bool watch_init(struct event_recorder *r, const struct gpu_spec *spec,
                       const struct cache_watch_variants *variants) {
  if (!r->patterns_on)
    return cache_watch_log_init(&r->log, variants, (uint32_t)spec->cores) &&
           cache_watch_streams_init(&r->streams, variants, &r->log, r->access_lines);
  r->issued = calloc(r->access_lines, sizeof *r->issued);
  return r->issued && recorded_patterns_init(&r->patterns) &&
         memory_watch_init(&r->memories, spec, variants, r->access_lines, &r->patterns);
}

int event_recorder_init(struct event_recorder *r, const struct gpu_spec *spec,
                        const struct cache_watch_variants *variants, bool patterns, uint32_t access_lines,
                        uint64_t warp_count, uint64_t resident_count, struct error *error) {
  const uint32_t width = variants->l1_count + variants->l2_count * (patterns ? 2 : 1);
  *r = (struct event_recorder){.resident_count = resident_count,
                               .core_warps = resident_count / (uint32_t)spec->cores,
                               .patterns_on = patterns,
                               .access_lines = access_lines,
                               .lists.warp_count = warp_count,
                               .enough = ENOUGH};
  r->lists.starts = calloc(warp_count + 1, sizeof *r->lists.starts);
  r->current = malloc((resident_count + 1) * sizeof *r->current);
  r->misses = calloc(width + 1u, sizeof *r->misses);
  if (r->lists.starts && r->current && r->misses && event_classes_init(&r->classes, width) &&
      watch_init(r, spec, variants)) {
    memset(r->current, 0xff, resident_count * sizeof *r->current);
    return 0;
  }
  event_recorder_clear(r);
  return error_set(error, ERROR_WORK, "out of memory for the recording of a replay");
}

void event_lists_clear(struct event_lists *lists) {
  free(lists->events);
  free(lists->starts);
  *lists = (struct event_lists){0};
}

void event_recorder_clear(struct event_recorder *r) {
  for (uint32_t i = 0; i < r->notes_count; i++)
    free(r->notes[i].events);
  free(r->notes);
  free(r->free_notes);
  free(r->current);
  free(r->misses);
  event_lists_clear(&r->lists);
  event_classes_clear(&r->classes);
  cache_watch_log_clear(&r->log);
  cache_watch_streams_clear(&r->streams);
  memory_watch_clear(&r->memories);
  recorded_patterns_clear(&r->patterns);
  free(r->issued);
  *r = (struct event_recorder){0};
}

/* ---- the lists of all warps ---- */

static size_t event_bytes(const struct event_lists *lists) {
  return lists->wide ? sizeof(uint16_t) : sizeof(uint8_t);
}

static bool make_room(struct event_lists *lists, uint64_t more) {
  if (lists->count + more <= lists->capacity)
    return true;
  if (lists->count + more > RECORDER_MOST_EVENTS)
    return false;
  const uint64_t capacity = 2 * (lists->count + more) + 1024;
  void *events = realloc(lists->events, capacity * event_bytes(lists));
  if (!events)
    return false;
  lists->events = events;
  lists->capacity = capacity;
  return true;
}

/* Makes each event two bytes wide, when there are more than 255 classes. Returns false when out of memory. */
static bool widen(struct event_lists *lists) {
  uint16_t *wide = calloc(lists->capacity + 1, sizeof *wide);
  for (uint64_t i = 0; i < lists->count && wide; i++)
    wide[i] = ((const uint8_t *)lists->events)[i];
  if (!wide)
    return false;
  free(lists->events);
  lists->events = wide;
  return lists->wide = true;
}

static bool append(struct event_lists *lists, const uint16_t *events, uint32_t count) {
  if (!make_room(lists, count))
    return false;
  if (lists->wide)
    memcpy((uint16_t *)lists->events + lists->count, events, count * sizeof *events);
  for (uint32_t i = 0; i < count && !lists->wide; i++)
    ((uint8_t *)lists->events)[lists->count + i] = (uint8_t)events[i];
  lists->count += count;
  return true;
}

/* ---- notes of warps ---- */

static bool grow_notes(struct event_recorder *r) {
  uint32_t notes = r->notes_capacity, unused = r->notes_capacity;
  const uint64_t need = (uint64_t)r->notes_capacity + 1;
  if (!array_room_u32(&r->notes, &notes, need, sizeof *r->notes) ||
      !array_room_u32(&r->free_notes, &unused, need, sizeof *r->free_notes))
    return false;
  r->notes_capacity = notes;
  return true;
}

static uint32_t take_notes(struct event_recorder *r) {
  if (r->free_count > 0)
    return r->free_notes[--r->free_count];
  if (r->notes_count == r->notes_capacity && !grow_notes(r))
    return NO_NOTES;
  r->notes[r->notes_count] = (struct warp_notes){0};
  return r->notes_count++;
}

/* Moves the notes of a warp to the lists. */
static void give_notes(struct event_recorder *r, uint32_t number) {
  struct warp_notes *notes = &r->notes[number];
  if (r->classes.count > NARROW_CLASSES && !r->lists.wide)
    r->failed |= !widen(&r->lists);
  r->lists.starts[notes->warp] = r->lists.count;
  r->failed |= r->failed || !append(&r->lists, notes->events, notes->count);
  notes->count = 0;
  notes->ended = false;
  r->free_notes[r->free_count++] = number;
}

static void note(struct event_recorder *r, uint64_t resident, uint16_t event) {
  struct warp_notes *notes = &r->notes[r->current[resident]];
  if (array_room_u32(&notes->events, &notes->capacity, (uint64_t)notes->count + 1, sizeof *notes->events))
    notes->events[notes->count++] = event;
  else
    r->failed = true;
}

static void note_class(struct event_recorder *r, uint64_t resident, const struct event_class *class) {
  const uint16_t number = r->failed ? 0 : event_classes_number(&r->classes, class, NULL);
  r->failed |= number == 0;
  if (!r->failed)
    note(r, resident, number);
}

static void end_warp(struct event_recorder *r, uint64_t resident) {
  const uint32_t number = r->current[resident];
  if (r->failed || number == NO_NOTES)
    return;
  note(r, resident, EVENT_END);
  r->current[resident] = NO_NOTES;
  r->notes[number].ended = true;
  if (!r->failed && r->notes[number].unknown == 0)
    give_notes(r, number);
}

static uint64_t resident_at(const struct event_recorder *r, uint32_t core, uint32_t place) {
  return core * r->core_warps + place;
}

static void warp_started(void *listener, uint32_t core, uint32_t place, uint64_t warp) {
  struct event_recorder *r = listener;
  const uint64_t resident = resident_at(r, core, place);
  end_warp(r, resident);
  const uint32_t number = r->failed ? NO_NOTES : take_notes(r);
  r->failed |= number == NO_NOTES;
  if (r->failed)
    return;
  r->current[resident] = number;
  r->notes[number].warp = warp;
}

/* ---- events ---- */

static void note_run(struct event_recorder *r, uint64_t resident, const struct warp *warp) {
  const uint32_t lanes = warp->at ? 0 : warp->count;
  const struct event_class class = {
      .kind = EVENT_RUN, .slots = warp->slots, .item_slots = lanes ? warp->item_slots : 0, .lanes = lanes};
  note_class(r, resident, &class);
}

static void note_barrier(struct event_recorder *r, uint64_t resident) {
  const struct event_class class = {.kind = EVENT_BARRIER};
  note_class(r, resident, &class);
  if (!r->failed)
    note(r, resident, EVENT_ARRIVE);
}

/* Notes runs and barriers. Accesses are noted when the result of L1 is known. */
static void event_begin(void *listener, const struct replay_event *event) {
  struct event_recorder *r = listener;
  const uint64_t resident = resident_at(r, event->core, event->place);
  if (event->warp->event == WARP_RUN)
    note_run(r, resident, event->warp);
  else if (event->warp->event == WARP_BARRIER)
    note_barrier(r, resident);
}

static void port_access(void *listener, const struct replay_event *event, enum stack_component port, uint32_t passes) {
  struct event_recorder *r = listener;
  const struct event_class class = {.kind = port == STACK_local ? EVENT_SCRATCHPAD : EVENT_UNIFORM,
                                    .transactions = passes};
  note_class(r, resident_at(r, event->core, event->place), &class);
}

static struct event_class access_class(uint32_t op_class, uint32_t transactions) {
  return (struct event_class){.kind = EVENT_ACCESS, .transactions = transactions, .op_class = op_class};
}

/* Keeps the lines of the present access that L1 is about to look up. */
static void lines_issued(void *listener, uint32_t level, uint32_t core, enum trace_op_class op_class,
                         const uint32_t *lines, uint32_t count) {
  struct event_recorder *r = listener;
  (void)core;
  (void)op_class;
  for (uint32_t i = 0; level == 1 && r->issued && i < count && r->issued_count < r->access_lines; i++)
    r->issued[r->issued_count++] = lines[i];
}

/* Lets the watched caches look up the access. Returns false when out of memory. *missing becomes true if its number is
 * known later. */
static bool watch(struct event_recorder *r, const struct replay_event *event, const struct memory_access *access,
                  uint64_t note, bool *missing) {
  if (r->patterns_on)
    return memory_watch_issue(&r->memories, &(struct watched_issue){r->issued, access, event->now, note}, missing);
  const struct watched_access own = {(enum trace_op_class)access->op_class, access->lines, access->transactions,
                                     access->shared};
  return cache_watch_log_access(&r->log, event->core, &own, event->now, note, missing);
}

static void access_begun(void *listener, const struct replay_event *event, const struct memory_access *access) {
  struct event_recorder *r = listener;
  const uint64_t resident = resident_at(r, event->core, event->place);
  bool missing = false;
  r->failed |= access->transactions > UINT16_MAX || (r->patterns_on && r->issued_count != access->transactions);
  r->issued_count = 0;
  if (r->failed)
    return;
  struct warp_notes *notes = &r->notes[r->current[resident]];
  const uint64_t place = (uint64_t)r->current[resident] << 32 | notes->count;
  if (!watch(r, event, access, place, &missing)) {
    r->failed = true;
  } else if (missing) {
    notes->unknown++;
    note(r, resident, 0);
  } else {
    const struct event_class class = access_class(access->op_class, access->transactions);
    note_class(r, resident, &class);
  }
}

/* ---- accesses in order ---- */

static void l2_served(void *listener, uint32_t core, const struct memory_access *access) {
  struct event_recorder *r = listener;
  if (r->failed)
    return;
  if (!r->patterns_on)
    cache_watch_log_served(&r->log, core, access->missed);
  else if (!memory_watch_served(&r->memories, core, access))
    r->failed = true;
}

static uint16_t number_of(struct event_recorder *r, const struct logged_access *access) {
  uint16_t *known = &r->streams.tree.nodes[access->node].class_number;
  if (*known) {
    r->classes.events[*known]++;
    return *known;
  }
  struct event_class class = access_class(access->op_class, access->transactions);
  class.misses = true;
  cache_watch_streams_misses(&r->streams, access->node, r->misses);
  return *known = event_classes_number(&r->classes, &class, r->misses);
}

/* Sets the number of the event at `at`. */
static void set_number(struct event_recorder *r, uint64_t at, uint16_t number) {
  struct warp_notes *notes = &r->notes[at >> 32];
  notes->events[(uint32_t)at] = number;
  r->failed |= number == 0;
  if (--notes->unknown == 0 && notes->ended && !r->failed)
    give_notes(r, (uint32_t)(notes - r->notes));
}

static void number_all(struct event_recorder *r, uint32_t count) {
  for (uint32_t i = 0; i < count && !r->failed; i++)
    set_number(r, r->log.order[i]->note, number_of(r, r->log.order[i]));
}

static void take_entry(void *taker, const struct watched_entry *entry, const uint16_t *outcome) {
  struct event_recorder *r = taker;
  struct event_class class = access_class(entry->op_class, entry->transactions);
  class.misses = true;
  class.rounds = entry->rounds;
  if (!r->failed)
    set_number(r, entry->note, event_classes_number(&r->classes, &class, outcome));
}

static void order_memories(struct event_recorder *r, struct time_entry limit) {
  r->failed |= r->failed || !memory_watch_order(&r->memories, limit, take_entry, r);
  r->enough = 2 * r->memories.entry_count > ENOUGH ? 2 * r->memories.entry_count : ENOUGH;
}

static void order(struct event_recorder *r, struct time_entry limit) {
  if (r->patterns_on) {
    order_memories(r, limit);
    return;
  }
  uint32_t count = 0;
  r->failed |= r->failed || !cache_watch_log_order(&r->log, limit, &count) ||
               !cache_watch_streams_pass(&r->streams, &r->log, count);
  number_all(r, count);
  cache_watch_log_forget(&r->log);
  r->enough = 2 * r->log.access_count > ENOUGH ? 2 * r->log.access_count : ENOUGH;
}

static void complete_until(void *listener, struct time_entry now) {
  struct event_recorder *r = listener;
  if ((r->patterns_on ? r->memories.entry_count : r->log.access_count) >= r->enough && !r->failed)
    order(r, now);
}

struct replay_hooks event_recorder_hooks(struct event_recorder *r) {
  return (struct replay_hooks){.listener = r,
                               .warp_start = warp_started,
                               .event_begin = event_begin,
                               .lines = r->patterns_on ? lines_issued : NULL,
                               .access = access_begun,
                               .port_access = port_access,
                               .l2_served = l2_served,
                               .complete_until = complete_until};
}

bool event_recorder_finish(struct event_recorder *r) {
  order(r, (struct time_entry){UINT64_MAX, UINT32_MAX});
  for (uint64_t i = 0; i < r->resident_count; i++)
    end_warp(r, i);
  return !r->failed;
}

#include "model/event_recorder.h"

#include <stdlib.h>
#include <string.h>

#define NARROW_CLASSES 256u

int event_recorder_init(struct event_recorder *r, struct outcome_variants *variants, uint64_t warp_count,
                        uint64_t resident_count, struct error *error) {
  const uint32_t width = variants->l1_count + variants->l2_count;
  *r = (struct event_recorder){.variants = variants, .resident_count = resident_count, .lists.warp_count = warp_count};
  r->lists.starts = calloc(warp_count + 1, sizeof *r->lists.starts);
  r->notes = calloc(resident_count + 1, sizeof *r->notes);
  r->misses = calloc(width + 1u, sizeof *r->misses);
  if (r->lists.starts && r->notes && r->misses && event_classes_init(&r->classes, width))
    return 0;
  event_recorder_clear(r);
  return error_set(error, ERROR_WORK, "out of memory for the recording of a replay");
}

void event_lists_clear(struct event_lists *lists) {
  free(lists->events);
  free(lists->starts);
  *lists = (struct event_lists){0};
}

void event_recorder_clear(struct event_recorder *r) {
  for (uint64_t i = 0; i < r->resident_count && r->notes; i++)
    free(r->notes[i].events);
  free(r->notes);
  free(r->misses);
  event_lists_clear(&r->lists);
  event_classes_clear(&r->classes);
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

/* A class past 255 has come: from now on an event takes two bytes. */
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

/* ---- one warp ---- */

static void note(struct event_recorder *r, uint64_t resident, uint16_t event) {
  struct warp_notes *notes = &r->notes[resident];
  if (notes->count == notes->capacity) {
    const uint32_t capacity = notes->capacity ? 2 * notes->capacity : 64;
    uint16_t *events = capacity > notes->capacity ? realloc(notes->events, capacity * sizeof *events) : NULL;
    if (!events) {
      r->failed = true;
      return;
    }
    notes->events = events;
    notes->capacity = capacity;
  }
  notes->events[notes->count++] = event;
}

static void note_class(struct event_recorder *r, uint64_t resident, const struct event_class *class,
                       const uint16_t *misses) {
  const uint16_t number = r->failed ? 0 : event_classes_number(&r->classes, class, misses);
  r->failed |= number == 0;
  if (!r->failed)
    note(r, resident, number);
}

static void end_warp(struct event_recorder *r, uint64_t resident) {
  struct warp_notes *notes = &r->notes[resident];
  if (!notes->started || r->failed)
    return;
  note(r, resident, EVENT_END);
  if (r->failed)
    return;
  if (r->classes.count > NARROW_CLASSES && !r->lists.wide)
    r->failed |= !widen(&r->lists);
  r->lists.starts[notes->warp] = r->lists.count;
  r->failed |= !append(&r->lists, notes->events, notes->count);
  notes->count = 0;
  notes->started = false;
}

void event_recorder_start(struct event_recorder *r, uint64_t resident, uint64_t warp) {
  end_warp(r, resident);
  r->notes[resident].warp = warp;
  r->notes[resident].started = true;
}

void event_recorder_run(struct event_recorder *r, uint64_t resident, uint64_t slots, uint64_t item_slots,
                        uint32_t lanes) {
  const struct event_class class = {
      .kind = EVENT_RUN, .slots = slots, .item_slots = lanes ? item_slots : 0, .lanes = lanes};
  note_class(r, resident, &class, NULL);
}

void event_recorder_barrier(struct event_recorder *r, uint64_t resident) {
  const struct event_class class = {.kind = EVENT_BARRIER};
  note_class(r, resident, &class, NULL);
  note(r, resident, EVENT_ARRIVE);
}

void event_recorder_access(struct event_recorder *r, uint64_t resident, uint32_t core, const struct own_outcome *own) {
  struct event_class class = {
      .kind = EVENT_ACCESS, .transactions = own->transactions, .op_class = (uint32_t)own->op_class};
  if (own->transactions > UINT16_MAX)
    r->failed = true;
  if (r->failed)
    return;
  class.misses = outcome_variants_access(r->variants, core, own, r->misses);
  note_class(r, resident, &class, class.misses ? r->misses : NULL);
}

bool event_recorder_finish(struct event_recorder *r) {
  for (uint64_t i = 0; i < r->resident_count; i++)
    end_warp(r, i);
  return !r->failed;
}

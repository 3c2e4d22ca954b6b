/* Classes of events: events of warps that cost the same on all GPUs that differ in latencies and cache sizes only.
 *
 * Purpose: a recording (retime_record.h) stores the small number of an event's class in place of the event. A class is
 * an arithmetic run of a number of slots, a barrier, an access with a number of transactions and of misses in each
 * watched cache, or an access of a port (core_ports.h) with a number of passes.
 * Shapes: misses[] of a class has `width` counts, in the order of cache_watch_variants.h, and, where patterns are
 * recorded, the number of its pattern behind each L2 (recorded_patterns.h). Numbers 0 and 1 are not classes but marks
 * in a warp's list of events: it has ended; it has arrived at a barrier. Cost: a look-up is a hash of the class.
 * Memory: the caller's; event_classes_clear frees. Threads: one writes. */
#ifndef MODEL_EVENT_CLASS_H
#define MODEL_EVENT_CLASS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hash_index.h"
#include "model/replay/recorded/recorded_events.h"

enum event_kind { EVENT_RUN, EVENT_BARRIER, EVENT_ACCESS, EVENT_SCRATCHPAD, EVENT_UNIFORM };
enum { EVENT_MOST_CLASSES = UINT16_MAX, EVENT_RECENT = 64 };

struct event_class {
  uint64_t slots, item_slots; /* RUN: in 1/1024 slot; slots times the items that took part, 0: all items of the warp */
  uint32_t kind;              /* enum event_kind */
  bool misses;                /* ACCESS: whether some line misses some cache */
  uint32_t lanes;             /* RUN of a divergent warp: its items */
  uint32_t transactions;      /* ACCESS; passes of SCRATCHPAD and UNIFORM */
  uint32_t rounds;            /* rounds of all lines of an ACCESS that is an atomic, where patterns are recorded */
  uint32_t op_class;          /* ACCESS: OP_LOAD, OP_STORE, OP_ATOMIC */
};

struct event_classes {
  struct event_class *classes; /* [count]; the first EVENT_FIRST_CLASS are marks */
  uint16_t *misses;            /* [count][width] */
  uint64_t *events;            /* [count]: number of events of each class */
  uint32_t width, count, capacity;
  struct hash_table by_hash;
  uint16_t recent[EVENT_RECENT]; /* by a smaller hash: recent classes without misses, 0: none */
};

bool event_classes_init(struct event_classes *classes, uint32_t width);
void event_classes_clear(struct event_classes *classes);
/* Returns the number of a class and counts the event. `misses` is [width], or NULL when class->misses is false. Returns
 * 0 when out of memory, or if there are too many classes. */
uint16_t event_classes_number(struct event_classes *classes, const struct event_class *class, const uint16_t *misses);

#endif

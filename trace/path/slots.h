/* Hash tables with open addressing. Entries belong to the caller. Internal to trace/. Start from zero. */
#ifndef TRACE_SLOTS_H
#define TRACE_SLOTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct slot {
  uint64_t hash;
  void *entry; /* NULL: empty */
};

struct slots {
  struct slot *slot;
  size_t slot_count, count;
};

uint64_t slots_hash(const void *data, size_t length);
/* Inserts an entry that is not in the table. False: memory ran out. */
bool slots_insert(struct slots *slots, uint64_t hash, void *entry);
void slots_clear(struct slots *slots);

/* Returns the next entry with this hash from place `*at` on, which begins as slots_first says, and moves *at behind
 * it; NULL: there are no more. */
static inline size_t slots_first(const struct slots *slots, uint64_t hash) {
  return hash & (slots->slot_count - 1);
}

static inline void *slots_next(const struct slots *slots, uint64_t hash, size_t *at) {
  if (slots->slot_count == 0)
    return NULL;
  for (;;) {
    const struct slot *s = &slots->slot[*at];
    *at = (*at + 1) & (slots->slot_count - 1);
    if (!s->entry || s->hash == hash)
      return s->entry;
  }
}

#endif

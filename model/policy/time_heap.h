/* A binary heap of (time, id), smallest first; equal times are ordered by id. Units: ticks. Ownership: the caller owns
 * the array, whose capacity the caller checks. Errors: none. Cost: O(log entries). Threads: one at a time. Source:
 * Williams, "Algorithm 232: heapsort", Communications of the ACM 7(6), 1964. */
#ifndef MODEL_TIME_HEAP_H
#define MODEL_TIME_HEAP_H

#include <stdbool.h>
#include <stdint.h>

struct time_entry {
  uint64_t time;
  uint32_t id;
};

struct time_heap {
  struct time_entry *entries;
  uint32_t count;
};

static inline bool time_before(struct time_entry a, struct time_entry b) {
  return a.time < b.time || (a.time == b.time && a.id < b.id);
}

static inline void time_heap_push(struct time_heap *heap, struct time_entry e) {
  uint32_t i = heap->count++;
  for (; i > 0 && time_before(e, heap->entries[(i - 1) / 2]); i = (i - 1) / 2)
    heap->entries[i] = heap->entries[(i - 1) / 2];
  heap->entries[i] = e;
}

/* Replaces the smallest entry by `e`. */
static inline void time_heap_replace(struct time_heap *heap, struct time_entry e) {
  uint32_t i = 0;
  for (;;) {
    uint32_t child = 2 * i + 1;
    if (child >= heap->count)
      break;
    if (child + 1 < heap->count && time_before(heap->entries[child + 1], heap->entries[child]))
      child++;
    if (!time_before(heap->entries[child], e))
      break;
    heap->entries[i] = heap->entries[child];
    i = child;
  }
  heap->entries[i] = e;
}

static inline struct time_entry time_heap_pop(struct time_heap *heap) {
  struct time_entry top = heap->entries[0];
  heap->count--;
  if (heap->count > 0)
    time_heap_replace(heap, heap->entries[heap->count]);
  return top;
}

/* Returns the second smallest entry. Its time is UINT64_MAX if there is none. */
static inline struct time_entry time_heap_second(const struct time_heap *heap) {
  struct time_entry none = {UINT64_MAX, UINT32_MAX};
  struct time_entry a = heap->count > 1 ? heap->entries[1] : none, b = heap->count > 2 ? heap->entries[2] : none;
  return time_before(a, b) ? a : b;
}

#endif

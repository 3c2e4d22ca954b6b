/* A sorted ring of points in time, (time, id), smallest first; equal times are ordered by id. Entries that are added
 * mostly in order, or before all others, cost a few steps; at worst half of the entries move. The caller owns the
 * array, whose length is a power of two; `mask` is one less. (model/policy/time_heap.h is for entries in any order.) */
#ifndef MODEL_TIME_QUEUE_H
#define MODEL_TIME_QUEUE_H

#include "model/policy/time_heap.h"

struct time_queue {
  struct time_entry *entries;
  uint64_t first; /* the first time, UINT64_MAX: the queue is empty */
  uint32_t mask, head, count;
};

/* Makes an empty queue in `entries`, of which there are `mask` + 1. */
static inline struct time_queue time_queue_make(struct time_entry *entries, uint32_t mask) {
  return (struct time_queue){.entries = entries, .first = UINT64_MAX, .mask = mask};
}

static inline struct time_entry *time_queue_at(const struct time_queue *queue, uint32_t number) {
  return &queue->entries[(queue->head + number) & queue->mask];
}

static inline void time_queue_push(struct time_queue *queue, struct time_entry e) {
  uint32_t at;
  if (queue->count > 0 && time_before(e, *time_queue_at(queue, queue->count / 2))) {
    queue->head--;
    for (at = 0; time_before(*time_queue_at(queue, at + 1), e); at++)
      *time_queue_at(queue, at) = *time_queue_at(queue, at + 1);
  } else {
    for (at = queue->count; at > 0 && time_before(e, *time_queue_at(queue, at - 1)); at--)
      *time_queue_at(queue, at) = *time_queue_at(queue, at - 1);
  }
  *time_queue_at(queue, at) = e;
  queue->count++;
  queue->first = e.time < queue->first ? e.time : queue->first;
}

static inline struct time_entry time_queue_pop(struct time_queue *queue) {
  const struct time_entry first = queue->entries[queue->head++ & queue->mask];
  queue->first = --queue->count > 0 ? time_queue_at(queue, 0)->time : UINT64_MAX;
  return first;
}

#endif

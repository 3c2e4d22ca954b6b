/* A queue that one core shares with others that are not replayed. The model assumes that each of them sends as much as
 * the replayed core does, spread evenly over the cycles that follow (a fluid queue).
 *
 * Units: ticks. Order: times do not fall from one call to the next. Cost: O(1). Threads: one. */
#ifndef MODEL_SHARED_QUEUE_H
#define MODEL_SHARED_QUEUE_H

#include <stdint.h>

#include "model/result/cycle_stack.h"

struct shared_queue {
  uint64_t time;    /* time up to which the members below are valid */
  uint64_t backlog; /* ticks until the queue is empty */
  uint64_t coming;  /* ticks of work that the other cores will send */
};

/* Moves the queue on to `time`; the `coming` ticks arrive evenly within `spread` ticks. Returns the wait of an access
 * that arrives at `time`. */
static inline uint64_t shared_queue_until(struct shared_queue *queue, uint64_t time, uint64_t spread) {
  const uint64_t passed = time - queue->time;
  const uint64_t came = passed < spread ? (uint64_t)((tick_sum)queue->coming * passed / spread) : queue->coming;
  const uint64_t work = queue->backlog + came;
  queue->coming -= came;
  queue->backlog = work > passed ? work - passed : 0;
  queue->time = time;
  return queue->backlog;
}

/* Adds `ticks` of work from the replayed core, and `others` that the other cores will send. */
static inline void shared_queue_add(struct shared_queue *queue, uint64_t ticks, uint64_t others) {
  queue->backlog += ticks;
  queue->coming += others;
}

#endif

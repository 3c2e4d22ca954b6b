/* A calendar queue: points in time in order, in days of equal length, as (time, kind, id), smallest first. An entry
 * stands for one id or for several that follow each other.
 *
 * A new entry is appended to its day; a day is sorted when it begins. So an entry costs a few steps however many there
 * are, where a heap of tens of thousands waits for memory at each step. Entries that lie more than a year ahead stay in
 * their day until their year comes. Units: ticks. Ownership: calendar_init allocates, calendar_clear frees. Errors:
 * false when out of memory. Cost: O(log entries of a day), at most O(entries of a day) after the day has begun.
 * Threads: one at a time. Source: Brown, "Calendar queues: a fast O(1) priority queue implementation", Communications
 * of the ACM 31(10), 1988; days and year have a fixed length here. */
#ifndef MODEL_CALENDAR_QUEUE_H
#define MODEL_CALENDAR_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

struct calendar_entry {
  uint64_t time;
  uint32_t id;
  uint16_t kind, count; /* the entry stands for the ids from `id` to id + count - 1 */
};

struct calendar_day {
  struct calendar_entry *entries;
  uint32_t count, capacity;
};

struct calendar_queue {
  struct calendar_day *days;
  struct calendar_day spare; /* memory for a day that is sorted */
  uint64_t today;            /* day of the entries that come next: time >> shift */
  uint32_t served;           /* number of entries of today that were taken */
  int shift;                 /* a day has 2^shift ticks */
};

/* Makes a queue whose year has at least `year` ticks; it is fast for entries less than a year ahead. Returns false when
 * out of memory. */
bool calendar_init(struct calendar_queue *queue, uint64_t year);
void calendar_clear(struct calendar_queue *queue);
/* Adds an entry. Returns false when out of memory. */
bool calendar_add(struct calendar_queue *queue, struct calendar_entry entry);
/* Takes the smallest entry into *next if its time is not above `until`, with as many of its ids as come before those of
 * all other entries. Returns false if there is no such entry. */
bool calendar_take(struct calendar_queue *queue, uint64_t until, struct calendar_entry *next);

#endif

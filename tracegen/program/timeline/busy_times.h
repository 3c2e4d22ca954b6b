/* The times at which an engine is busy: intervals in ascending order that do not overlap.
 *
 * Units: nanoseconds. Ownership: starts from zero; busy_times_clear frees. Errors: false when out of memory.
 * Cost: linear in the intervals that have not been forgotten. Threads: one. */
#ifndef TRACEGEN_PROGRAM_BUSY_TIMES_H
#define TRACEGEN_PROGRAM_BUSY_TIMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct busy_time {
  int64_t start, end;
  uint32_t command; /* that runs then */
};

struct busy_times {
  struct busy_time *items;
  size_t count, room;
};

/* Finds the first time from `ready` on at which the engine is free for `ns`, and takes it for the command. */
bool busy_times_take(struct busy_times *times, int64_t ready, int64_t ns, uint32_t command, int64_t *start);
/* Forgets what ended at or before `now`. */
void busy_times_forget(struct busy_times *times, int64_t now);
/* Returns what runs at `at`, or NULL. *until becomes the time at which that changes, INT64_MAX if it does not. */
const struct busy_time *busy_times_at(const struct busy_times *times, int64_t at, int64_t *until);
void busy_times_clear(struct busy_times *times);

#endif

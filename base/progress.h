/* Writes one line on standard error that says how far a long run is: share, rate and remaining time.
 *
 * Purpose: "sweep: 120/400 points (30%), 41.2 points/s, 6 s to go"; for a search that may end before its limit, "tune:
 * 120 evaluations, 41.2 evaluations/s, at most 6 s to go, best 8.19 %". The line is written only if standard error is a
 * terminal and the user did not ask for quiet, at most five times a second.
 * Cost: progress_add is one atomic addition and one reading of the clock.
 * Threads: progress_add may be called by any thread, start and end by the owner. */
#ifndef BASE_PROGRESS_H
#define BASE_PROGRESS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct progress {
  const char *label,
      *unit;      /* borrowed; a unit of NULL: nothing is counted, and the line shows the time since the start */
  uint64_t total; /* 0 when unknown */
  double work;    /* of all, in any unit, from which the remaining time follows; 0: that follows from `total` */
  bool at_most;   /* the run may end before `total` */
  bool shown;
  int64_t start_ns;
  atomic_uint_least64_t done;
  _Atomic double work_done;
  atomic_int_least64_t next_ns; /* time at which the next line is due */
  _Atomic double best;          /* percent, NaN: none yet */
};

void progress_start(struct progress *p, const char *label, const char *unit, uint64_t total, bool quiet);
/* Declares, after progress_start, that the run is a search that ends at `total` or before. */
void progress_limit(struct progress *p, uint64_t total);
void progress_add(struct progress *p, uint64_t amount);
/* Declares, after progress_start, how much work all is, where equal amounts are not equally much work. */
void progress_work(struct progress *p, double work);
/* Adds an amount that was so much work. One thread at a time may call it. */
void progress_add_work(struct progress *p, uint64_t amount, double work);
/* Reports the least cost so far. */
void progress_best(struct progress *p, double percent);
/* Removes the line from the terminal. */
void progress_end(struct progress *p);

/* Formats the line as progress_add writes it after `elapsed_ns`, without a line end. Returns `buffer`. */
const char *progress_format(const struct progress *p, int64_t elapsed_ns, char *buffer, size_t size);

#endif

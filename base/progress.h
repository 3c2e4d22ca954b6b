/* One line on stderr that says how far a long run is: share, rate and time to go.
 *
 * Purpose: "sweep: 120/400 points (30%), 41.2 points/s, 6 s to go". Written only when stderr is a terminal and the user
 *          did not ask for quiet, at most five times a second. Cost: progress_add is one atomic addition and one clock
 * reading. Threads: progress_add from any thread; start and end from the owner. */
#ifndef BASE_PROGRESS_H
#define BASE_PROGRESS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct progress {
  const char *label, *unit; /* borrowed */
  uint64_t total;           /* 0 when unknown */
  bool shown;
  int64_t start_ns;
  atomic_uint_least64_t done;
  atomic_int_least64_t next_ns; /* the next line is due */
};

void progress_start(struct progress *p, const char *label, const char *unit, uint64_t total, bool quiet);
void progress_add(struct progress *p, uint64_t amount);
/* Wipes the line. */
void progress_end(struct progress *p);

/* The line after `elapsed_ns`, without line ends; what progress_add writes. Returns `buffer`. */
const char *progress_format(const struct progress *p, int64_t elapsed_ns, char *buffer, size_t size);

#endif

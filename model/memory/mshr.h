/* MSHRs (miss status holding registers): the lines that are being fetched, in the order in which they arrive.
 *
 * A miss of a line that is being fetched already merges with the fetch and takes no MSHR. Ownership: mshr_file_init
 * allocates, mshr_file_clear frees. Units: ticks. Errors: false when out of memory. Cost: a fetch that arrives last is
 * added in O(1), any other in O(MSHRs); releasing is O(1) for each fetch; finding is O(MSHRs), with the processor's
 * vectors. Threads: one at a time. Source: Kroft, "Lockup-free instruction fetch/prefetch cache organization", ISCA
 * 1981. */
#ifndef MODEL_MSHR_H
#define MODEL_MSHR_H

#include <stdbool.h>
#include <stdint.h>

struct mshr_file {
  uint32_t *lines;   /* [2 * capacity], from `first` */
  uint32_t *numbers; /* sequence numbers of the fetches, in the order in which they were added */
  uint64_t *comes;   /* time at which each line arrives, ascending */
  uint32_t first, count, capacity, added;
};

/* Makes room for `most` fetches at a time. Returns false when out of memory. */
bool mshr_file_init(struct mshr_file *file, uint32_t most);
void mshr_file_clear(struct mshr_file *file);
void mshr_file_add(struct mshr_file *file, uint32_t line, uint64_t comes);
/* Returns the time at which the line arrives, which is being fetched: of two fetches of it, that of the one added
 * first. */
uint64_t mshr_file_first(const struct mshr_file *file, uint32_t line);

/* Releases the MSHRs of lines that have arrived by `now`. */
static inline void mshr_file_release(struct mshr_file *file, uint64_t now) {
  for (; file->count > 0 && file->comes[file->first] <= now; file->count--)
    file->first++;
}

/* Returns the time at which the line arrives, or 0 if it is not being fetched. */
static inline uint64_t mshr_file_find(const struct mshr_file *file, uint32_t line) {
  const uint32_t *lines = file->lines + file->first;
  uint32_t found = 0;
  for (uint32_t i = 0; i < file->count; i++)
    found |= lines[i] == line;
  return found ? mshr_file_first(file, line) : 0;
}

/* Returns the time at which `need` of `limit` MSHRs are free, or all of them if `need` is larger; 0 if they are free
 * now. */
static inline uint64_t mshr_file_free_at(const struct mshr_file *file, uint32_t limit, uint32_t need) {
  const uint32_t most = need < limit ? limit - need : 0; /* fetches that may continue at that time */
  return file->count <= most ? 0 : file->comes[file->first + file->count - most - 1];
}

#endif

/* Lines that are being fetched: what MSHRs (miss status holding registers) hold, in the order in which they come.
 *
 * Times are ticks. Memory: fills_init allocates, fills_clear frees. Cost: what comes last is added in O(1), anything in
 * O(fills); dropping O(1) for each that was added; finding O(fills), with the processor's vectors. Source: Kroft,
 * "Lockup-free instruction fetch/prefetch cache organization", ISCA 1981. */
#ifndef MODEL_MSHR_H
#define MODEL_MSHR_H

#include <stdbool.h>
#include <stdint.h>

struct mshrs {
  uint32_t *lines;   /* [2 * capacity], from `first` */
  uint32_t *numbers; /* of the fills, as they were added */
  uint64_t *comes;   /* ascending */
  uint32_t first, count, capacity, added;
};

/* Room for `most` at a time. False: out of memory. */
bool fills_init(struct mshrs *fills, uint32_t most);
void fills_clear(struct mshrs *fills);
void fills_add(struct mshrs *fills, uint32_t line, uint64_t comes);
/* When the line comes that was added first; it is there. */
uint64_t fills_comes(const struct mshrs *fills, uint32_t line);

/* Forgets the lines that have come by `now`. */
static inline void fills_drop(struct mshrs *fills, uint64_t now) {
  for (; fills->count > 0 && fills->comes[fills->first] <= now; fills->count--)
    fills->first++;
}

/* When the line comes, 0: it is not being fetched. */
static inline uint64_t fills_find(const struct mshrs *fills, uint32_t line) {
  const uint32_t *lines = fills->lines + fills->first;
  uint32_t found = 0;
  for (uint32_t i = 0; i < fills->count; i++)
    found |= lines[i] == line;
  return found ? fills_comes(fills, line) : 0;
}

/* When `need` of `limit` places are free, all of them if `need` is more; 0: they are. */
static inline uint64_t fills_room(const struct mshrs *fills, uint32_t limit, uint32_t need) {
  const uint32_t most = need < limit ? limit - need : 0; /* so many may be under way beside them */
  return fills->count <= most ? 0 : fills->comes[fills->first + fills->count - most - 1];
}

#endif

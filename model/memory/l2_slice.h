/* Slices of L2 and the memory behind them as queues, which give the time when an arriving line is served.
 *
 * Lines are distributed over slices by number (line modulo slices). A slice has its own queue and its own share of the
 * memory's bandwidth, each first come, first served. Times are ticks. model/cache/cache.h decides which lines L2 holds.
 * With MSHRs a line that is being fetched is not fetched again, and a slice stops while a miss finds no free one. With
 * banks, a line in another row of its bank than the previous one takes longer (Rixner et al., "Memory access
 * scheduling", ISCA 2000; no reordering). Atomics are executed in their slice or, with l2_atomic_units, in one of so
 * many units, which a multiplicative hash of the address chooses (Knuth, volume 3, section 6.4).
 * Ownership: l2_slices_init allocates, l2_slices_clear frees. Errors: false when out of memory. Cost: O(1) for each
 * line. Threads: one at a time. */
#ifndef MODEL_L2_SLICE_H
#define MODEL_L2_SLICE_H

#include <stdbool.h>

#include "base/error.h"
#include "model/params/gpu.h"
#include "model/memory/mshr.h"
#include "model/result/queues.h"

struct l2_slice {
  uint64_t free, dram_free, atomics_free;
  struct mshr_file mshr_file; /* used with MSHRs */
  uint32_t *open_rows;        /* [banks]: open row + 1, 0: none */
};

struct l2_slices {
  struct l2_slice *slices;
  uint32_t count, mshrs, banks, lines_per_row;
  uint32_t mask;                      /* count - 1 when count is a power of two, else 0 */
  uint32_t tag_shift;                 /* log2 of the lines of a tag */
  uint64_t tag_ticks, dram_tag_ticks; /* of all lines of a tag, which are divided among them to the tick */
  uint64_t line_ticks, dram_line_ticks, row_miss_ticks, atomic_ticks, round_ticks;
  struct queue_ticks waited; /* waits at L2 and behind it */
  uint64_t *units_free;      /* [units]: times at which units that execute atomics are free */
  uint32_t units;            /* 0: each slice has one */
  uint32_t line_bytes, unit_bytes;
};

struct l2_service {
  uint64_t begins; /* when the line is served, behind all queues */
  uint64_t row;    /* ticks that opening another DRAM row adds */
  uint64_t merged; /* time at which a line arrives that was being fetched already, 0: it was not */
};

bool l2_slices_init(struct l2_slices *l2, const struct gpu_spec *spec);
void l2_slices_clear(struct l2_slices *l2);
/* Returns whether a slice found no memory for a line that was being fetched. */
bool l2_slices_lost_fetches(const struct l2_slices *l2);
/* Serves a line that arrives at `time`, which is not before the times of earlier calls, and takes its slice for `times`
 * times the time of a line. *hit says whether L2 holds the line, and becomes true if the line merges with a fetch;
 * `dram_ticks` is the latency of a miss. */
struct l2_service l2_serve(struct l2_slices *l2, uint32_t line, uint32_t times, uint64_t time, uint64_t dram_ticks,
                           bool *hit);

/* Returns whether a slice has a limited number of misses at a time. */
static inline bool l2_limits_misses(const struct l2_slices *l2) {
  return l2->mshrs != 0 && l2->mshrs != MSHRS_ANY_NUMBER;
}

/* Takes the rates of L2 and of memory for a line, as l2_serve does. Where misses are not limited, the line does not
 * count as being fetched. */
void l2_take_rates(struct l2_slices *l2, uint32_t line, uint64_t time, uint64_t dram_ticks, bool hit);
/* Takes the rate of L2 for `lines` lines that arrive together and that it holds, as l2_take_rates does for line 0 so
 * many times. Only with one slice, where misses are not limited. */
void l2_take_rates_of_hits(struct l2_slices *l2, uint32_t lines, uint64_t time);
/* Notes that lines of a tag, which are bits of `lines`, are being fetched, and arrive at the time `comes`. Only where
 * misses merge. */
void l2_note_fetches(struct l2_slices *l2, uint32_t tag, uint32_t lines, uint64_t comes);

/* Writes a line to the memory behind its slice, not before `time`. Returns the time at which memory accepts it. */
uint64_t l2_write_to_memory(struct l2_slices *l2, uint32_t line, uint64_t time);

/* Returns the number of units that execute atomics side by side. */
static inline uint32_t l2_atomic_units(const struct l2_slices *l2) {
  return l2->units ? l2->units : l2->count;
}

/* Executes `operations` atomic operations on a line in its slice or unit, in `rounds` rounds, not before `time`.
 * Returns the time at which the last one begins. */
uint64_t l2_execute(struct l2_slices *l2, uint32_t line, uint32_t operations, uint32_t rounds, uint64_t time);

#endif

/* The load/store unit of a core and its way to L2, as queues: when a warp's access reaches what all cores share.
 *
 * Accesses pass in order of issue. One with n transactions leaves the unit n - 1 transaction times after it got in, and
 * its m lines that go on to L2 have crossed the link m - 1 line times after the first entered it: what is alone waits
 * for nothing. With MSHRs a line that an earlier access is fetching is not fetched again (it merges, Kroft,
 * "Lockup-free instruction fetch/prefetch cache organization", ISCA 1981), and the unit stops while the misses of the
 * access at its head find no free one; an access with more misses than there are MSHRs takes them all. Times are ticks.
 * The head's times are known only when all before it have been served; see lsu_head. Memory: lsu_init allocates,
 * lsu_clear frees; the queue grows. Cost: O(lines), with MSHRs O(lines x MSHRs). */
#ifndef MODEL_LSU_H
#define MODEL_LSU_H

#include "model/line_fill.h"
#include "model/memory_system.h"

struct lsu_access {
  uint32_t warp, op;
  bool timed;       /* the times below are known */
  uint64_t issued;  /* by an execution engine */
  uint64_t issue;   /* ticks that the engine takes for that */
  uint64_t arrives; /* at L2, or leaves the unit when nothing goes there */
  uint64_t merged;  /* when the last line comes that earlier accesses fetch, 0: none */
  uint32_t stored;  /* lines kept */
  struct memory_access access;
};

struct lsu {
  bool on; /* off: nothing below is used */
  uint64_t transaction_ticks, link_ticks;
  uint64_t free, link_free;
  struct lsu_access *queue; /* oldest first, from `first` */
  uint32_t first, count, capacity;
  uint32_t *lines; /* of all queued accesses, in the same order, from `first_line` */
  uint32_t first_line, line_count, line_capacity;
  uint32_t mshrs; /* 0: any number, nothing merges */
  struct line_fill *fills;
  uint32_t fill_count, fill_capacity;
};

bool lsu_init(struct lsu *lsu, const struct gpu_spec *spec, uint32_t access_lines);
void lsu_clear(struct lsu *lsu);
/* Copies the access with its lines. False: out of memory. */
bool lsu_push(struct lsu *lsu, uint32_t warp, uint64_t now, uint64_t issue, uint32_t op,
              const struct memory_access *access);
/* The oldest access, its times known; NULL when there is none. All that were popped have been served. */
struct lsu_access *lsu_head(struct lsu *lsu);
/* The head has been served; `comes` [access.shared]: when its lines are in L1. */
void lsu_pop(struct lsu *lsu, const uint64_t *comes);

#endif

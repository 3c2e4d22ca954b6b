/* A core's accesses on their way to L2, and the load/store unit that they pass: when they reach what all cores share.
 *
 * Without a limit on the way they are there when they are issued. With one (`queued`) they pass in order of issue. One
 * with n transactions leaves the unit n - 1 transaction times after it got in, and its m lines that go on to L2 have
 * crossed the link m - 1 line times after the first entered it: an access that is alone waits for nothing. With MSHRs
 * a line that an earlier access is fetching is not fetched again (it merges, Kroft, "Lockup-free instruction
 * fetch/prefetch cache organization", ISCA 1981), and the unit stops while the misses of the access at its head find
 * no free one; an access with more misses than there are MSHRs takes them all. Where the scratchpad shares the pipe,
 * accesses pass it when they are issued, one transaction after another, and queue behind it for the MSHRs and the link.
 * For its translation an access holds the unit longer (model/memory/lsu_tlb.h).
 * Times are ticks.
 *
 * One queue, oldest first, in two parts: accesses that were served at L2 and which the core has not collected yet, and
 * those that were not. The first of the second part is always timed (it says when it arrives); with MSHRs the others
 * are timed when those before them have been served. The core pushes and collects, what serves L2 serves
 * (model/replay/l2_order.h); an access that does not go there counts as served as soon as those before it are. Memory:
 * lsu_init allocates, lsu_clear frees; the queue grows. Cost: O(lines), with MSHRs O(lines x MSHRs). */
#ifndef MODEL_LSU_H
#define MODEL_LSU_H

#include <string.h>

#include "model/memory/mshr.h"
#include "model/memory/pass_port.h"
#include "model/memory/memory_hierarchy.h"
#include "model/result/queues.h"

struct lsu_access {
  /* First what a store has where nothing is limited: two cache lines of the host. */
  uint64_t arrives;  /* at L2, or leaves the unit when nothing goes there */
  uint64_t earliest; /* it is over then or later; UINT64_MAX: no warp waits for it */
  uint32_t warp, op;
  uint32_t stored;             /* lines kept */
  uint32_t line;               /* a single one; more stand in lsu.lines */
  struct memory_access access; /* served: with what merging and queues at L2 added */
  uint64_t issued;             /* by an execution engine */
  uint64_t entered;            /* the unit, behind the pipe */
  uint64_t issue;              /* ticks that the engine takes for that */
  uint64_t merged;             /* when the last line comes that earlier accesses fetch, 0: none */
  uint64_t known;              /* served: from when on the core may know */
  uint64_t wait;               /* served: in the queues at L2 and behind it */
  bool timed;                  /* arrives, merged and what the access has become by merging are known */
};

struct lsu {
  bool overlapped; /* transactions of an access: the longest latency counts, not the sum */
  bool queued;     /* something on the way is limited; else only queue and lines are used */
  bool
      shares_pipe; /* accesses pass `pipe` first, which they share with the scratchpad's; then the unit takes no time */
  struct pass_port pipe;
  uint64_t pipe_ticks; /* of a transaction */
  uint64_t transaction_ticks, link_ticks;
  uint64_t free, link_free;
  uint64_t passed;          /* the last access that was served arrived then */
  struct lsu_access *queue; /* oldest first, from `first` */
  uint32_t first, count, capacity;
  uint32_t served; /* of them, at the front */
  uint32_t *lines; /* of all queued accesses, in the same order, from `first_line` */
  uint32_t first_line, line_count, line_capacity;
  uint32_t mshrs;             /* 0: any number, nothing merges */
  struct mshr_file mshr_file; /* with MSHRs */
  struct queue_ticks waited;  /* of the link and before it */
};

bool lsu_init(struct lsu *lsu, const struct gpu_spec *spec, uint32_t access_lines);
void lsu_clear(struct lsu *lsu);
/* Makes a place at the end of the queue for an access with so many lines. Returns NULL when out of memory. */
struct lsu_access *lsu_place(struct lsu *lsu, uint32_t lines);
/* Returns when an access that is issued now enters the unit. */
static inline uint64_t lsu_enter(struct lsu *lsu, uint64_t now, uint32_t transactions) {
  return lsu->shares_pipe ? pass_port_take(&lsu->pipe, now, transactions, lsu->pipe_ticks) : now;
}

/* Times the access that was pushed last, by the limits on its way. */
void lsu_time(struct lsu *lsu, struct lsu_access *pushed);

/* Takes the next place of the queue for an access with so many lines; all is set but `access`, `earliest` and the
 * lines. Returns NULL when out of memory. */
static inline __attribute__((always_inline)) struct lsu_access *
lsu_take_place(struct lsu *lsu, bool queued, uint32_t warp, uint64_t now, uint64_t issue, uint32_t op, uint32_t lines) {
  const bool room = lsu->first + lsu->count < lsu->capacity && lines <= 1;
  struct lsu_access *pushed = room ? &lsu->queue[lsu->first + lsu->count] : lsu_place(lsu, lines);
  if (!pushed)
    return NULL;
  pushed->issued = pushed->arrives = now;
  pushed->issue = issue;
  pushed->warp = warp;
  pushed->op = op;
  pushed->stored = lines;
  pushed->timed = !queued;
  pushed->wait = 0;
  lsu->count++;
  return pushed;
}

/* Queues a copy of the access with its lines; `queued` is lsu->queued. Returns the copy, whose `earliest` the caller
 * sets, or NULL when out of memory. */
static inline __attribute__((always_inline)) struct lsu_access *lsu_push(struct lsu *lsu, bool queued, uint32_t warp,
                                                                         uint64_t now, uint64_t issue, uint32_t op,
                                                                         const struct memory_access *access) {
  const uint32_t lines =
      (queued && lsu->mshrs) || access->words ? access->transactions + access->words : access->shared;
  struct lsu_access *pushed = lsu_take_place(lsu, queued, warp, now, issue, op, lines);
  if (!pushed)
    return NULL;
  pushed->access = *access;
  if (lines == 1)
    pushed->line = access->lines[0];
  else if (lines > 1)
    memcpy(lsu->lines + lsu->first_line + lsu->line_count - lines, access->lines, lines * sizeof *lsu->lines);
  if (queued) {
    pushed->entered = lsu_enter(lsu, now, access->transactions);
    lsu_time(lsu, pushed);
  }
  return pushed;
}

/* Does lsu_push for a store of one line, where nothing on the way to L2 is limited: no warp waits for it, and only its
 * warp and what L2 and the order of accesses ask for is set. */
static inline __attribute__((always_inline)) struct lsu_access *
lsu_push_store(struct lsu *lsu, uint32_t warp, uint64_t now, uint32_t op, uint32_t core, uint32_t line) {
  const bool room = lsu->first + lsu->count < lsu->capacity;
  struct lsu_access *pushed = room ? &lsu->queue[lsu->first + lsu->count] : lsu_place(lsu, 1);
  if (!pushed)
    return NULL;
  lsu->count++;
  pushed->arrives = now;
  pushed->earliest = UINT64_MAX;
  pushed->warp = warp;
  pushed->op = op;
  pushed->stored = 1;
  pushed->line = line;
  pushed->access.transactions = pushed->access.shared = 1;
  pushed->access.words = pushed->access.fetched = pushed->access.evicted = 0;
  pushed->access.op_class = OP_STORE;
  pushed->access.core = core;
  return pushed;
}

/* Returns whether an access that stays in the core and is issued now passes the unit at once, which is known at `now`:
 * nothing is before it, and no miss holds the unit up. */
static inline bool lsu_is_clear(const struct lsu *lsu, uint64_t now) {
  return lsu->count == 0 && lsu->passed <= now && lsu->mshr_file.count <= lsu->mshrs;
}

/* Lines of an access that leaves the unit cross the link: its own, then those that it carries along. Returns when the
 * last of its own arrives at L2. */
static inline uint64_t lsu_cross(struct lsu *lsu, uint64_t leaves, uint32_t own, uint32_t carried) {
  const uint64_t enters = leaves > lsu->link_free ? leaves : lsu->link_free;
  const uint64_t arrives = enters + (own ? own - 1 : 0) * lsu->link_ticks;
  lsu->link_free = enters + (own + carried) * lsu->link_ticks;
  lsu->waited.link += arrives - leaves;
  return arrives;
}

/* An access that is issued at `time`, goes nowhere behind the unit and shares no pipe passes the unit behind those that
 * were issued before; without MSHRs. Returns the ticks that it waits. */
static inline __attribute__((always_inline)) uint64_t lsu_pass(struct lsu *lsu, uint32_t transactions, uint64_t time) {
  const uint64_t leaves = (time > lsu->free ? time : lsu->free) + (transactions - 1) * lsu->transaction_ticks;
  lsu->waited.lsu += leaves - time;
  lsu->free = leaves + lsu->transaction_ticks;
  return leaves - time;
}

/* Ticks that an access of one line which stays in the core waits: for the unit, and for the line of a load that is
 * still on its way. */
struct lsu_waits {
  uint64_t unit, line;
};

/* Passes such an access through a clear unit: lsu_push, lsu_time and lsu_collect in short. Returns what it waits
 * for. */
static inline __attribute__((always_inline)) struct lsu_waits lsu_pass_one(struct lsu *lsu, bool load, uint32_t line,
                                                                           uint64_t now) {
  const uint64_t entered = lsu_enter(lsu, now, 1), leaves = entered > lsu->free ? entered : lsu->free;
  lsu->waited.lsu += leaves - now;
  lsu->free = leaves + lsu->transaction_ticks;
  if (!load)
    return (struct lsu_waits){.unit = leaves - now};
  if (lsu->mshrs)
    mshr_file_release(&lsu->mshr_file, leaves);
  const uint64_t comes = lsu->mshr_file.count > 0 ? mshr_file_find(&lsu->mshr_file, line) : 0;
  return (struct lsu_waits){leaves - now, comes ? comes - leaves : 0};
}

/* Returns the lines of the first access that was not served. */
static inline uint32_t *lsu_lines(struct lsu *lsu, struct lsu_access *access) {
  if (access->stored <= 1) /* of one that has no lines, `lines` may be NULL */
    return &access->line;
  return lsu->lines + lsu->first_line;
}

static inline void lsu_forget_lines(struct lsu *lsu, const struct lsu_access *access) {
  if (access->stored > 1) {
    lsu->line_count -= access->stored;
    lsu->first_line = lsu->line_count ? lsu->first_line + access->stored : 0;
  }
}

/* Returns the oldest access that was not served, NULL where there is none. lsu_lines has its lines. */
static inline struct lsu_access *lsu_next(struct lsu *lsu) {
  return lsu->served < lsu->count ? &lsu->queue[lsu->first + lsu->served] : NULL;
}

/* Marks that access as served, with these waits; for an lsu where something on the way is limited. */
void lsu_serve_queued(struct lsu *lsu, const struct memory_service *service);

static inline void lsu_serve(struct lsu *lsu, const struct memory_service *service) {
  if (lsu->queued) {
    lsu_serve_queued(lsu, service);
    return;
  }
  lsu_forget_lines(lsu, &lsu->queue[lsu->first + lsu->served]);
  lsu->served++;
}

/* Returns the oldest access that was served, NULL where there is none; lsu_collect removes it. */
static inline struct lsu_access *lsu_oldest_served(struct lsu *lsu) {
  return lsu->served > 0 ? &lsu->queue[lsu->first] : NULL;
}

static inline void lsu_collect(struct lsu *lsu) {
  lsu->served--;
  lsu->first = --lsu->count ? lsu->first + 1 : 0;
}

/* Returns when the first access that was not served arrives, UINT64_MAX where there is none. */
static inline uint64_t lsu_next_arrival(struct lsu *lsu) {
  const struct lsu_access *next = lsu_next(lsu);
  return next ? next->arrives : UINT64_MAX;
}

/* Returns when the first access that was not served is over at the earliest, which is not before it arrives; UINT64_MAX
 * where there is none. */
uint64_t lsu_earliest(struct lsu *lsu);

#endif
